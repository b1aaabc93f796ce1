package cfront

// Which files include which: sources that others include, and files that
// include each other without end, which cc follows until it has read too many
// tokens, and doesn't say why.

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/go-amend/amend/ir"
)

var includeDirective = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*("[^"\n]*"|<[^>\n]*>)`)

// circular returns an error at the first directive by which a file that the
// unit called name includes, whatever #if says, includes itself. It is nil if
// there is none.
func (l *loader) circular(name string) error {
	open, done := map[string]bool{}, map[string]bool{}
	var visit func(name string) error
	visit = func(name string) error {
		content := l.headers[name]
		open[name], done[name] = true, true
		defer delete(open, name)
		for _, m := range includeDirective.FindAllSubmatchIndex(content, -1) {
			file := l.headers.included(name, string(content[m[2]:m[3]]))
			if open[file] {
				at := newSource(name, content).span(m[2], m[3])
				return &ir.Error{Span: at, Msg: fmt.Sprintf("%s includes itself here: more than %d tokens", file, l.headers.maxTokens())}
			}
			if done[file] {
				continue
			}
			if err := visit(file); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(name)
}

// included is the name of the program's file that file includes as what,
// with its quotes.
func (s fileSystem) included(file, what string) string {
	name := strings.Trim(what, `"<>`)
	if near := path.Join(path.Dir(file), name); what[0] == '"' && s[near] != nil {
		return near
	}
	return path.Clean(name)
}

// includedSources are those of files that another one includes: with it they
// make one unit.
func (l *loader) includedSources(files []*ir.File) map[string]bool {
	included := map[string]bool{}
	for _, name := range l.cfg.Before {
		included[name] = true
	}
	for _, f := range files {
		for _, m := range includeDirective.FindAllSubmatch(f.Content, -1) {
			if name := l.headers.included(f.Name, string(m[1])); name != f.Name {
				included[name] = true
			}
		}
	}
	return included
}

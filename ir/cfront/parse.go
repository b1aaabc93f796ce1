package cfront

// Parsing: a hermetic run of cc for each translation unit, its messages as
// positioned errors.

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// prelude is what cc's checker needs to find before any source. The types of
// cc know nothing of _Atomic, but of volatile, which means nothing here: so
// volatile is left out and _Atomic takes its place.
const prelude = `int __predefined_declarator;
#define __extension__
#define __inline inline
#define __inline__ inline
#define __const const
#define __restrict restrict
#define volatile
#define __volatile__
#define _Atomic __volatile
#define __signed__ signed
#define __signed signed
#define __thread _Thread_local
#define __FUNCTION__ __func__
#define __PRETTY_FUNCTION__ __func__
#define __CPROVER_bool _Bool
#define __CPROVER_size_t __predefined_size_t
#define __CPROVER_ssize_t __predefined_ptrdiff_t
#define __CPROVER_thread_local _Thread_local
#define __builtin_offsetof(type, member) ((__predefined_size_t)&((type *)0)->member)
#define __builtin_va_start(list, ...) __builtin_va_begin(list)
#define __builtin_va_arg(list, type) (*(type *)__builtin_va_next(list, sizeof(type)))
`

// end follows each unit: where the source breaks off, cc's parser sees it and
// not the end of all input, at which it may loop for ever ("enum").
const (
	endName = "<end>"
	end     = "typedef int __end_of_unit;\n"
)

// A unit is a translation unit.
type unit struct {
	name    string
	ast     *cc.AST
	text    *text
	statics map[string]bool // names with internal linkage
	library bool            // the package's own

	repacked bool // some type may have another layout than anybody here knows
	packs    bool // something is packed
	bits     bool // some struct may have bit-fields
}

// parse makes a unit of each file that isn't a header.
func (l *loader) parse(files []*ir.File) {
	if len(files) == 0 {
		l.failf(ir.Span{}, "no C file")
	}
	for _, f := range files {
		if err := admissible(f, l.cfg.MaxSize); err != nil {
			l.fail(err)
		}
	}
	if len(l.errs) > 0 {
		return
	}
	included := l.includedSources(files)
	for _, f := range files {
		if isHeader(f.Name) || included[f.Name] {
			continue
		}
		if u := l.translate(f.Name, f.Content); u != nil {
			l.units = append(l.units, u)
		}
	}
	if len(l.units) == 0 && len(l.errs) == 0 {
		l.failf(ir.Span{File: files[0].Name}, "no C file, only headers")
	}
}

// defines is Config.Define and Config.Before as the text of directives.
func (l *loader) defines() string {
	var b strings.Builder
	for _, d := range l.cfg.Define {
		switch name, value, given := strings.Cut(d, "="); {
		case strings.HasPrefix(d, "-"):
			fmt.Fprintf(&b, "#undef %s\n", d[1:])
		case given:
			fmt.Fprintf(&b, "#define %s %s\n", name, value)
		default:
			fmt.Fprintf(&b, "#define %s 1\n", name)
		}
	}
	for _, name := range l.cfg.Before {
		fmt.Fprintf(&b, "#include \"%s\"\n", name)
	}
	return b.String()
}

// isHeader reports whether the file called name is there to be included.
func isHeader(name string) bool {
	return strings.HasSuffix(name, ".h") || strings.HasSuffix(name, ".inc")
}

// translate parses and type-checks one unit. It returns nil after failing.
//
// What cc can't stand is looked for first: after an error the preprocessor
// gives the parser no more tokens, not even those of end, and the checker
// goes astray in structs that contain themselves.
func (l *loader) translate(name string, content []byte) *unit {
	before := prelude + l.target.prelude(l.model) + specifications
	if name != libraryName && l.asksPredefined() {
		before += l.target.predefined(l.model)
	}
	if slices.ContainsFunc(l.prog.Files, func(f *ir.File) bool { return kindsOfMutex.Match(f.Content) }) {
		before += "#define __MUTEX_KINDS 1\n"
	}
	if name != libraryName {
		before += l.defines()
	}
	sources := []cc.Source{
		{Name: predefinedName, Value: before},
		{Name: name, Value: prepared(content)},
		{Name: endName, Value: end},
	}
	var text bytes.Buffer
	var ast *cc.AST
	repacked := false
	var err error
	if name != libraryName { // that needs no look
		err = l.guarded(func(cfg *cc.Config) error {
			cfg.PragmaHandler = func(ts []cc.Token) error {
				repacked = repacked || len(ts) > 0 && layoutPragmas[ts[0].SrcStr()]
				return nil
			}
			return cc.Preprocess(cfg, sources, &text)
		})
		sources[0].Value = before + undeclaredBuiltins(text.Bytes())
	}
	switch at := (ir.Span{File: name}); {
	case err != nil:
	case tooDeep(text.Bytes()) >= 0:
		l.failf(at, "expression or block nested too deep after macro expansion")
		return nil
	case l.target.arch == "386" && preferredAlignment.Match(text.Bytes()):
		l.fail(&ir.UnsupportedError{Span: at, Construct: "__alignof__ for this target, which prefers other alignments", Hint: "use _Alignof"})
		return nil
	case tooLong(text.Bytes()):
		l.failf(at, "declaration or function of more than %d tokens", maxTokens)
		return nil
	}
	if err == nil && suspect(text.Bytes()) {
		err = l.guarded(func(cfg *cc.Config) error { return contained(cfg, sources) })
	}
	if err == nil {
		err = l.guarded(func(cfg *cc.Config) (err error) {
			if name == libraryName {
				cfg.ExpansionLimit *= 4 // no program makes it longer
			}
			ast, err = cc.Translate(cfg, sources)
			return err
		})
	}
	if err != nil {
		if at := l.equalLabels(name, sources, err); at != nil {
			l.fail(at)
		} else {
			l.report(name, err)
		}
		return nil
	}
	u := &unit{name: name, ast: ast, statics: map[string]bool{}, text: newText(l.sources, ast)}
	u.repacked, u.bits = repacked || repacks(text.Bytes()), bitField.Match(text.Bytes())
	if u.packs = packed.Match(text.Bytes()); u.packs && !u.pack(text.Bytes()) {
		u.repacked = true
	}
	l.checkSizes(u)
	if bytes.Contains(text.Bytes(), []byte("mode")) {
		l.checkModes(u)
	}
	return u
}

// kindsOfMutex matches what asks for other mutexes than the normal ones.
var kindsOfMutex = regexp.MustCompile(`PTHREAD_(MUTEX_)?(RECURSIVE|ERRORCHECK)|pthread_mutexattr_settype`)

// preferredAlignment matches what asks how variables, not members, are aligned.
var preferredAlignment = regexp.MustCompile(`\b__alignof(__)?\b`)

// contained reports structs that contain themselves, or are not defined.
func contained(cfg *cc.Config, sources []cc.Source) error {
	ast, err := cc.Parse(cfg, sources)
	if err != nil {
		return err
	}
	switch c := newContainment(ast); {
	case c.found != nil:
		return fmt.Errorf("%v: member has the type of the struct around it", c.found.Position())
	case c.bare != nil:
		return fmt.Errorf("%v: variable of a struct that is not defined", c.bare.Position())
	}
	return nil
}

const (
	stopped   = "the parser stopped"
	overLimit = "(Config.ExpansionLimit"
)

// guarded runs cc, which panics on some malformed input, with a fresh
// configuration: cc writes to it.
func (l *loader) guarded(run func(*cc.Config) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed C: %s (%v)", stopped, r)
		}
	}()
	abi, err := l.target.abi()
	if err != nil {
		return err
	}
	return run(&cc.Config{
		ABI: abi, FS: l.headers, FSOnly: true,
		IncludePaths:    slices.Concat([]string{""}, l.cfg.Include, []string{systemDir}),
		SysIncludePaths: slices.Concat(l.cfg.Include, []string{systemDir}),
		ExpansionLimit:  l.headers.maxTokens(),
		UnsignedEnums:   true, // as gcc

		IgnoreNegativeShiftAmounts: true, // they have ir's meaning
	})
}

var lineDirective = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:line\b|[0-9])(?:\\\r?\n|[^\n])*`)

// prepared returns the text that cc gets: with #line directives blanked, also
// as the preprocessor writes them, so that positions mean this text, and with an
// empty line at the end, without which cc's scanner never leaves a literal that
// ends in a backslash.
func prepared(content []byte) string {
	out := lineDirective.ReplaceAllFunc(content, func(m []byte) []byte {
		blank := bytes.Repeat([]byte(" "), len(m))
		for i, c := range m {
			if c == '\n' {
				blank[i] = c
			}
		}
		return blank
	})
	return string(bareSpecifications(bareAtomics(packedStructs(bareLengths(out))))) + "\n\n"
}

var starLength = regexp.MustCompile(`^\[\s*\*\s*\]`)

// bareLengths returns text, of the same length, in which the lengths that [*]
// leaves open are 1: only prototypes have them, of parameters.
func bareLengths(text []byte) []byte {
	if !bytes.Contains(text, []byte("*]")) && !bytes.Contains(text, []byte("* ]")) {
		return text
	}
	out := bytes.Clone(text)
	for off := 0; off < len(text); off++ {
		if next := skip(text, off); next > off {
			off = next - 1
		} else if m := starLength.Find(text[off:]); text[off] == '[' && m != nil {
			out[off+bytes.IndexByte(m, '*')] = '1'
		}
	}
	return out
}

var (
	message = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)
	origin  = regexp.MustCompile(` \([a-z_0-9]+\.go:\d+:[^)]*\)$`)
)

// report records cc's messages, one a line, without its own source positions.
// Lines that say TODO or internal error are about cc itself, invalid types
// follow from names that are not defined, what is wrong with the end of the file
// from what was wrong before, and where the parser goes on after an error is
// often in the midst of something: of syntax, the first error is reported.
func (l *loader) report(name string, err error) {
	n := len(l.errs)
	text := err.Error()
	if strings.Contains(text, stopped) || strings.Contains(text, overLimit) {
		if again := l.circular(name); again != nil {
			l.fail(again)
			return
		}
		if at := l.sources[name].omission(); !at.IsZero() {
			l.fail(&ir.UnsupportedError{Span: at, Construct: "?: without a second operand", Hint: "repeat the condition"})
			return
		}
	}
	derived := strings.Contains(text, "undefined: ")
	var atEnd, beyond error
	parsed := true
	for line := range strings.SplitSeq(text, "\n") {
		line = origin.ReplaceAllString(line, "")
		switch {
		case strings.Contains(line, "TODO"):
			if at := l.positioned(name, line).Span; beyond == nil && at.Line > 0 {
				beyond = &ir.UnsupportedError{Span: at, Construct: "type, declaration or expression of this kind"}
			}
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "internal error"),
			derived && strings.Contains(line, "<invalid type>"):
		default:
			e := l.positioned(name, line)
			syntax := strings.HasPrefix(e.Msg, "unexpected ")
			switch {
			case e.Span == l.sources[name].end():
				atEnd = e
			case parsed || !syntax:
				l.fail(e)
			}
			parsed = parsed && !syntax
		}
	}
	switch {
	case len(l.errs) > n:
	case atEnd != nil:
		l.fail(atEnd)
	case beyond != nil:
		l.fail(beyond)
	default:
		l.failf(ir.Span{File: name}, "malformed C")
	}
}

var omitted = regexp.MustCompile(`^\?\s*:`)

// omission is where s has a ?: without a second operand, which cc doesn't stand
// after a constant; zero if it has none.
func (s *source) omission() ir.Span {
	for off := 0; off < len(s.text); off++ {
		if next := skip(s.text, off); next > off {
			off = next - 1
		} else if m := omitted.FindIndex(s.text[off:]); m != nil {
			return s.span(off, off+m[1])
		}
	}
	return ir.Span{}
}

// positioned returns a line of cc's messages about the unit called name.
func (l *loader) positioned(name, line string) *ir.Error {
	if strings.Contains(line, overLimit) {
		return &ir.Error{Span: ir.Span{File: name}, Msg: fmt.Sprintf("more than %d tokens after macro expansion", l.headers.maxTokens())}
	}
	m := message.FindStringSubmatch(line)
	if m == nil {
		return &ir.Error{Span: ir.Span{File: name}, Msg: line}
	}
	at := ir.Span{File: m[1]}
	at.Line, _ = strconv.Atoi(m[2])
	at.Col, _ = strconv.Atoi(m[3])
	switch s := l.sources[at.File]; {
	case at.File == endName:
		return &ir.Error{Span: l.sources[name].end(), Msg: strings.Replace(m[4], "unexpected 'typedef'", "unexpected end of file", 1)}
	case s != nil:
		at.Start = s.offset(at.Line, at.Col)
		at.End = at.Start
	}
	return &ir.Error{Span: at, Msg: m[4]}
}

package main

// From files to programs.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ssa/bmc"
)

// A front reads the source files of one program. It reads a patched source
// the same way.
type front struct {
	files []*ir.File
	parse func(files []*ir.File) (*ir.Program, error)
	hard  *hardPatterns
	spec  *gofront.Program // of Go packages

	// Of Go packages of which all tests are asked for, one by one, there is
	// no program yet.
	packages *gofront.Packages
	tests    []gofront.Test
	lowering gofront.Config
}

// newFront reads the files of o and chooses the front end by their endings.
// observe is told how many functions are read so far, where that takes time.
func newFront(ctx context.Context, o *options, observe func(functions int)) (*front, error) {
	language, err := languageOf(o.files)
	if err != nil {
		return nil, err
	}
	hard, err := parseHard(o.hard)
	if err != nil {
		return nil, err
	}
	if language == ".go" {
		return newGoFront(ctx, o, observe, hard)
	}
	for _, name := range []string{"run", "write-corpus", "write-test"} {
		if o.given[name] && !(name == "run" && language == ".als") {
			return nil, &usageError{fmt.Sprintf("-%s is for Go packages", name)}
		}
	}
	if o.given["len"] && language != ".c" {
		return nil, &usageError{"-len is for Go packages and C"}
	}
	for _, name := range []string{"D", "U", "I", "target", "m32", "malloc-may-fail", "include", "std", "property", "witness", "write-witness"} {
		if o.given[name] && language != ".c" && (name != "I" || language != ".als") {
			return nil, &usageError{fmt.Sprintf("-%s is for C", name)}
		}
	}
	if err := o.applyProperty(); err != nil {
		return nil, err
	}
	f := &front{hard: hard}
	if f.files, err = readFiles(slices.Concat(o.files, o.before)); err != nil {
		return nil, err
	}
	checks, err := parseChecks(o.checks)
	if err != nil {
		return nil, err
	}
	if language == ".als" {
		return f, nil
	}
	if language == ".c" {
		f.files = withHeaders(f.files, o.include)
		cfg := cfront.Config{Entry: o.entry, Hard: hard.function, Checks: checks, Define: o.define, Include: o.include,
			Before: o.before, Errors: o.errors, MallocMayFail: o.mayFail, MaxLen: o.length, Frees: o.frees(), Memory: o.memory, Target: o.target,
			Defer: o.command == "check" || o.command == "repair"}
		f.parse = parseC(ctx, cfg, o.command == "check" || o.command == "repair")
	} else {
		f.parse = func(files []*ir.File) (*ir.Program, error) { return parseText(files[0], o, checks, hard) }
	}
	return f, hard.bind(f.files)
}

// parseC returns what reads C, with room for the runs of what it reads first; then
// always with as much, so that a change of the program changes nothing else. The
// first call must have returned before others begin, which may run at a time.
func parseC(ctx context.Context, cfg cfront.Config, heap bool) func([]*ir.File) (*ir.Program, error) {
	fits := &repeated{ask: func(p *ir.Program) bool { return bmc.Fits(ctx, p) }}
	decides := &repeated{ask: func(p *ir.Program) bool { return bmc.Decides(ctx, p) }}
	return func(files []*ir.File) (*ir.Program, error) {
		cfg := cfg
		cfg.Fits = fits.fromFirst()
		if heap {
			cfg.Decides = decides.fromFirst()
		}
		p, err := cfront.Load(files, cfg)
		fits.end()
		decides.end()
		return p, err
	}
}

// A repeated question gets the answers that it got the first time, in order.
type repeated struct {
	ask     func(p *ir.Program) bool
	answers []bool
	known   bool // answers are all there are, and don't change any more
}

// fromFirst returns what answers from the first question on; then true, should
// there be more of them than there were.
func (r *repeated) fromFirst() func(p *ir.Program) bool {
	if !r.known {
		return func(p *ir.Program) bool {
			r.answers = append(r.answers, r.ask(p))
			return r.answers[len(r.answers)-1]
		}
	}
	next := 0
	return func(*ir.Program) bool {
		next++
		return next > len(r.answers) || r.answers[next-1]
	}
}

// end says that the first time is over.
func (r *repeated) end() {
	if !r.known { // only then is nobody else here
		r.known = true
	}
}

// readFiles reads the files with these names.
func readFiles(names []string) (files []*ir.File, err error) {
	var errs []error
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			errs = append(errs, &ir.Error{Span: ir.Span{File: name}, Msg: reasonOf(err)})
			continue
		}
		files = append(files, &ir.File{Name: name, Content: content})
	}
	return files, errors.Join(errs...)
}

// reasonOf returns what is wrong with a file, without its name.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// languageOf returns the ending, .c, .go, .ir or .als, that says what the
// files are.
func languageOf(files []string) (string, error) {
	language := ""
	seen := make(map[string]bool)
	for _, name := range files {
		ext, err := ending(name)
		if err != nil {
			return "", err
		}
		if seen[filepath.Clean(name)] {
			return "", &ir.Error{Span: ir.Span{File: name}, Msg: "given twice"}
		}
		seen[filepath.Clean(name)] = true
		if language != "" && ext != language {
			return "", &ir.Error{Span: ir.Span{File: name}, Msg: "all files must be of one language"}
		}
		language = ext
	}
	if language == ".ir" && len(files) > 1 {
		return "", &ir.Error{Span: ir.Span{File: files[1]}, Msg: "a program in .ir text is one file"}
	}
	if language == ".als" && len(files) > 1 {
		return "", &ir.Error{Span: ir.Span{File: files[1]}, Msg: "a model is one file"}
	}
	return language, nil
}

func ending(name string) (string, error) {
	at := ir.Span{File: name}
	if info, err := os.Stat(name); err == nil && info.IsDir() || strings.HasSuffix(name, "...") {
		return ".go", nil
	}
	switch ext := filepath.Ext(name); ext {
	case ".c", ".h", ".i":
		return ".c", nil
	case ".ir", ".go", ".als":
		return ext, nil
	}
	if _, err := os.Stat(name); err != nil {
		return "", &ir.Error{Span: at, Msg: reasonOf(err)}
	}
	return "", &ir.UnsupportedError{Span: at, Construct: "a file of this kind", Hint: "its name must end in .c, .go, .ir or .als, or be a Go package"}
}

// parseText reads a program in the library's own text format.
func parseText(f *ir.File, o *options, checks ir.Checks, hard *hardPatterns) (*ir.Program, error) {
	if err := admissible(f); err != nil {
		return nil, err
	}
	src := f.Content
	if o.given["entry"] {
		if !identifier.MatchString(o.entry) {
			return nil, &ir.Error{Span: ir.Span{File: f.Name}, Msg: "no procedure " + o.entry}
		}
		src = append(bytes.Clone(src), "\nentry "+o.entry+"\n"...) // the last one counts
	}
	p, err := ir.Parse(f.Name, src)
	if err != nil {
		for _, e := range split(err) { // not in the line that was added
			if e, ok := e.(*ir.Error); ok && e.Span.Start > len(f.Content) {
				e.Span = ir.Span{File: f.Name}
			}
		}
		return nil, err
	}
	p.Files = []*ir.File{f}
	if o.given["checks"] {
		p.Checks = checks &^ ir.NoChecks
	}
	for _, proc := range p.Procs {
		proc.Hard = hard.function(proc.Name) || proc.Hard
	}
	return p, ir.Check(p)
}

// maxText is how many bytes a program in text format may have.
const maxText = 64 << 20

// admissible returns what keeps f from being parsed.
func admissible(f *ir.File) error {
	if n := len(f.Content); n > maxText {
		return &ir.Error{Span: ir.Span{File: f.Name}, Msg: fmt.Sprintf("file of %d bytes is too large (limit %d)", n, maxText)}
	}
	return nil
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9.]*$`)

var includes = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)`)

// withHeaders adds the files that C sources include by "name", or from dirs, as
// far as they exist: the front end itself reads none.
func withHeaders(files []*ir.File, dirs []string) []*ir.File {
	seen := make(map[string]bool)
	for _, f := range files {
		seen[f.Name] = true
	}
	for i := 0; i < len(files); i++ {
		for _, m := range includes.FindAllSubmatch(files[i].Content, -1) {
			places := dirs
			if len(m[1]) > 0 {
				places = append([]string{filepath.Dir(files[i].Name)}, dirs...)
			}
			for _, dir := range places {
				name := filepath.Join(dir, string(m[1])+string(m[2]))
				content, err := os.ReadFile(name)
				if err == nil && !seen[name] {
					files = append(files, &ir.File{Name: name, Content: content})
				}
				if err == nil {
					seen[name] = true
					break
				}
			}
		}
	}
	return files
}

// hardPatterns say what must not change. Candidates are parsed side by side,
// so several goroutines ask them.
type hardPatterns struct {
	functions []*regexp.Regexp
	lines     []lineRange
	files     []*ir.File

	mu      sync.Mutex // guards matched
	matched map[*regexp.Regexp]bool
}

type lineRange struct {
	file        string
	first, last int
}

var lineSpec = regexp.MustCompile(`^(.+):(\d+)(?:-(\d+))?$`)

// parseHard reads the patterns of -hard.
func parseHard(list string) (*hardPatterns, error) {
	h := &hardPatterns{matched: make(map[*regexp.Regexp]bool)}
	if list == "" {
		return h, nil
	}
	for s := range strings.SplitSeq(list, ",") {
		if m := lineSpec.FindStringSubmatch(s); m != nil {
			first, err := strconv.Atoi(m[2])
			last, err2 := strconv.Atoi(m[3])
			if m[3] == "" {
				last, err2 = first, nil
			}
			if err != nil || err2 != nil || last < first {
				return nil, fmt.Errorf("-hard %s: no range of lines", s)
			}
			h.lines = append(h.lines, lineRange{m[1], first, last})
			continue
		}
		re, err := regexp.Compile(s)
		if err != nil || s == "" {
			return nil, fmt.Errorf("-hard %q: no regular expression (%v)", s, err)
		}
		h.functions = append(h.functions, re)
	}
	return h, nil
}

// function reports whether the function called name must not change.
func (h *hardPatterns) function(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	hard := false
	for _, re := range h.functions {
		if re.MatchString(name) {
			hard = true
			h.matched[re] = true
		}
	}
	return hard
}

// statement reports whether s is on a line that must not change.
func (h *hardPatterns) statement(s ir.Stmt) bool { return h.lineOf(s.Span()) }

// lineOf reports whether at is, in part, on a line that must not change.
func (h *hardPatterns) lineOf(at ir.Span) bool {
	for _, r := range h.lines {
		if r.names(at.File) && at.Line <= r.last && r.first <= h.lastLine(at) {
			return true
		}
	}
	return false
}

// lastLine returns the line on which at ends.
func (h *hardPatterns) lastLine(at ir.Span) int {
	for _, f := range h.files {
		if f.Name == at.File {
			return at.Line + bytes.Count(f.Content[at.Start:at.End], []byte("\n"))
		}
	}
	return at.Line
}

// names reports whether r means the file called name: by that, or by its
// last element.
func (r lineRange) names(name string) bool {
	return r.file == name || r.file == filepath.Base(name)
}

// bind tells h the program's files. It reports a file:line pattern that means
// none of them.
func (h *hardPatterns) bind(files []*ir.File) error {
	h.files = files
next:
	for _, r := range h.lines {
		for _, f := range files {
			if r.names(f.Name) {
				continue next
			}
		}
		return &usageError{fmt.Sprintf("-hard %s:%d: the program has no such file", r.file, r.first)}
	}
	return nil
}

// unmatched returns the function patterns that met no function.
func (h *hardPatterns) unmatched() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, re := range h.functions {
		if !h.matched[re] {
			out = append(out, re.String())
		}
	}
	return out
}

package gofront

// Failing inputs as tests in the package's own form: a row of the table that a
// fuzz target feeds f.Add with, one more call of f.Add beside others, or a test
// function.

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A Run is a failing run of a program.
type Run struct {
	Input func(ir.Choice) uint64
	Reads []ir.Choice // inputs that the run depends on
}

// Regression returns test files with what makes go test do the runs of p, which
// Lower made of ps: files of ps with another text, or new ones. A run with an
// input that ps knows already adds nothing. It is an *ir.UnsupportedError if a
// run depends on more than the arguments of a fuzz target or entry, or if these
// can't be written.
func (ps *Packages) Regression(p *Program, runs []Run) (files []*ir.File, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *ir.UnsupportedError:
			files, err = nil, r
		default:
			panic(r)
		}
	}()
	w := &regression{ps: ps, p: p, edits: map[string][]insertion{}, made: map[string]bool{}}
	for _, r := range runs {
		w.add(r)
	}
	return w.files()
}

// A regression collects what is to be written.
type regression struct {
	ps    *Packages
	p     *Program
	edits map[string][]insertion // by file
	made  map[string]bool        // names of tests, and arguments by target
	fresh []*ir.File
}

// An insertion is a text that comes at an offset.
type insertion struct {
	at   int
	text string
}

func (w *regression) refuse(at ir.Span, what, hint string) {
	panic(&ir.UnsupportedError{Span: at, Construct: "a failing run as a test: " + what, Hint: hint})
}

func (w *regression) add(r Run) {
	s, known := w.p.About(r.Input)
	switch {
	case s == nil || known != "":
		return
	case ir.Concurrent(w.p.Program):
		w.refuse(s.Span, "one of goroutines", "use -replay")
	case !s.Fuzz && (len(w.p.Specs) > 1 || len(s.params) == 0 || isTesting(s.params[0].Type())):
		w.refuse(s.Span, s.Name+" has no arguments", "what fails is a test already")
	}
	for _, c := range r.Reads {
		if c.At != 0 || !slices.ContainsFunc(w.p.Entry.Params, func(v *ir.Var) bool { return v.ID == c.Var }) {
			w.refuse(s.Span, "it depends on more than the arguments of "+s.Name, "")
		}
	}
	if s.Fuzz {
		w.fuzz(s, r)
		return
	}
	w.entry(s, r)
}

// declaration returns the declaration whose name is at, its package and file.
func (w *regression) declaration(at ir.Span) (*pkg, *ast.File, *ast.FuncDecl) {
	for _, p := range w.ps.roots {
		for _, f := range p.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && w.ps.spanOf(p, d.Name.Pos(), d.Name.End()) == at {
					return p, f, d
				}
			}
		}
	}
	w.refuse(at, "it starts outside of the packages", "")
	return nil, nil, nil
}

// literal is the value of one argument in the file f; typed says that its place
// gives it its type.
func (w *regression) literal(s *Spec, r Run, p *pkg, f *ast.File, a *Arg, typed bool) string {
	l := &literals{pkg: p.types, vars: map[string]*ir.Var{}, input: r.Input, typed: typed}
	for _, v := range a.vars {
		l.vars[v.Name] = v
	}
	text := l.of(a.Name, a.Type)
	if l.bad != "" {
		w.refuse(s.Span, l.bad, "write it by hand")
	}
	if l.math && !imports(f, "math") {
		w.insert(p, f.Name.End(), "\n\nimport \"math\"")
	}
	return text
}

// imports reports whether f imports path under its own name.
func imports(f *ast.File, path string) bool {
	return slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"`+path+`"` && s.Name == nil })
}

// insert notes an insertion, once.
func (w *regression) insert(p *pkg, at token.Pos, text string) {
	s := w.ps.spanOf(p, at, at)
	if e := (insertion{s.Start, text}); !slices.Contains(w.edits[s.File], e) {
		w.edits[s.File] = append(w.edits[s.File], e)
	}
}

// unused returns a name for a test that the packages don't have.
func (w *regression) unused(name string) string {
	for i := 1; ; i++ {
		n := name
		if i > 1 {
			n += fmt.Sprint(i)
		}
		if w.made[n] || slices.ContainsFunc(w.ps.roots, func(p *pkg) bool { return p.types.Scope().Lookup(n) != nil }) {
			continue
		}
		w.made[n] = true
		return n
	}
}

// fuzz adds an input of a fuzz target.
func (w *regression) fuzz(s *Spec, r Run) {
	p, f, d := w.declaration(s.Span)
	t := &fuzzTarget{ps: w.ps, p: p, decl: d}
	t.read()
	var args []string
	for i := range s.Args {
		args = append(args, w.literal(s, r, p, f, &s.Args[i], t.table != nil))
	}
	if key := s.Name + "(" + strings.Join(args, ", ") + ")"; w.made[key] {
		return
	} else {
		w.made[key] = true
	}
	switch {
	case t.lit == nil && t.call == nil:
		w.refuse(s.Span, "its fuzz function is not in "+s.Name, "use -write-corpus")
	case t.table != nil:
		w.row(t, args)
	case t.seed != nil:
		w.insert(p, t.seed.End(), "\n"+t.f+".Add("+strings.Join(args, ", ")+")")
	case t.lit == nil || t.captures():
		w.insert(p, t.call.Pos(), t.f+".Add("+strings.Join(args, ", ")+")\n")
	default:
		w.insert(p, d.End(), w.test(s, t, args))
	}
}

// test is a test function that does what the fuzz target does with args.
func (w *regression) test(s *Spec, t *fuzzTarget, args []string) string {
	var b strings.Builder
	params, used := t.parameters(), t.used()
	name := w.unused("Test" + strings.TrimPrefix(s.Name, "Fuzz") + "Regression")
	fmt.Fprintf(&b, "\n\nfunc %s(%s %s) {\n", name, params[0], types.TypeString(types.NewPointer(t.testing()), (*types.Package).Name))
	for i, a := range args {
		if used[params[i+1]] {
			fmt.Fprintf(&b, "%s := %s\n", params[i+1], a)
		}
	}
	at := w.ps.spanOf(t.p, t.lit.Body.Lbrace+1, t.lit.Body.Rbrace)
	text := t.p.sources[at.File].file.Content[at.Start:at.End]
	b.WriteString(strings.TrimRight(strings.TrimLeft(string(text), "\n"), " \t\n"))
	b.WriteString("\n}")
	return b.String()
}

// row adds a row to the table of a target.
func (w *regression) row(t *fuzzTarget, args []string) {
	text := t.row(args)
	n := len(t.table.Elts)
	switch {
	case n == 0:
		w.insert(t.p, t.table.Lbrace+1, text)
	case w.ps.fset.Position(t.table.Elts[n-1].End()).Line == w.ps.fset.Position(t.table.Rbrace).Line:
		w.insert(t.p, t.table.Elts[n-1].End(), ", "+text)
	default: // after a comment on the line
		file := w.ps.fset.File(t.table.Pos())
		line := file.Line(t.table.Elts[n-1].End())
		w.insert(t.p, file.LineStart(line+1)-1, "\n"+text+",")
	}
}

// entry adds a test that calls a function, which fails by a panic.
func (w *regression) entry(s *Spec, r Run) {
	p, f, d := w.declaration(s.Span)
	sig := p.info.Defs[d.Name].(*types.Func).Signature()
	var args []string
	for i, v := range s.params {
		args = append(args, w.literal(s, r, p, f, &Arg{Name: s.names[i], Type: v.Type(), vars: w.p.Entry.Params}, true))
	}
	call := s.Name + "("
	if sig.Recv() != nil {
		call = fmt.Sprintf("receiver := %s\nreceiver.%s(", args[0], s.Name)
		args = args[1:]
	}
	spread := ""
	if sig.Variadic() {
		spread = "..."
	}
	key := call + strings.Join(args, ", ") + spread + ")"
	if w.made[key] {
		return
	}
	w.made[key] = true
	name := strings.ToUpper(s.Name[:1]) + s.Name[1:]
	if sig.Recv() != nil {
		name = recvName(sig.Recv().Type()) + name
	}
	text := fmt.Sprintf("func %s(t *testing.T) {\n%s\n}\n", w.unused("Test"+strings.ToUpper(name[:1])+name[1:]+"Regression"), key)
	w.beside(s, p, f, text)
}

// beside adds text to the test file of the source file f, which may be new.
func (w *regression) beside(s *Spec, p *pkg, f *ast.File, text string) {
	shown := p.names[w.ps.fset.Position(f.Pos()).Filename]
	if strings.HasSuffix(shown, "_test.go") {
		w.insert(p, f.FileEnd, "\n"+text)
		return
	}
	base := strings.TrimSuffix(shown, ".go")
	for _, ending := range []string{"_test.go", "_regression_test.go"} {
		name := base + ending
		for _, g := range p.files {
			if p.names[w.ps.fset.Position(g.Pos()).Filename] == name && imports(g, "testing") {
				w.insert(p, g.FileEnd, "\n"+text)
				return
			}
		}
		if i := slices.IndexFunc(w.fresh, func(f *ir.File) bool { return f.Name == name }); i >= 0 {
			w.fresh[i].Content = append(w.fresh[i].Content, "\n"+text...)
			return
		}
		if _, err := os.Stat(filepath.Join(s.Dir, filepath.Base(name))); err != nil {
			w.fresh = append(w.fresh, &ir.File{Name: name, Content: []byte("package " + f.Name.Name + "\n\nimport \"testing\"\n\n" + text)})
			return
		}
	}
	w.refuse(s.Span, "the test files beside it are of another package", "make one")
}

// files returns the files with what was inserted.
func (w *regression) files() ([]*ir.File, error) {
	out := w.fresh
	for _, f := range w.fresh {
		f.Content = formatted(nil, f.Content)
	}
	for _, p := range w.ps.roots {
		for _, shown := range sortedNames(p) {
			edits := w.edits[shown]
			if edits == nil {
				continue
			}
			delete(w.edits, shown) // a file may be in two packages
			old := p.sources[shown].file.Content
			out = append(out, &ir.File{Name: shown, Content: formatted(old, inserted(old, edits))})
		}
	}
	return out, nil
}

func sortedNames(p *pkg) []string {
	var names []string
	for n := range p.sources {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// inserted is text with the insertions; of two at one offset the first one
// comes first.
func inserted(text []byte, edits []insertion) []byte {
	slices.SortStableFunc(edits, func(a, b insertion) int { return a.at - b.at })
	var out []byte
	from := 0
	for _, e := range edits {
		out = append(append(out, text[from:e.at]...), e.text...)
		from = e.at
	}
	return append(out, text[from:]...)
}

// formatted is text as gofmt has it, if the old text was so.
func formatted(old, text []byte) []byte {
	if same, err := format.Source(old); old != nil && (err != nil || !bytes.Equal(same, old)) {
		return text
	}
	if nice, err := format.Source(text); err == nil {
		return nice
	}
	return text
}

package gofront

// Tests: which of them run, subtests, and what t.Skip means.

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-amend/amend/ir"
)

// A pattern selects tests as the flag -run of go test does: a regular
// expression for the name, and after each slash one for the next level of
// subtests.
type pattern []*regexp.Regexp

// compilePattern reads a pattern. Slashes inside brackets belong to the
// expression.
func compilePattern(text string) (pattern, error) {
	var p pattern
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			switch text[i] {
			case '\\':
				i++
			case '[', '(':
				depth++
			case ']', ')':
				depth--
			}
			if text[i:] != "" && (text[i] != '/' || depth > 0) {
				continue
			}
		}
		re, err := regexp.Compile(rewritten(text[from:i]))
		if err != nil {
			return nil, &ir.Error{Msg: "pattern of tests: " + err.Error()}
		}
		p = append(p, re)
		from = i + 1
	}
	return p, nil
}

// rewritten is a subtest's name as go test has it.
func rewritten(name string) string { return strings.ReplaceAll(name, " ", "_") }

// selects reports whether the test called name at this level runs. Below the
// last level all do.
func (p pattern) selects(level int, name string) bool {
	return level >= len(p) || p[level].MatchString(rewritten(name))
}

func (ps *Packages) targets(cfg Config) ([]target, error) {
	if cfg.Run == "" {
		name := cfg.Entry
		if name == "" {
			name = "main"
		}
		return ps.function(name)
	}
	re, err := compilePattern(cfg.Run)
	if err != nil {
		return nil, err
	}
	var out []target
	for _, p := range ps.roots {
		if cfg.Package != "" && p.path != cfg.Package {
			continue
		}
		for _, f := range p.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && p.isSpec(d) && re.selects(0, d.Name.Name) {
					out = append(out, target{p, d})
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, &ir.Error{Msg: "no test or fuzz target matches " + cfg.Run}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].p.path < out[j].p.path })
	return out, nil
}

// A Test is what Config.Run can select: a test, a fuzz target, or a function
// without parameters that calls spec.Assert.
type Test struct {
	Name    string
	Package string  // its import path, as the go command has it for tests
	Span    ir.Span // of the name in its declaration
}

// Tests returns all tests, in the order of the packages' text.
func (ps *Packages) Tests() []Test {
	var out []Test
	for _, p := range ps.roots {
		for _, f := range p.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && p.isSpec(d) {
					out = append(out, Test{d.Name.Name, p.path, ps.spanOf(p, d.Name.Pos(), d.Name.End())})
				}
			}
		}
	}
	return out
}

// isSpec reports whether d is a test, a fuzz target, or a function without
// parameters that says itself, with package spec, what is to hold.
func (p *pkg) isSpec(d *ast.FuncDecl) bool {
	if isTest(d) {
		return true
	}
	if d.Recv != nil || d.Type.Params.NumFields() > 0 || d.Type.TypeParams != nil || d.Body == nil {
		return false
	}
	found := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			f, ok := p.info.Uses[id].(*types.Func)
			found = found || ok && f.FullName() == specPath+".Assert"
		}
		return !found
	})
	return found
}

const specPath = "github.com/go-amend/amend/ir/spec"

// isTest reports whether d is a test or fuzz target.
func isTest(d *ast.FuncDecl) bool {
	if d.Recv != nil || d.Type.Params.NumFields() != 1 || d.Type.TypeParams != nil {
		return false
	}
	kind := ""
	for _, k := range []string{"Test", "Fuzz"} {
		if rest, ok := strings.CutPrefix(d.Name.Name, k); ok {
			if c, _ := utf8.DecodeRuneInString(rest); !unicode.IsLower(c) {
				kind = k
			}
		}
	}
	star, ok := d.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok || kind == "" {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "T" && kind == "Test" || sel.Sel.Name == "F" && kind == "Fuzz")
}

// runTargets calls one of the targets: if there are several, the input test
// says which.
func (b *body) runTargets(targets []target) []Spec {
	if len(targets) == 1 {
		return []Spec{b.runTarget(targets[0])}
	}
	which := &ir.Var{Name: "test", Kind: ir.Param, Selects: true, Type: ir.Int{Width: bits.Len(uint(len(targets)))}}
	b.proc.Params = append(b.proc.Params, which)
	var specs []Spec
	for k, t := range targets {
		run := b.Block(func() { specs = append(specs, b.runTarget(t)) })
		b.branch(&ir.Binary{Op: ir.Eq, X: use(which), Y: num(which.Type, int64(k)+1)}, run, nil)
	}
	return specs
}

// subtest lowers t.Run(name, f).
func (b *body) subtest(e *ast.CallExpr) []value {
	f := b.functionOf(e.Args[1])
	if f == nil {
		return b.failedCall(e)
	}
	params, _, _ := f.signature()
	b.sideEffects(e.Args[0])
	passed := []value{b.scalarValue(types.Typ[types.Bool], truth(true))}
	level := b.inst.fn.level + 1
	if v := b.p.info.Types[e.Args[0]].Value; v != nil && !b.run.selects(level, constant.StringVal(v)) {
		return passed
	}
	g := *f
	g.key, g.subtest, g.level = f.key+"|subtest", true, level
	b.lowerer.subtests = true
	b.callFunction(e, &g, []value{b.zero(params[0].Type())})
	return passed
}

// skip lowers t.Skip: an assumption, since a run is about one test. But in a
// subtest it ends that one only.
func (b *body) skip(e *ast.CallExpr) {
	switch f := b.inst.fn; {
	case f.subtest:
		b.finishTest()
		return
	case f.top && len(b.defers) > 0: // they run
		b.finishTest()
		return
	case !f.top || f.body != nil:
		b.lowerer.skips = append(b.skips, skipping{b.span(e), b.inst, !f.top})
	}
	b.assume(e, truth(false))
}

// exit lowers os.Exit: it ends a program, and fails in a test.
func (b *body) exit(e *ast.CallExpr) {
	for _, a := range e.Args {
		b.printed(a)
	}
	if b.run != nil {
		b.violate(e)
		return
	}
	b.assume(e, truth(false))
}

// parallel lowers t.Parallel. A subtest that calls it goes on when the test
// around it has returned; here it runs at once, which is the same if they
// share nothing that changes.
func (b *body) parallel(e *ast.CallExpr) {
	f := b.inst.fn
	switch {
	case f.subtest && f.body == nil:
		if v := b.sharedVar(f); v != "" {
			b.unsupported(e, "Parallel in a subtest that shares the variable "+v, "declare it in the subtest, or leave Parallel out")
		}
	case !f.top || f.body != nil:
		b.unsupported(e, "Parallel in a function that tests call", "call it in the test itself")
	}
}

// sharedVar returns the name of a variable from outside that the subtest f, or
// what it calls, uses and that may change, or through which something may; ""
// if there is none.
func (b *body) sharedVar(f *function) string {
	n := ast.Node(f.decl)
	if f.lit != nil {
		n = f.lit
	}
	var found *types.Var
	ast.Inspect(n, func(m ast.Node) bool {
		if id, ok := m.(*ast.Ident); ok && found == nil {
			v, ok := b.p.info.Uses[id].(*types.Var)
			if ok && !v.IsField() && v.Pkg() == b.p.types && (v.Pos() < n.Pos() || v.Pos() >= n.End()) && !(sharing{b.p, n}).steady(v) {
				found = v
			}
		}
		return found == nil
	})
	if found != nil {
		return found.Name()
	}
	w := &toucher{l: b.lowerer, touches: map[string]bool{}, seen: map[*ast.FuncDecl]bool{}}
	w.walk(b.p, n)
	if len(w.touches) == 0 {
		return ""
	}
	return slices.Min(slices.Collect(maps.Keys(w.touches)))
}

// A skipping is a call of t.Skip outside of a test's own statements.
type skipping struct {
	at     ir.Span
	in     *instance
	helper bool
}

// checkSkips refuses calls of t.Skip that may be meant to end a subtest only,
// or that let deferred calls run.
func (l *lowerer) checkSkips() {
	for _, s := range l.skips {
		switch {
		case s.helper && l.subtests:
			l.fail(&ir.UnsupportedError{Span: s.at, Construct: "Skip in a function that subtests may call", Hint: "call it in the subtest itself"})
		case deferring(s.in, map[*instance]bool{}):
			l.fail(&ir.UnsupportedError{Span: s.at, Construct: "Skip in a function, with deferred calls", Hint: "call it in the test itself"})
		}
	}
}

// deferring reports whether i or one of its callers defers calls.
func deferring(i *instance, seen map[*instance]bool) bool {
	if i == nil || seen[i] {
		return false
	}
	seen[i] = true
	if i.body != nil && len(i.body.defers) > 0 {
		return true
	}
	for _, c := range i.callers {
		if deferring(c.from, seen) {
			return true
		}
	}
	return false
}

package mutate_test

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// A language that this module doesn't have: all that is written of it is what
// its Syntax says.

// pascal is the syntax of Pascal, without the type of numbers.
type pascal struct{ ir.BaseSyntax }

var pascalOps = map[ir.Op]struct {
	name string
	prec int
}{
	ir.Eq: {"=", 1}, ir.Ne: {"<>", 1}, ir.Lt: {"<", 1}, ir.Le: {"<=", 1}, ir.Gt: {">", 1}, ir.Ge: {">=", 1},
	ir.Add: {"+", 2}, ir.Sub: {"-", 2}, ir.LOr: {"or", 2},
	ir.Mul: {"*", 3}, ir.Div: {"div", 3}, ir.Rem: {"mod", 3}, ir.LAnd: {"and", 3},
}

func (p pascal) Notation(e ir.Expr, was string) ir.Notation {
	n := p.BaseSyntax.Notation(e, was)
	switch e := e.(type) {
	case *ir.Const:
		if _, number := e.Typ.(ir.Int); number {
			return ir.Number(ir.FormatValue(e.Typ, e.Val))
		}
	case *ir.Unary:
		if e.Op == ir.Not {
			n.Text[0] = "not "
		}
	case *ir.Binary:
		o, ok := pascalOps[e.Op]
		if !ok || e.Form != ir.Infix {
			return ir.Notation{}
		}
		return ir.Operator(o.name, o.prec)
	case *ir.Cond:
		return ir.Notation{}
	}
	return n
}

func (pascal) Words() ir.Words {
	return ir.Words{
		Assign: " := ", End: ";", Between: " ", If: [2]string{"if ", " then "}, Open: "begin ", Close: " end;", Bare: true, Empty: ";",
	}
}

// A pascalProgram is a procedure main with two parameters, made by hand.
type pascalProgram struct {
	*ir.Program
	x, y, z *ir.Var
}

func newPascal(text string) *pascalProgram {
	p := &pascalProgram{Program: &ir.Program{Syntax: pascal{}, Files: []*ir.File{{Name: "main.pas", Content: []byte(text)}}}}
	t := ir.Int{Width: 8, Signed: true}
	p.x, p.y, p.z = &ir.Var{Name: "x", Type: t, Kind: ir.Param}, &ir.Var{Name: "y", Type: t, Kind: ir.Param}, &ir.Var{Name: "z", Type: t}
	for _, v := range []*ir.Var{p.x, p.y, p.z} {
		v.Span = p.span(v.Name)
	}
	p.Globals = []*ir.Var{p.z}
	p.Entry = &ir.Proc{Name: "main", Params: []*ir.Var{p.x, p.y}, Span: p.span("main")}
	p.Procs = []*ir.Proc{p.Entry}
	return p
}

// span returns where text stands for the first time after what is marked
// before it with |.
func (p *pascalProgram) span(text string) ir.Span {
	before, text, _ := strings.Cut("|"+text, "|")
	if b, after, ok := strings.Cut(text, "|"); ok {
		before, text = b, after
	}
	content := string(p.Files[0].Content)
	at := strings.Index(content, before) + len(before)
	at += strings.Index(content[at:], text)
	line := strings.Count(content[:at], "\n")
	return ir.Span{File: "main.pas", Start: at, End: at + len(text), Line: line + 1, Col: at - strings.LastIndexByte(content[:at], '\n')}
}

func (p *pascalProgram) use(v *ir.Var, at string) ir.Expr {
	return &ir.Use{ExprInfo: ir.ExprInfo{Pos: p.span(at)}, Var: v}
}

// set is the statement z := e, whose text is at.
func (p *pascalProgram) set(e ir.Expr, at string) ir.Stmt {
	s := p.span(at)
	return &ir.Assign{StmtInfo: ir.StmtInfo{Pos: s, Whole: s}, LHS: &ir.Use{Var: p.z}, RHS: e}
}

// repairs returns the texts of the repairs of p, whose z must be at least x and
// y at the end.
func (p *pascalProgram) repairs(t *testing.T, ops []*mutate.Operator, body ...ir.Stmt) (texts []string) {
	t.Helper()
	least := func(v *ir.Var) ir.Stmt {
		return &ir.Assert{Cond: &ir.Binary{Op: ir.Ge, X: &ir.Use{Var: p.z}, Y: &ir.Use{Var: v}}}
	}
	p.Entry.Body = &ir.Block{StmtInfo: ir.StmtInfo{Pos: p.span("begin")}, List: append(body, least(p.x), least(p.y))}
	ir.MarkSites(p.Program)
	p.Number()
	if err := ir.Check(p.Program); err != nil {
		t.Fatal(err)
	}
	for r, err := range mutate.Repairs(t.Context(), p.Program, mutate.Config{Operators: ops, MaxSize: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		files, err := r.Patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(files[0].Content))
	}
	return texts
}

func wantText(t *testing.T, got []string, want string) {
	t.Helper()
	if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, want) }) {
		t.Errorf("no repair has %q:\n%s", want, strings.Join(got, "\n"))
	}
}

func TestOtherLanguageOperators(t *testing.T) {
	p := newPascal("var z: shortint;\nprocedure main(x, y: shortint);\nbegin\n  z := x;\n  if (x >= y) and (x < 127) then z := y;\nend;")
	above := &ir.Binary{ExprInfo: ir.ExprInfo{Pos: p.span("if (|x >= y")}, Op: ir.Ge, X: p.use(p.x, "if (|x"), Y: p.use(p.y, ">= |y")}
	top := &ir.Const{ExprInfo: ir.ExprInfo{Pos: p.span("127")}, Typ: p.x.Type, Val: 127}
	limit := &ir.Binary{ExprInfo: ir.ExprInfo{Pos: p.span("x < 127")}, Op: ir.Lt, X: p.use(p.x, "and (|x"), Y: top}
	both := &ir.Binary{ExprInfo: ir.ExprInfo{Pos: p.span("(x >= y) and (x < 127)")}, Op: ir.LAnd, X: above, Y: limit}
	branch := &ir.If{
		StmtInfo: ir.StmtInfo{Pos: p.span("if |(x >= y) and (x < 127)"), Whole: p.span("if (x >= y) and (x < 127) then z := y;")}, Cond: both,
		Then: &ir.Block{List: []ir.Stmt{p.set(p.use(p.y, "then z := |y"), "then |z := y;")}},
	}
	got := p.repairs(t, scheme.Level2(), p.set(p.use(p.x, ":= |x"), "z := x;"), branch)
	wantText(t, got, "if (x <= y) and (x < 127) then z := y;")

	sum := &ir.Binary{Op: ir.Add, X: &ir.Use{Var: p.x}, Y: &ir.Const{Typ: p.x.Type, Val: 0xff}}
	for e, want := range map[ir.Expr]string{
		&ir.Binary{Op: ir.LAnd, X: above, Y: &ir.Unary{Op: ir.Not, X: limit}}:                         "(x >= y) and not (x < 127)",
		&ir.Binary{Op: ir.Ne, X: &ir.Use{Var: p.y}, Y: sum}:                                           "y <> x + (-1)",
		&ir.Binary{Op: ir.Div, X: &ir.Use{Var: p.y}, Y: sum}:                                          "y div (x + (-1))",
		&ir.Binary{Op: ir.Le, X: &ir.Binary{Op: ir.Mul, X: sum, Y: sum}, Y: &ir.Const{Typ: p.x.Type}}: "(x + (-1)) * (x + (-1)) <= 0",
	} {
		if got := p.Source(e); got != want {
			t.Errorf("Source is %q, want %q", got, want)
		}
	}
}

func TestOtherLanguageStatements(t *testing.T) {
	p := newPascal("var z: shortint;\nprocedure main(x, y: shortint);\nbegin\n  z := x;\n  z := y;\nend;")
	got := p.repairs(t, scheme.Statements(), p.set(p.use(p.x, ":= |x"), "z := x;"), p.set(p.use(p.y, ":= |y"), "z := y;"))
	wantText(t, got, "\n  if z < y then begin z := y; end;")

	p = newPascal("var z: shortint;\nprocedure main(x, y: shortint);\nbegin\n  if x < y then\n    z := y;\nend;")
	cond := &ir.Binary{ExprInfo: ir.ExprInfo{Pos: p.span("x < y")}, Op: ir.Lt, X: p.use(p.x, "if |x"), Y: p.use(p.y, "< |y")}
	got = p.repairs(t, scheme.Statements(), &ir.If{
		StmtInfo: ir.StmtInfo{Pos: cond.Pos, Whole: p.span("if x < y then\n    z := y;")}, Cond: cond,
		Then: &ir.Block{List: []ir.Stmt{p.set(p.use(p.y, ":= |y"), "z := y;")}},
	})
	wantText(t, got, "\n  z := x; if x < y then\n    z := y;")
}

// What a language can't write is no repair.
func TestOtherLanguageUnwritten(t *testing.T) {
	p := newPascal("var z: shortint;\nprocedure main(x, y: shortint);\nbegin\n  z := x;\nend;")
	old := p.use(p.x, ":= |x")
	larger := &mutate.Operator{Name: "larger", Apply: func(mutate.Site) iter.Seq[mutate.Alternative] {
		return func(yield func(mutate.Alternative) bool) {
			more := &ir.Binary{Op: ir.Gt, X: &ir.Use{Var: p.x}, Y: &ir.Use{Var: p.y}}
			yield(mutate.Alternative{Expr: &ir.Cond{C: more, X: &ir.Use{Var: p.x}, Y: &ir.Use{Var: p.y}}})
		}
	}}
	if got := p.repairs(t, []*mutate.Operator{larger}, p.set(old, "z := x;")); len(got) > 0 {
		t.Errorf("repairs are written: %q", got)
	}
	_, err := p.Edits(ir.Changes{p.Sites()[0].ID: func(ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Shl, X: old, Y: old} }})
	if e := (*ir.Error)(nil); !errors.As(err, &e) {
		t.Errorf("Edits returns %v, want an *ir.Error", err)
	}
}

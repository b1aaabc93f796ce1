package ir_test

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
)

// byHand returns a program with the statements that make returns, for the
// locals x of 8 bits and a, an array.
func byHand(make func(x, a *ir.Var) []ir.Stmt) *ir.Program {
	x := &ir.Var{Name: "x", Type: u8, Kind: ir.Local}
	a := &ir.Var{Name: "a", Type: ir.Array{Elem: u8, Len: 2}, Kind: ir.Local}
	main := &ir.Proc{Name: "main", Locals: []*ir.Var{x, a}}
	main.Body = &ir.Block{List: make(x, a)}
	p := &ir.Program{Procs: []*ir.Proc{main}, Entry: main}
	return p
}

var u8 = ir.Int{Width: 8}

func constant(n uint64) ir.Expr { return &ir.Const{Val: n, Typ: u8} }

// TestCheckStandsAll gives Check what no front end makes: each is an error
// and no panic.
func TestCheckStandsAll(t *testing.T) {
	set := func(v *ir.Var, e ir.Expr) []ir.Stmt { return []ir.Stmt{&ir.Assign{LHS: &ir.Use{Var: v}, RHS: e}} }
	expr := func(make func(x, a *ir.Var) ir.Expr) *ir.Program {
		return byHand(func(x, a *ir.Var) []ir.Stmt { return set(x, make(x, a)) })
	}
	stmt := func(s ...ir.Stmt) *ir.Program { return byHand(func(x, a *ir.Var) []ir.Stmt { return s }) }
	changed := func(change func(p *ir.Program)) *ir.Program { p := stmt(); change(p); return p }
	deep := func(x, _ *ir.Var) ir.Expr {
		e := constant(1)
		for range 10 * ir.MaxDepth {
			e = &ir.Unary{Op: ir.Neg, X: e}
		}
		return e
	}
	typeless := &ir.Var{Name: "t", Kind: ir.Local}
	for _, c := range []struct {
		want string
		p    *ir.Program
	}{
		{"a statement is missing", stmt(nil)},
		{"a statement is missing", stmt((*ir.If)(nil))},
		{"a part of *ir.Assign is missing", expr(func(x, _ *ir.Var) ir.Expr { return nil })},
		{"an expression is missing", expr(func(x, _ *ir.Var) ir.Expr { return (*ir.Use)(nil) })},
		{"an expression is missing", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Binary{Op: ir.Add, X: constant(1)} })},
		{"a part of *ir.Assert is missing", stmt(&ir.Assert{})},
		{"a part of *ir.Assume is missing", stmt(&ir.Assume{})},
		{"a part of *ir.If is missing", stmt(&ir.If{})},
		{"a part of *ir.Call is missing", stmt(&ir.Call{})},
		{"a part of *ir.Spawn is missing", stmt(&ir.Spawn{})},
		{"a part of *ir.Lock is missing", stmt(&ir.Lock{})},
		{"a part of *ir.Wait is missing", stmt(&ir.Wait{})},
		{"a part of *ir.Alloc is missing", stmt(&ir.Alloc{})},
		{"a part of *ir.Return is missing", stmt(&ir.Return{Values: []ir.Expr{nil}})},
		{"loop without a block", stmt(&ir.Loop{})},
		{"expected an integer", expr(func(_, a *ir.Var) ir.Expr { return &ir.Binary{Op: ir.Eq, X: &ir.Use{Var: a}, Y: &ir.Use{Var: a}} })},
		{"conversion of [2]u8", expr(func(_, a *ir.Var) ir.Expr { return &ir.Convert{To: u8, X: &ir.Use{Var: a}} })},
		{"index into u8", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Index{X: &ir.Use{Var: x}, I: constant(0)} })},
		{"no binary operator", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Binary{X: constant(1), Y: constant(2)} })},
		{"no unary operator", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Unary{X: constant(1)} })},
		{"a type is missing", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Const{} })},
		{"width 99", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Const{Typ: ir.Int{Width: 99}} })},
		{"width 0", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Convert{To: ir.Int{}, X: constant(1)} })},
		{"a variable, or its type, is missing", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Use{} })},
		{"a variable, or its type, is missing", expr(func(x, _ *ir.Var) ir.Expr { return &ir.Use{Var: typeless} })},
		{"nested deeper than", expr(deep)},
		{"procedure main without a body", changed(func(p *ir.Program) { p.Entry.Body = nil })},
		{"a procedure is missing", changed(func(p *ir.Program) { p.Procs = append(p.Procs, nil) })},
		{"not among the procedures", changed(func(p *ir.Program) { p.Entry = nil })},
		{"not among the procedures", &ir.Program{}},
		{"no program", nil},
	} {
		func() {
			defer func() { recover() }() // Number need not stand what Check does
			c.p.Number()
		}()
		if err := ir.Check(c.p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestCheckCycle gives a block and an expression that are inside themselves.
func TestCheckCycle(t *testing.T) {
	b := &ir.Block{}
	b.List = []ir.Stmt{b}
	p := byHand(func(x, a *ir.Var) []ir.Stmt { return []ir.Stmt{b} })
	for i, v := range p.Vars() {
		v.ID = ir.VarID(i + 1)
	}
	if err := ir.Check(p); err == nil || err.Error() != "a block stands in two places" {
		t.Errorf("got %v", err)
	}
	e := &ir.Unary{Op: ir.Neg}
	e.X = e
	if err := ir.CheckExpr(e, nil, nil); err == nil || err.Error() != "an expression is nested in itself" {
		t.Errorf("got %v", err)
	}
}

// TestCheckScalars counts the scalars of all variables together.
func TestCheckScalars(t *testing.T) {
	for src, ok := range map[string]bool{
		"var x [1048576][1048576]u8":                         false,
		"var x [2097152][2097152][2097152][2097152]u8":       false,
		"var x [16777216]bool":                               true,
		"var x [16777216]bool\nvar y u8":                     false,
		"var x [4096][4096]u8":                               true,
		"var x [4096][4095]u8\nvar y [2048]u8\nvar z [2049]": false,
	} {
		src = strings.Replace(src, "z [2049]", "z [2049]u8", 1)
		_, err := ir.Parse("x.ir", []byte(src+"\nproc main() {\nassert true\n}\nentry main\n"))
		if ok != (err == nil) || !ok && !strings.Contains(err.Error(), "more than 16777216 scalars in all") {
			t.Errorf("%q: %v", src, err)
		}
	}
}

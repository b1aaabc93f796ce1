package ir_test

import (
	"fmt"
	"testing"

	"github.com/go-amend/amend/ir"
)

// TestMarkSites takes all sites from a program and wants them back.
func TestMarkSites(t *testing.T) {
	const text = `
var n i8
mutex m
proc twice(x i8) (r i8) { r = x * 2 }
hard proc library(x i8) (r i8) { r = x + 1 }
proc worker() {
	lock m
	n = n + 1
	unlock m
}
proc main(x i8, a [2][3]u8) {
	var t i32 = spawn worker()
	var y i8
	havoc y
	assume x > y
	if x < 3 && !(y == 2) { y = twice(x - 1) } else { y = library(3) }
	while y < 10 { y = y > 5 ? 10 : i8(a[x & 1][0]) }
	a[1][x % 2] = 3
	atomic when n > 0 { n = -n }
	join t
	assert y != x
}`
	p, err := ir.Parse("mark.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want, sites := p.String(), len(p.Sites())
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) { *e = bare(*e) })
	})
	p.Number()
	if p.String() == want || len(p.Sites()) != 0 {
		t.Fatalf("nothing was taken away:\n%s", p)
	}
	ir.MarkSites(p)
	if got := p.String(); got != want || len(p.Sites()) != sites {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	ir.MarkSites(p)
	if got := p.String(); got != want {
		t.Errorf("marked twice:\n%s", got)
	}
}

// bare returns a copy of e that is no site.
func bare(e ir.Expr) ir.Expr { return ir.Unsited(e) }

// A program is built by hand from values; MarkSites says what repairs may
// change in it.
func ExampleMarkSites() {
	u8 := ir.Int{Width: 8}
	x := &ir.Var{Name: "x", Type: u8, Kind: ir.Param}
	y := &ir.Var{Name: "y", Type: u8, Kind: ir.Local}
	use := func(v *ir.Var) ir.Expr { return &ir.Use{Var: v} }
	num := func(n uint64) ir.Expr { return &ir.Const{Typ: u8, Val: n} }
	main := &ir.Proc{Name: "main", Params: []*ir.Var{x}, Locals: []*ir.Var{y}, Body: &ir.Block{List: []ir.Stmt{
		&ir.Assign{LHS: use(y), RHS: &ir.Binary{Op: ir.Add, X: use(x), Y: num(1)}},
		&ir.Assert{Cond: &ir.Binary{Op: ir.Gt, X: use(y), Y: use(x)}},
	}}}
	p := &ir.Program{Procs: []*ir.Proc{main}, Entry: main}
	ir.MarkSites(p)
	fmt.Println(ir.Check(p))
	fmt.Print(p)
	for _, s := range p.Sites() {
		fmt.Println(s.ID, ir.FormatExpr(*s.Occurrences[0]))
	}
	// Output:
	// <nil>
	//
	// proc main(x u8) {
	// 	var y u8
	// 	y = x + u8(1)
	// 	assert y > x
	// }
	// 1 x + 1
	// 2 x
	// 3 1
}

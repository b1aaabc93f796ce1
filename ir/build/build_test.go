package build_test

import (
	"fmt"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/build"
)

var number = ir.Int{Width: 8}

// a[i] = x, for a language that computes i first and checks it by itself.
func Example() {
	main := &ir.Proc{Name: "main"}
	b := &build.Body{Locations: new(build.Counter), Local: func(v *ir.Var) { main.Locals = append(main.Locals, v) }}
	a := &ir.Var{Name: "a", Type: ir.Array{Len: 4, Elem: number}}
	x := &ir.Var{Name: "x", Type: number}
	b.Locate(ir.Span{File: "f", Line: 1, End: 8}, func() {
		i := b.Save("i", &ir.Binary{Op: ir.Add, X: &ir.Use{Var: x}, Y: &ir.Const{Val: 1, Typ: number}})
		s := &ir.Assign{LHS: &ir.Index{X: &ir.Use{Var: a}, I: i}, RHS: &ir.Use{Var: x}}
		b.Stand(&s.StmtInfo, ir.Span{File: "f", Line: 1, End: 8})
		b.Emit(s)
	})
	main.Body = &ir.Block{List: b.List}
	p := &ir.Program{Globals: []*ir.Var{a, x}, Procs: []*ir.Proc{main}, Entry: main}
	ir.MarkSites(p)
	fmt.Println(ir.Check(p))
	fmt.Print(p)
	for _, s := range main.Body.List {
		fmt.Println(s.Loc())
	}
	// Output:
	// <nil>
	// var a [4]u8
	// var x u8
	//
	// proc main() {
	// 	var i_1 u8
	// 	@of 2
	// 	i_1 = x + u8(1)
	// 	a[i_1] = x
	// }
	// 2
	// 2
}

// Statements that nobody stands for: the last one does.
func TestLast(t *testing.T) {
	b := &build.Body{Locations: new(build.Counter), Local: func(*ir.Var) {}}
	span := ir.Span{File: "f", Line: 3, End: 5}
	b.Locate(span, func() {
		b.Within(func() { b.Save("t", &ir.Const{Typ: number}) })
		b.Save("t", &ir.Const{Typ: number})
	})
	first, last := ir.StmtOf(b.List[0]), ir.StmtOf(b.List[1])
	if first.Of != last.ID || last.Of != 0 || last.Pos != span || !first.Pos.IsZero() {
		t.Errorf("first %+v, last %+v", first, last)
	}
}

func TestBlocks(t *testing.T) {
	b := &build.Body{Locations: new(build.Counter), Local: func(*ir.Var) {}}
	b.Emit(&ir.Block{})
	inner := b.Block(func() { b.Save("t", &ir.Const{Typ: number}) })
	if none := b.Optional(func() {}); none != nil || len(inner.List) != 1 || len(b.List) != 1 {
		t.Errorf("optional %v, inner %d, outer %d statements", none, len(inner.List), len(b.List))
	}
	var one, two ir.StmtInfo
	b.Alone(&one, ir.Span{})
	b.Stand(&two, ir.Span{})
	if first, second := b.Label("l"), b.Label("l"); one.ID == two.ID || first == second {
		t.Error("numbers or labels are not fresh")
	}
	b.Unchanged(func() {
		if b.Fixed != 1 {
			t.Error("not fixed")
		}
	})
}

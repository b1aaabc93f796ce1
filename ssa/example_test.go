package ssa_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// A failing run is a model of Violated.
func ExampleBuild() {
	p, err := ir.Parse("square.ir", []byte(`
proc main(x u8) {
	assume x < 20
	var square u8 = x * x
	assert square >= x
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	st := formula.NewStore()
	form, err := ssa.Build(st, p, ssa.Config{Unwind: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := formula.NewSolver(st, sat.New())
	form.Load(s)
	status, err := s.Check(context.Background(), form.Violated())
	x := form.Model(s)[ir.Choice{Var: p.Entry.Params[0].ID}]
	fmt.Println(status, err, x < 20 && uint8(x*x) < uint8(x))
	// Output: sat <nil> true
}

// Alternatives sit in one formula with the program, each behind a selector:
// here the sign of an addition.
func ExampleHook() {
	p, err := ir.Parse("step.ir", []byte(`
proc main(x u8) {
	assume x > 0
	var y u8 = x + 1
	assert y < x
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	st := formula.NewStore()
	minus := st.Var(1, "minus")
	hook := func(h ssa.Hole) []ssa.Alternative {
		if e, ok := h.Expr.(*ir.Binary); ok && e.Op == ir.Add {
			return []ssa.Alternative{{When: minus, Expr: &ir.Binary{Op: ir.Sub, X: e.X, Y: e.Y}}}
		}
		return nil
	}
	form, err := ssa.Build(st, p, ssa.Config{Hook: hook})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := formula.NewSolver(st, sat.New())
	form.Load(s)
	plus, _ := s.Check(context.Background(), form.Violated(), st.Not(minus))
	less, _ := s.Check(context.Background(), form.Violated(), minus)
	fmt.Println("x + 1 fails:", plus, "x - 1 fails:", less)
	// Output: x + 1 fails: sat x - 1 fails: unsat
}

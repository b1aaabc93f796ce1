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

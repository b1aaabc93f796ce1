package ssa_test

import (
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// TestFirst wants runs that violate one claim and none before it.
func TestFirst(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte("proc main(x u8) {\n assert x != 1\n assert x * x != 1 || x > 200\n assert x != 1 || x > 9\n}"))
	if err != nil {
		t.Fatal(err)
	}
	st := formula.NewStore()
	f, err := ssa.Build(st, p, ssa.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := formula.NewSolver(st, sat.New())
	f.Load(s)
	for i, want := range []sat.Status{sat.Sat, sat.Sat, sat.Unsat} {
		got, err := s.Check(t.Context(), f.First(i))
		if err != nil || got != want {
			t.Errorf("claim %d: %v, %v, want %v", i, got, err, want)
		}
		if got != sat.Sat {
			continue
		}
		x := f.Model(s).Input(ir.Choice{Var: p.Entry.Params[0].ID})
		if (x == 1) != (i == 0) {
			t.Errorf("claim %d: x = %d", i, x)
		}
	}
}

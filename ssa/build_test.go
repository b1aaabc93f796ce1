package ssa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

var allChecks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)

// TestAgainstInterpreter compares, for random programs, bounds and inputs,
// what the constraint set says of a run with what the interpreter does.
func TestAgainstInterpreter(t *testing.T) {
	n := uint64(1500)
	if testing.Short() {
		n = 400
	}
	outcomes := make(map[interp.Outcome]int)
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := gen.Program(rng, gen.Config{Checks: allChecks, Free: seed%2 == 0})
		unwind := rng.IntN(4)
		for _, fold := range []bool{false, true} {
			st := formula.NewStore()
			f, err := ssa.Build(st, p, ssa.Config{Unwind: unwind, Fold: fold})
			if err != nil {
				t.Fatal(err)
			}
			for k := range uint64(4) {
				o := compare(t, seed, p, f, unwind, gen.Input(seed*100+k))
				outcomes[o]++
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Log(outcomes)
	for _, o := range []interp.Outcome{interp.Ended, interp.Violated, interp.Blocked, interp.Cut} {
		if outcomes[o] < 100 {
			t.Errorf("only %d runs %v", outcomes[o], o)
		}
	}
}

func compare(t *testing.T, seed uint64, p *ir.Program, f *ssa.Form, unwind int, input func(ir.Choice) uint64) interp.Outcome {
	t.Helper()
	want, err := interp.Run(t.Context(), p, interp.Config{Input: input, Unwind: unwind})
	if err != nil {
		t.Fatal(err)
	}
	m := make(ssa.Model)
	for _, in := range f.Inputs.All() {
		m[in.Choice] = input(in.Choice)
	}
	r := ssa.NewRun(f)
	r.Start(m, nil)
	got := outcome(f, r)
	ended := want.Outcome == interp.Ended || want.Outcome == interp.Violated
	if (r.Value(f.Ended()) == 1) != ended {
		t.Errorf("seed %d: Ended is %d, the interpreter %v", seed, r.Value(f.Ended()), want.Outcome)
	}
	if want.Outcome == interp.Blocked && r.Value(f.Stopped()) == 0 || want.Outcome == interp.Ended && r.Value(f.Stopped()) == 1 {
		t.Errorf("seed %d: Stopped is %d, the interpreter %v", seed, r.Value(f.Stopped()), want.Outcome)
	}
	if got.Outcome != want.Outcome {
		t.Errorf("seed %d, fold %d defs: the formula says %v, the interpreter %v at %T %d path %s", seed, len(f.Defs), got.Outcome, want.Outcome, want.Failed, want.Failed.Key(), want.Path)
		return want.Outcome
	}
	if got.Outcome == interp.Violated && (got.Kind != want.Kind || got.Site != want.Site || got.Path != want.Path) {
		t.Errorf("seed %d: the formula violates %v at %d %s, the interpreter %v at %d %s", seed, got.Kind, got.Site, got.Path, want.Kind, want.Site, want.Path)
	}
	return want.Outcome
}

// outcome reads the outcome of a run from the form.
func outcome(f *ssa.Form, r *ssa.Run) *interp.Trace {
	for i := range f.Claims {
		c := &f.Claims[i]
		if r.Value(c.Violated(f.Store)) == 1 {
			return &interp.Trace{Outcome: interp.Violated, Kind: c.Kind, Site: c.Site, Path: c.Path}
		}
	}
	if r.Value(f.Violated()) == 1 {
		panic("Violated without a violated claim")
	}
	ended := r.Value(f.End)
	cut := r.Value(f.Cut())
	blocked := uint64(0)
	for _, a := range f.Assumes {
		if r.Value(a.Guard) == 1 && r.Value(a.Cond) == 0 {
			blocked++
		}
	}
	if ended+cut+blocked != 1 {
		panic("a run ends in several ways, or none")
	}
	switch {
	case ended == 1:
		return &interp.Trace{Outcome: interp.Ended}
	case cut == 1:
		return &interp.Trace{Outcome: interp.Cut}
	}
	return &interp.Trace{Outcome: interp.Blocked}
}

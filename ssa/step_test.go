package ssa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/step"
)

// TestStepper executes a straight program by the effects of its statements
// and compares that with the interpreter. Package incremental, which follows
// jumps, loops and calls, does the same for random programs.
func TestStepper(t *testing.T) {
	p, err := ir.Parse("step.ir", []byte(`
checks bounds, div
proc main(i u8, x i4, y i4) (r i4) {
	var a [2][2]i4
	a[0][0] = x
	a[1][i] = x / y
	assume a[0][0] == x
	a[i][0] += a[1][1]
	assert a[0][0] != 3 || y == 2
	return a[0][0] + a[1][1]
}`))
	if err != nil {
		t.Fatal(err)
	}
	st := formula.NewStore()
	step := ssa.NewStepper(st, p)
	count := make(map[interp.Outcome]int)
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 5))
		first := make(map[ir.Choice]uint64)
		values := make(map[formula.Term]uint64)
		for _, v := range step.Vars() {
			n := uint64(1) << ir.Width(v.Type)
			if v.Var.Name == "i" {
				n = 3
			}
			values[v.Term] = rng.Uint64N(n)
			first[ir.Choice{Var: v.Var.ID, Elem: int32(v.Elem)}] = values[v.Term]
		}
		want, err := interp.Run(t.Context(), p, interp.Config{Input: func(c ir.Choice) uint64 { return first[c] }})
		if err != nil {
			t.Fatal(err)
		}
		count[want.Outcome]++
		got := stepThrough(t, st, step, p, values)
		if got != want.Outcome {
			t.Fatalf("seed %d: %v by steps, %v by the interpreter", seed, got, want.Outcome)
		}
		if got != interp.Ended {
			continue
		}
		for _, v := range step.Vars() {
			if v.Var.Name == "r" && values[v.Term] != want.Results[0] {
				t.Fatalf("seed %d: result %d by steps, %d by the interpreter", seed, values[v.Term], want.Results[0])
			}
		}
	}
	if count[interp.Ended] < 50 || count[interp.Violated] < 50 {
		t.Errorf("too few: %v", count)
	}
}

// stepThrough executes p's entry on the state in values.
func stepThrough(t *testing.T, st *formula.Store, step step.Stepper, p *ir.Program, values map[formula.Term]uint64) interp.Outcome {
	t.Helper()
	for _, s := range p.Entry.Body.List {
		e, err := step.Step(step.Entry(), s)
		if err != nil {
			t.Fatal(err)
		}
		eval := func(x formula.Term) uint64 { return st.Eval(x, func(v formula.Term) uint64 { return values[v] }) }
		for i := range e.Claims {
			if eval(e.Claims[i].Violated) == 1 {
				return interp.Violated
			}
		}
		if eval(e.Pass) == 0 {
			return interp.Blocked
		}
		after := make([]uint64, len(e.Sets))
		for i, x := range e.Sets {
			after[i] = eval(x.Value)
		}
		for i, x := range e.Sets {
			values[step.Vars()[x.Var].Term] = after[i]
		}
	}
	return interp.Ended
}

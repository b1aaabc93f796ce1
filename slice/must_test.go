package slice_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// TestMust takes random programs and the repairs that package mutate finds for
// them: each changes a location in the must set of each failing run, and what
// the set says of a run, NewFOSFL says too.
func TestMust(t *testing.T) {
	n := uint64(400)
	if testing.Short() {
		n = 100
	}
	runs, touched := 0, 0
	for seed := range n {
		p := gen.Program(rand.New(rand.NewPCG(seed, 47)), gen.Config{Checks: ir.DefaultChecks, Statements: 3})
		p.Checks = p.Checks.With(ir.CheckBounds, ir.CheckDiv)
		repairs := repairsOf(t, p)
		if len(repairs) == 0 {
			continue
		}
		f, err := ssa.Build(formula.NewStore(), p, ssa.Config{Unwind: 2})
		if err != nil {
			t.Fatal(err)
		}
		g := slice.NewGraph(f)
		l, err := slice.NewFOSFL(ssa.For(p), ssa.Config{Unwind: 2, Fold: true})
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(12) {
			m := make(ssa.Model)
			for _, in := range f.Inputs.All() {
				m[in.Choice] = ir.Wrap(in.Type, gen.Input(seed*100+k)(in.Choice))
			}
			x, err := interp.Run(t.Context(), p, interp.Config{Unwind: 2, Input: m.Input})
			if err != nil {
				t.Fatal(err)
			}
			set, must, err := l.Localize(t.Context(), m)
			if x.Outcome != interp.Violated {
				if err != slice.ErrPasses {
					t.Errorf("seed %d: a run that is %v is localized: %v", seed, x.Outcome, err)
				}
				continue
			}
			runs++
			want := g.Must(m)
			if err != nil || !must || !slices.Equal(locations(set), locations(want)) {
				t.Errorf("seed %d: %v by NewFOSFL (%v, %v), %v by Must", seed, locations(set), must, err, locations(want))
			}
			for _, r := range repairs {
				touched++
				if !slices.ContainsFunc(r, func(at ir.LocID) bool { return want.Has(at) }) {
					t.Errorf("seed %d: the repair at %v changes none of %v\n%s", seed, r, locations(want), p)
				}
			}
		}
	}
	t.Logf("%d failing runs, %d repairs of them", runs, touched)
	if runs < 20 || touched < 50 {
		t.Error("too few")
	}
}

// repairsOf returns the locations that each repair of p changes.
func repairsOf(t *testing.T, p *ir.Program) (list [][]ir.LocID) {
	t.Helper()
	cfg := mutate.Config{Operators: scheme.Level2(), Unwind: 2, MaxSize: 2}
	for r, err := range mutate.Repairs(t.Context(), p, cfg) {
		if err != nil {
			return nil // it has no failing run, or no place that may change
		}
		var at []ir.LocID
		for _, c := range r.Changes {
			at = append(at, c.Stmt.Loc())
		}
		if list = append(list, at); len(list) == 20 {
			break
		}
	}
	return list
}

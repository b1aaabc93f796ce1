package slice

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ssa"
)

// FailingRuns returns at most n failing runs of the program that build builds,
// within the bounds of cfg, whose Hook, Fold and Flat it ignores: the run on first,
// which must fail, and others. As long as there are any these take other branches than
// all before them, then other truth values of what conditions are made of; what a run
// would do if it went on after it failed counts, too, since a repaired one does. It
// takes a query for each; s must be new.
func FailingRuns(ctx context.Context, build ssa.Builder, cfg ssa.Config, first ssa.Model, n int, s sat.Solver) ([]ssa.Model, error) {
	cfg.Hook, cfg.Fold, cfg.Flat = nil, false, false
	form, err := build.Under(ctx)(formula.NewStore(), cfg)
	if err != nil {
		return nil, err
	}
	f := formula.NewSolver(form.Store, s)
	if err := f.Within(ctx, func() {
		form.Load(f)
		f.Assert(form.Violated())
	}); err != nil {
		return nil, err
	}
	run := ssa.NewRun(form)
	runs := []ssa.Model{first}
	var differs []formula.Term // from all runs so far
	kinds := [][]formula.Term{branches(form), conditions(form)}
	for len(kinds) > 0 && len(runs) < n {
		for len(differs) < len(runs) {
			run.Start(runs[len(differs)], nil)
			differs = append(differs, otherwise(form.Store, run, kinds[0]))
		}
		switch status, err := f.Check(ctx, differs...); status {
		case sat.Unsat:
			kinds, differs = kinds[1:], nil
		case sat.Sat:
			runs = append(runs, form.Model(f))
		default:
			return nil, err
		}
	}
	return runs, nil
}

// branches returns the propositions that a run gets to a definition.
func branches(form *ssa.Form) (out []formula.Term) {
	seen := make(map[formula.Term]bool)
	for i := range form.Defs {
		if g := form.Defs[i].Guard; !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}

// conditions returns the propositions in the definitions.
func conditions(form *ssa.Form) (out []formula.Term) {
	st := form.Store
	seen := make(map[formula.Term]bool)
	var todo []formula.Term
	for i := range form.Defs {
		for todo = append(todo, form.Defs[i].Value); len(todo) > 0; {
			t := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[t] {
				continue
			}
			seen[t] = true
			if _, constant := st.Value(t); st.Width(t) == 1 && !constant {
				out = append(out, t)
			}
			for _, x := range st.Args(t) {
				todo = append(todo, x)
			}
		}
	}
	return out
}

// otherwise returns the proposition that one of ts is other than in run.
func otherwise(st *formula.Store, run *ssa.Run, ts []formula.Term) formula.Term {
	var differs []formula.Term
	for _, t := range ts {
		if run.Value(t) == 1 {
			t = st.Not(t)
		}
		differs = append(differs, t)
	}
	return st.OrN(differs...)
}

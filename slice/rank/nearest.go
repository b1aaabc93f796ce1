package rank

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// This file compares runs of programs.

// A Comparison is what the passing run nearest to a failing one tells.
type Comparison struct {
	// Passing is the input of the nearest passing run; nil if no run within
	// the bounds passes.
	Passing ssa.Model

	// Threads are the paths of threads by number, if the program has any. An
	// ir.Schedule that Passing is replayed with has them.
	Threads []ir.Path

	// Distance is how many values differ: inputs, and what copies of
	// locations compute. A copy that only one of both runs executes
	// differs, too.
	Distance int

	// Suspects is a must location set of the failing run, every repair of
	// which changes one of them. Most suspicious first.
	Suspects []Suspect
}

// A Suspect is a location with its score: the mean, over its copies that one of
// the runs executes, of whether their values differ, 0 or 1, and the share of the
// values they mention that do.
type Suspect struct {
	At    ir.LocID
	Score float64
	Ranks [2]int // first and last rank, from 1, of those with equal score
}

// Nearest ranks the locations on which the failing run on m of the program that
// build builds depends, by how they differ from the nearest run that ends
// normally within the bounds of cfg, whose Hook, Fold and Flat it ignores. Nearest
// is meant as in Groce, "Error Explanation with Distance Metrics" (TACAS 2004):
// as many values of the SSA form as possible are equal, in our case also inputs,
// which hold the schedule if there are threads, but not values of hard code. The
// scores are FLACK's in spirit: the Boolean one for all values, and the
// relational one.
//
// A fault in a constant is not found so, for the two runs agree on that: such
// locations have score 0. The solver s must be new. The error is that of build
// or ctx's cause.
func Nearest(ctx context.Context, build ssa.Builder, cfg ssa.Config, m ssa.Model, s sat.Solver) (*Comparison, error) {
	cfg.Hook, cfg.Fold, cfg.Flat = nil, false, false
	form, err := build.Under(ctx)(formula.NewStore(), cfg)
	if err != nil {
		return nil, err
	}
	n := &comparer{form: form, failing: ssa.NewRun(form)}
	n.failing.Start(m, nil)
	must := slice.NewGraph(form).Must(m)
	c := &Comparison{Threads: form.Threads}
	switch c.Passing, c.Distance, err = n.find(ctx, m, s); {
	case errors.Is(err, sat.ErrUnsat):
		c.Distance = 0
	case err != nil:
		return nil, err
	default:
		n.passing = ssa.NewRun(form)
		n.passing.Start(c.Passing, nil)
	}
	c.Suspects = n.suspects(must)
	return c, nil
}

// A comparer holds two runs.
type comparer struct {
	form             *ssa.Form
	failing, passing *ssa.Run // passing is nil if there is none
}

// find returns the input of the nearest passing run, and its distance.
func (n *comparer) find(ctx context.Context, m ssa.Model, engine sat.Solver) (ssa.Model, int, error) {
	st := n.form.Store
	s := formula.NewSolver(st, engine)
	n.form.Load(s)
	s.Assert(n.form.End)
	s.Assert(st.Not(n.form.Violated()))
	var soft []sat.Lit
	for _, t := range n.agreements(m) {
		soft = append(soft, s.Lit(t))
	}
	cost, err := sat.MaxSat(ctx, s.SAT(), soft)
	if err != nil {
		return nil, cost, err
	}
	best := slices.DeleteFunc(soft, func(l sat.Lit) bool { return !s.SAT().Value(l) })
	if status, err := s.Solve(ctx, best...); status != sat.Sat { // s knows only models of its own
		return nil, cost, err
	}
	return n.form.Model(s), cost, nil
}

// agreements returns the propositions that a value is as in the failing run.
func (n *comparer) agreements(m ssa.Model) (soft []formula.Term) {
	st := n.form.Store
	for _, in := range n.form.Inputs.All() {
		soft = append(soft, st.Eq(in.Term, st.Const(st.Width(in.Term), m[in.Choice])))
	}
	for i := range n.form.Defs {
		switch d := &n.form.Defs[i]; {
		case d.Origin == 0:
		case n.failing.Value(d.Guard) == 0:
			soft = append(soft, st.Not(d.Guard))
		default:
			same := st.Eq(d.Name, st.Const(st.Width(d.Name), n.failing.Value(d.Name)))
			soft = append(soft, st.And(d.Guard, same))
		}
	}
	return soft
}

// suspects ranks the locations in must.
func (n *comparer) suspects(must slice.Set) (out []Suspect) {
	index := make(map[ir.LocID]int)
	for l := range must.All() {
		index[l] = len(out)
		out = append(out, Suspect{At: l})
	}
	copies := make([]int, len(out))
	for i := range n.form.Defs {
		d := &n.form.Defs[i]
		k, ok := index[d.Origin]
		if !ok || n.passing == nil {
			continue
		}
		if score, executed := n.score(d); executed {
			copies[k]++
			out[k].Score += score
		}
	}
	for k := range out {
		out[k].Score /= float64(max(copies[k], 1))
	}
	slices.SortStableFunc(out, func(a, b Suspect) int { return cmp.Compare(b.Score, a.Score) })
	number(out, func(s Suspect) float64 { return s.Score }, func(s *Suspect, r [2]int) { s.Ranks = r })
	return out
}

// score returns the score of one copy, and whether a run executes it. If only
// one does, all its values differ.
func (n *comparer) score(d *ssa.Def) (score float64, executed bool) {
	in, again := n.failing.Value(d.Guard) == 1, n.passing.Value(d.Guard) == 1
	if !in || !again {
		return 2, in || again
	}
	mentioned := n.form.Store.Vars(nil, d.Value)
	return n.differ(d.Name) + n.differ(mentioned...), true
}

// differ returns the share of ts that differ, 0 of none.
func (n *comparer) differ(ts ...formula.Term) float64 {
	k := 0
	for _, t := range ts {
		k += btoi(n.failing.Value(t) != n.passing.Value(t))
	}
	return float64(k) / float64(max(len(ts), 1))
}

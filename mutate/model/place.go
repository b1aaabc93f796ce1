package model

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/slice/rank"
)

// This file searches the changes of one node, those of one cost after another.

// tryAll tries mutants of node i, cheap ones first, up to the cost of the first
// repair at this node that keeps what is good.
func (l *explorer) tryAll(ctx context.Context, i int, ms []mutant) error {
	slices.SortStableFunc(ms, func(a, b mutant) int { return cmp.Compare(a.cost, b.cost) })
	effort, limit := maxEffort, l.best+rank.Margin
	for len(ms) > 0 && ms[0].cost <= min(limit, l.cost[i]) {
		n := slices.IndexFunc(ms, func(m mutant) bool { return m.cost > ms[0].cost })
		if n < 0 {
			n = len(ms)
		}
		affordable := min(n, effort/max(l.holes[i].Bindings(), 1))
		if err := l.tryEqual(ctx, l.holes[i], ms[:affordable]); err != nil || affordable < n {
			return err
		}
		effort -= n * l.holes[i].Bindings()
		ms = ms[n:]
	}
	return nil
}

// maxEffort limits the mutants of one node, times the bindings of variables under
// which it occurs. It leaves out costly ones, under quantifiers over integers.
const maxEffort = 80000

// tryEqual tries mutants of one node that cost the same: on the remembered
// instances all of them, and by the search those that are left.
func (l *explorer) tryEqual(ctx context.Context, h *relation.Hole, ms []mutant) error {
	a := &alternatives{l: l, h: h}
	for _, m := range ms {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l.tried++
		f, err := l.fit(h, m)
		if err != nil {
			return err
		}
		if f.good {
			a.ms, a.fits = append(a.ms, m), append(a.fits, f)
		}
	}
	if len(a.ms) == 0 {
		return nil
	}
	cfg := cegis.Config{
		Space: cegis.Space{{Alternatives: make([]cegis.Alternative, len(a.ms))}}, Oracle: a,
		NewSolver: l.cfg.NewSolver,
	}
	before := len(l.repairs)
	for _, err := range cegis.Solve(ctx, cfg, 1) {
		if err != nil {
			return err
		}
	}
	a.order(l.repairs[before:])
	return nil
}

// order orders repairs as their mutants were made, for where no evidence does.
func (a *alternatives) order(rs []rank.Repair) {
	at := func(r rank.Repair) int {
		return slices.IndexFunc(a.ms, func(m mutant) bool { return m.new == r.New })
	}
	slices.SortFunc(rs, func(r, s rank.Repair) int { return cmp.Compare(at(r), at(s)) })
}

// A fit is what a mutant is like on the remembered instances.
type fit struct {
	good   bool // it may be a repair
	passes bool // an instance passes
	keeps  bool // all that were good are so
}

// fit tries a mutant on the remembered instances.
func (l *explorer) fit(h *relation.Hole, m mutant) (fit, error) {
	var fails, passes, lost uint64
	ok, err := h.Try(m.new, func(root int, one, zero uint64) {
		switch root {
		case 0:
			fails = one
		case 1:
			lost = zero & l.good
		default:
			passes = one
		}
	})
	if err != nil || !ok {
		return fit{}, err
	}
	if fails != 0 && fails&l.good == 0 && lost == 0 && passes != 0 {
		l.nodes[m.node].Best = max(l.nodes[m.node].Best, share(l.first&^fails, l.first))
	}
	// What passed must not pass no more.
	return fit{good: fails == 0 && (passes&l.before != 0 || !l.passes), passes: passes != 0, keeps: lost == 0}, nil
}

// Alternatives of one node are decided on their own: no other node changes. Their
// constraints are the instances that the explorer remembers.
type alternatives struct {
	l    *explorer
	h    *relation.Hole
	ms   []mutant
	fits []fit
}

// Refute asks the solver about a mutant.
func (a *alternatives) Refute(ctx context.Context, c cegis.Candidate) (cegis.Verdict, error) {
	k := c.Alternatives[0]
	gs, err := a.h.Put(a.ms[k].new)
	if err != nil {
		return cegis.Verdict{}, err
	}
	before := a.l.s.Kept()
	good, err := a.l.verify(ctx, a.ms[k], gs, a.fits[k].passes, a.fits[k].keeps)
	v := cegis.Verdict{Good: good}
	if !good {
		a.fits[k].good = false
		if a.l.s.Kept() > before {
			v.Counterexample, v.Own = a.l.s.Kept(), true
		}
	}
	return v, err
}

// Good says which mutants are good on all instances that are remembered by now.
func (a *alternatives) Good(_ context.Context, v cegis.Encoding, _ cegis.Counterexample) (cegis.Constraint, error) {
	var left []formula.Term
	for k := range a.ms {
		if !a.fits[k].good {
			continue
		}
		f, err := a.l.fit(a.h, a.ms[k])
		if err != nil {
			return cegis.Constraint{}, err
		}
		if a.fits[k] = f; f.good {
			left = append(left, v.Chosen(k))
		}
	}
	return cegis.Constraint{Good: v.Store.OrN(left...)}, nil
}

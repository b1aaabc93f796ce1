package model

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file finds out what single changes do.

// Localize ranks the nodes of m by what single changes of them do, and finds
// repairs: see package slice/rank. Nodes of equal evidence share their ranks;
// where they stand in the source is none. The error is rank.ErrHolds
// if there is nothing to explain, relation.ErrHigherOrder if the model can't be
// translated, relation.ErrTooLarge, or ctx's: with the last two comes what was
// found by then, if the search had begun.
//
// What the oracle says is tried, too, as evidence: see rank.Repair.Wish.
func Localize(ctx context.Context, m *rank.Model, cfg rank.Config) (*rank.Result, error) {
	return ordered(ctx, m, cfg, false)
}

// ordered returns what single changes do, in order: of repairs, or of what is
// evidence for the localization.
func ordered(ctx context.Context, m *rank.Model, cfg rank.Config, repair bool) (*rank.Result, error) {
	ev, found := explore(ctx, m, cfg, repair)
	if ev == nil {
		return nil, found
	}
	r, err := rank.Order(ctx, m, cfg, ev)
	return r, cmp.Or(found, err)
}

// explore returns what single changes of m do. The error is as in Localize.
func explore(ctx context.Context, m *rank.Model, cfg rank.Config, repair bool) (*rank.Evidence, error) {
	p, err := newProblem(ctx, m, cfg)
	if err != nil {
		return nil, err
	}
	l := &explorer{
		problem: p, gen: newGenerator(m, !repair), repair: repair, seen: map[[2]relation.Gate]meaning{}, asked: make([]asked, len(m.Others)),
		nodes: make([]rank.NodeEvidence, len(m.Nodes)), cost: make([]int, len(m.Nodes)), holes: make([]*relation.Hole, len(m.Nodes)),
		best: math.MaxInt - rank.Margin,
	}
	if err := l.collect(ctx); err != nil {
		return nil, err
	}
	err = l.search(ctx)
	if err != nil && ctx.Err() == nil && !errors.Is(err, relation.ErrTooLarge) {
		return nil, err
	}
	return &rank.Evidence{Nodes: l.nodes, Repairs: l.repairs, Counterexamples: l.counterexamples, Passing: l.passed, Tried: l.tried, Calls: l.calls}, err
}

type explorer struct {
	*problem
	gen          *generator
	repair       bool // repairs are wanted, not the places
	nodes        []rank.NodeEvidence
	cost         []int // by node: of the cheapest repair that keeps what is good
	holes        []*relation.Hole
	repairs      []rank.Repair
	best         int    // the lowest cost of a repair that keeps what is good
	passes       bool   // the run has an instance, and one is remembered
	inconsistent bool   // the run has no instance
	exact        bool   // what is synthesized must keep the good instances
	hopes        uint64 // remembered instances of which one should pass, or 0
	tried        int
	seen         map[[2]relation.Gate]meaning // of mutants
	asked        []asked                      // by index in Model.Others
	before       uint64                       // instances remembered before the search, as in Solver.On
	first        uint64                       // those of them that are counterexamples
}

// search looks at the nodes tier by tier, inner ones first, so that of changes
// that mean the same the smallest counts. It tries mutants until a tier has
// repairs: in each first those that change a node in place, then those that copy
// from elsewhere as far as their costs are not much above the best so far.
func (l *explorer) search(ctx context.Context) error {
	ts := rank.Tiers(l.m)
	for tier := rank.TierSubject; tier >= rank.TierProperty; tier-- {
		try := len(l.repairs) == 0 && tier > rank.TierProperty
		var open []int
		for i := len(l.m.Nodes) - 1; i >= 0; i-- {
			if ts[l.m.Nodes[i].Unit] != tier {
				continue
			}
			if l.nodes[i].Tier = tier; !try || l.m.Nodes[i].Hard || l.tooMany(i) {
				continue
			}
			h, err := l.free(ctx, i)
			if err != nil {
				return err
			}
			if h != nil {
				l.holes[i] = h
				open = append(open, i)
			}
		}
		for _, mutants := range []func(int) []mutant{l.gen.plain, l.gen.copies} {
			for _, i := range open {
				if err := l.tryAll(ctx, i, mutants(i)); err != nil {
					return err
				}
			}
		}
		if !l.repair {
			continue
		}
		if err := l.synthesizeAll(ctx, open); err != nil {
			return err
		}
	}
	return nil
}

// maxBindings is from how many bindings of the variables in scope on only
// formulas are examined, not the expressions in them.
const maxBindings = 1000

func (l *explorer) tooMany(i int) bool {
	n := l.m.Nodes[i].Rel
	if _, ok := n.(relation.Formula); ok {
		return false
	}
	count := 1
	for _, v := range l.gen.scope[n] {
		count = min(count, maxBindings) * l.gen.t.Atoms(l.gen.t.Of(v)).Len()
	}
	return count > maxBindings
}

// firstCounterexamples is how many counterexamples are collected before the search.
const firstCounterexamples = 6

// collect finds counterexamples and good instances.
func (l *explorer) collect(ctx context.Context) error {
	if err := l.collectFailing(ctx); err != nil {
		return err
	}
	if err := l.collectGood(ctx); err != nil {
		return err
	}
	if !l.passes {
		in, err := l.passing(ctx, nil)
		if err != nil {
			return err
		}
		l.inconsistent = in == nil
	}
	if len(l.counterexamples) == 0 && !l.inconsistent {
		return rank.ErrHolds
	}
	l.before, l.first = uint64(1)<<l.s.Kept()-1, l.cex
	return nil
}

func (l *explorer) collectFailing(ctx context.Context) error {
	gs := []relation.Gate{l.failing}
	for range firstCounterexamples {
		in, err := l.solve(ctx, gs...)
		if err != nil || in == nil {
			return err
		}
		if err := relation.Confirm(in, l.fail); err != nil {
			return err
		}
		l.counterexamples = append(l.counterexamples, in)
		l.fails(in)
		gs = append(gs, l.s.Is(in).Not())
	}
	return nil
}

// collectGood finds instances of the facts and the assertion, every other one
// such that the run's predicate holds, too.
func (l *explorer) collectGood(ctx context.Context) error {
	pass := l.fact
	if !l.ownBounds {
		var err error
		if pass, err = l.s.Gate(l.pass); err != nil {
			return err
		}
	}
	gs := []relation.Gate{l.fact}
	if !l.witnessed { // else that the assertion holds can't be said
		gs = append(gs, l.failing.Not())
	}
	for i := range firstCounterexamples {
		more := gs[:len(gs):len(gs)]
		if i%2 == 0 {
			more = append(more, pass)
		} else if l.witnessed {
			continue
		}
		in, err := l.solve(ctx, more...)
		if err != nil {
			return err
		}
		if in == nil {
			continue
		}
		if err := l.confirmGood(in, i%2 == 0); err != nil {
			return err
		}
		bit := l.remember(in)
		if !l.witnessed {
			l.passed = append(l.passed, in)
			l.good |= bit
		}
		l.passes = l.passes || i%2 == 0 && !l.ownBounds
		gs = append(gs, l.s.Is(in).Not())
	}
	return nil
}

// confirmGood evaluates what an instance was to satisfy.
func (l *explorer) confirmGood(in *relation.Instance, passes bool) error {
	fs := []relation.Formula{l.facts}
	if !l.witnessed {
		fs = append(fs, l.m.Check.Goal)
	}
	if passes && !l.ownBounds {
		fs = append(fs, l.pass)
	}
	for _, f := range fs {
		if err := relation.Confirm(in, f); err != nil {
			return err
		}
	}
	return nil
}

// remember returns the bit of a remembered instance, 0 if there are too many.
func (l *explorer) remember(in *relation.Instance) uint64 {
	if l.s.Kept() == relation.MaxKept {
		return 0
	}
	return 1 << l.s.Remember(in)
}

// fails remembers an instance in which no repaired model may fail.
func (l *explorer) fails(in *relation.Instance) { l.cex |= l.remember(in) }

// free finds what node i can do if it is free. It returns its hole if that is
// enough for a repair.
func (l *explorer) free(ctx context.Context, i int) (*relation.Hole, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	n := l.m.Nodes[i].Rel
	var upper *relation.Set
	if e, ok := n.(relation.Expr); ok {
		upper = l.gen.t.Atoms(l.gen.t.Of(e))
	}
	roots := []relation.Formula{l.fail, l.facts, l.pass}
	if l.ownBounds {
		roots = roots[:2]
	}
	h, err := l.s.Open(n, l.gen.scope[n], upper, roots...)
	if err != nil {
		return nil, err
	}
	ev := &l.nodes[i]
	l.cost[i] = math.MaxInt
	_, removed := l.s.On(h.Roots()[0])
	ev.Removes = share(removed&l.first, l.first)
	if l.inconsistent {
		if ev.Revives, err = l.revives(ctx, h); err != nil {
			return nil, err
		}
	}
	if l.inconsistent && !ev.Revives || !l.inconsistent && removed&l.cex != l.cex {
		return nil, nil
	}
	return h, nil
}

// revives returns whether the run has an instance with anything in h. In bounds
// of its own it may.
func (l *explorer) revives(ctx context.Context, h *relation.Hole) (bool, error) {
	if l.ownBounds {
		return true, nil
	}
	in, err := l.solve(ctx, h.Roots()[2])
	return in != nil, err
}

// share returns the part of the bits of all that are set in some, 1 if there are
// none.
func share(some, all uint64) float64 {
	if all == 0 {
		return 1
	}
	return float64(bits.OnesCount64(some)) / float64(bits.OnesCount64(all))
}

// A meaning is what is known of all mutants with the same circuits.
type meaning struct {
	number  int
	repairs bool // the check holds, and the run is possible
	keeps   bool
}

// verify asks the solver whether a mutant with the circuits gs is a repair, and
// notes it if so.
func (l *explorer) verify(ctx context.Context, m mutant, gs []relation.Gate, passes, keeps bool) (bool, error) {
	key := [2]relation.Gate{gs[0], gs[len(gs)-1]}
	k, ok := l.seen[key]
	if !ok {
		var err error
		if k, err = l.decide(ctx, m, gs, passes, keeps); err != nil {
			return false, err
		}
		k.number = len(l.seen)
		l.seen[key] = k
	}
	if !k.repairs || m.exact && !k.keeps {
		return false, nil
	}
	if breaks, err := l.breaks(ctx, m); err != nil || breaks {
		return false, err
	}
	l.add(m, k)
	return true, nil
}

// decide asks about the check and the run.
func (l *explorer) decide(ctx context.Context, m mutant, gs []relation.Gate, passes, keeps bool) (k meaning, err error) {
	if !passes {
		in, err := l.passing(ctx, &m, gs...)
		if err != nil || in == nil {
			return k, err
		}
		if !l.ownBounds { // others may pass in it, too
			l.remember(in)
		}
	}
	in, err := l.solve(ctx, gs[0])
	if err != nil {
		return k, err
	}
	if in != nil {
		l.fails(in)
		return k, nil
	}
	k.repairs = true
	if keeps {
		k.keeps, err = l.keeps(ctx, gs[1])
	}
	return k, err
}

// keeps returns whether changed facts hold where the facts and the assertion do.
func (l *explorer) keeps(ctx context.Context, facts relation.Gate) (bool, error) {
	if l.witnessed || facts == l.fact {
		return facts == l.fact, nil
	}
	in, err := l.solve(ctx, l.fact, l.failing.Not(), facts.Not())
	if in != nil {
		l.good |= l.remember(in)
	}
	return in == nil, err
}

// add notes a repair with the meaning k.
func (l *explorer) add(m mutant, k meaning) {
	old := l.m.Nodes[m.node].Rel
	if k.keeps {
		l.best = min(l.best, m.cost)
		l.cost[m.node] = min(l.cost[m.node], m.cost)
	}
	l.repairs = append(l.repairs, rank.Repair{Node: m.node, Old: old, New: m.new, Cost: m.cost, Size: l.gen.sizeOf(old), Keeps: k.keeps, Meaning: k.number, Wish: m.wish})
}

// apply returns f with a mutant.
func (l *explorer) apply(m mutant, f relation.Formula) relation.Formula {
	old := l.m.Nodes[m.node].Rel
	return relation.Replace(f, func(n relation.Node) relation.Node {
		if n == old {
			return m.new
		}
		return nil
	}).(relation.Formula)
}

// passing returns an instance of the run, mutated unless m is nil: then gs are
// its circuits.
func (l *explorer) passing(ctx context.Context, m *mutant, gs ...relation.Gate) (*relation.Instance, error) {
	f := l.pass
	if m != nil {
		f = l.apply(*m, f)
	}
	if l.ownBounds {
		return relation.Find(ctx, l.m.Passing().Bounds, f, engine(l.cfg))
	}
	var g relation.Gate
	var err error
	if m == nil {
		g, err = l.s.Gate(f)
	} else {
		g = gs[2]
	}
	if err != nil {
		return nil, err
	}
	in, err := l.solve(ctx, g)
	if err == nil && in != nil {
		err = relation.Confirm(in, f)
	}
	return in, err
}

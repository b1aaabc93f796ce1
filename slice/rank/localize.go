package rank

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// This file holds the default method.

// A Repair is a single change of a model after which the check holds in its
// scope while the run's predicate can still hold.
type Repair struct {
	Node int           // index in Model.Nodes
	Old  relation.Node // its Rel
	New  relation.Node // what to put there; nodes of the model occur in it
	Cost int           // small for small changes
	// Keeps says that the change excludes no instance that satisfied the
	// facts and the assertion.
	Keeps bool

	meaning int // that of the repair found as this number
}

// An Entry is a suspicious node.
type Entry struct {
	Node   int     // index in Model.Nodes
	Score  float64 // of Flack, or without meaning but for the order
	Ranks  [2]int  // first and last rank, from 1, of those with equal score
	Repair *Repair // the best one that changes just this node, or nil

	Boolean, Relational float64 // FLACK's scores
	Operator            bool    // FLACK's hint that the operator is at fault
}

// A Result is the ranking of a model's nodes.
type Result struct {
	Entries         []Entry              // most suspicious first
	Repairs         []Repair             // best first, each with another meaning
	Counterexamples []*relation.Instance // of the check
	Passing         []*relation.Instance // of the facts, that satisfy the assertion
	Tried           int                  // mutants
	Calls           int                  // of the solver
}

// Localize ranks the nodes of m by what single changes of them do, and finds
// repairs: see the package comment. Nodes of equal evidence share their ranks;
// where they stand in the source is none. The error is ErrHolds
// if there is nothing to explain, relation.ErrHigherOrder if the model can't be
// translated, relation.ErrTooLarge, or ctx's: with the last two comes what was
// found by then, if the search had begun.
func Localize(ctx context.Context, m *Model) (*Result, error) {
	p, err := newProblem(m)
	if err != nil {
		return nil, err
	}
	l := &localizer{problem: p, gen: newGenerator(m), seen: map[[2]relation.Gate]int{}, nodes: make([]evidence, len(m.Nodes)), holes: make([]*relation.Hole, len(m.Nodes)), best: math.MaxInt - margin}
	if err := l.collect(ctx); err != nil {
		return nil, err
	}
	found := l.search(ctx)
	if found != nil && ctx.Err() == nil && !errors.Is(found, relation.ErrTooLarge) {
		return nil, found
	}
	r, err := l.result(ctx)
	return r, cmp.Or(found, err)
}

type localizer struct {
	*problem
	gen     *generator
	nodes   []evidence
	holes   []*relation.Hole
	repairs []Repair
	best    int  // the lowest cost of a repair that keeps what is good
	passes  bool // the run has an instance, and one is remembered
	dead    bool // the run has no instance
	tried   int
	seen    map[[2]relation.Gate]int // meanings of mutants: the first repair of each, or none
	before  uint64                   // instances remembered before the search, as in Solver.On
	first   uint64                   // those of them that are counterexamples
}

// evidence is what is known about a node.
type evidence struct {
	tier    int
	removes float64 // the share of counterexamples that it can remove, if free
	revives bool    // free, it makes an impossible run possible
	best    float64 // the largest share that a mutant removes of those known before the search
	cost    int     // of the cheapest repair that keeps what is good
}

// search looks at the nodes tier by tier, inner ones first, so that of changes
// that mean the same the smallest counts. It tries mutants until a tier has
// repairs: in each first those that change a node in place, then those that copy
// from elsewhere as far as their costs are not much above the best so far.
func (l *localizer) search(ctx context.Context) error {
	ts := tiers(l.m)
	for tier := tierSubject; tier >= tierProperty; tier-- {
		try := len(l.repairs) == 0 && tier > tierProperty
		var open []int
		for i := len(l.m.Nodes) - 1; i >= 0; i-- {
			if ts[l.m.Nodes[i].Unit] != tier {
				continue
			}
			if l.nodes[i].tier = tier; !try || l.tooMany(i) {
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
	}
	return nil
}

// maxBindings is from how many bindings of the variables in scope on only
// formulas are examined, not the expressions in them.
const maxBindings = 1000

func (l *localizer) tooMany(i int) bool {
	n := l.m.Nodes[i].Rel
	if _, ok := n.(relation.Formula); ok {
		return false
	}
	count := 1
	for _, v := range l.gen.scope[n] {
		count = min(count, maxBindings) * l.gen.t.atoms(l.gen.t.of(v)).Len()
	}
	return count > maxBindings
}

// margin is how much more than the best repair so far another may cost.
const margin = 6

// tryAll tries mutants of node i, cheap ones first, up to the cost of the first
// repair at this node that keeps what is good.
func (l *localizer) tryAll(ctx context.Context, i int, ms []mutant) error {
	slices.SortStableFunc(ms, func(a, b mutant) int { return cmp.Compare(a.cost, b.cost) })
	effort, limit := maxEffort, l.best+margin
	for _, m := range ms {
		if effort -= l.holes[i].Bindings(); effort < 0 || m.cost > min(limit, l.nodes[i].cost) {
			break
		}
		if err := l.try(ctx, l.holes[i], m); err != nil {
			return err
		}
	}
	return nil
}

// maxEffort limits the mutants of one node, times the bindings of variables under
// which it occurs. It leaves out costly ones, under quantifiers over integers.
const maxEffort = 80000

// firstCexs is how many counterexamples are collected before the search.
const firstCexs = 6

// collect finds counterexamples and good instances.
func (l *localizer) collect(ctx context.Context) error {
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
		l.dead = in == nil
	}
	if len(l.cexs) == 0 && !l.dead {
		return ErrHolds
	}
	l.before, l.first = uint64(1)<<l.s.Kept()-1, l.cex
	return nil
}

func (l *localizer) collectFailing(ctx context.Context) error {
	gs := []relation.Gate{l.failing}
	for range firstCexs {
		in, err := l.solve(ctx, gs...)
		if err != nil || in == nil {
			return err
		}
		if err := relation.Confirm(in, l.fail); err != nil {
			return err
		}
		l.cexs = append(l.cexs, in)
		l.fails(in)
		gs = append(gs, l.s.Is(in).Not())
	}
	return nil
}

// collectGood finds instances of the facts and the assertion, every other one
// such that the run's predicate holds, too.
func (l *localizer) collectGood(ctx context.Context) error {
	pass := l.fact
	if !l.apart {
		var err error
		if pass, err = l.s.Gate(l.pass); err != nil {
			return err
		}
	}
	gs := []relation.Gate{l.fact}
	if !l.witnessed { // else that the assertion holds can't be said
		gs = append(gs, l.failing.Not())
	}
	for i := range firstCexs {
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
			l.goods = append(l.goods, in)
			l.good |= bit
		}
		l.passes = l.passes || i%2 == 0 && !l.apart
		gs = append(gs, l.s.Is(in).Not())
	}
	return nil
}

// confirmGood evaluates what an instance was to satisfy.
func (l *localizer) confirmGood(in *relation.Instance, passes bool) error {
	fs := []relation.Formula{l.facts}
	if !l.witnessed {
		fs = append(fs, l.m.Check.Goal)
	}
	if passes && !l.apart {
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
func (l *localizer) remember(in *relation.Instance) uint64 {
	if l.s.Kept() == relation.MaxKept {
		return 0
	}
	return 1 << l.s.Remember(in)
}

// fails remembers an instance in which no repaired model may fail.
func (l *localizer) fails(in *relation.Instance) { l.cex |= l.remember(in) }

// free finds what node i can do if it is free. It returns its hole if that is
// enough for a repair.
func (l *localizer) free(ctx context.Context, i int) (*relation.Hole, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	n := l.m.Nodes[i].Rel
	var upper *relation.Set
	if e, ok := n.(relation.Expr); ok {
		upper = l.gen.t.atoms(l.gen.t.of(e))
	}
	roots := []relation.Formula{l.fail, l.facts, l.pass}
	if l.apart {
		roots = roots[:2]
	}
	h, err := l.s.Open(n, l.gen.scope[n], upper, roots...)
	if err != nil {
		return nil, err
	}
	ev := &l.nodes[i]
	ev.cost = math.MaxInt
	_, removed := l.s.On(h.Roots()[0])
	ev.removes = share(removed&l.first, l.first)
	if l.dead {
		if ev.revives, err = l.revives(ctx, h); err != nil {
			return nil, err
		}
	}
	if l.dead && !ev.revives || !l.dead && removed&l.cex != l.cex {
		return nil, nil
	}
	return h, nil
}

// revives returns whether the run has an instance with anything in h. In bounds
// of its own it may.
func (l *localizer) revives(ctx context.Context, h *relation.Hole) (bool, error) {
	if l.apart {
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

// try keeps a mutant that is a repair.
func (l *localizer) try(ctx context.Context, h *relation.Hole, m mutant) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.tried++
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
		return err
	}
	if fails != 0 {
		if fails&l.good == 0 && lost == 0 && passes != 0 {
			l.nodes[m.node].best = max(l.nodes[m.node].best, share(l.first&^fails, l.first))
		}
		return nil
	}
	if passes&l.before == 0 && l.passes {
		return nil // what passed passes no more
	}
	gs, err := h.Put(m.new)
	if err != nil {
		return err
	}
	return l.verify(ctx, m, gs, passes != 0, lost == 0)
}

// verify asks the solver whether a mutant with the circuits gs is a repair.
func (l *localizer) verify(ctx context.Context, m mutant, gs []relation.Gate, passes, keeps bool) error {
	key := [2]relation.Gate{gs[0], gs[len(gs)-1]}
	if k, ok := l.seen[key]; ok {
		if k != none {
			l.add(m, k, l.repairs[k].Keeps)
		}
		return nil
	}
	l.seen[key] = none
	if !passes {
		in, err := l.passing(ctx, &m, gs...)
		if err != nil || in == nil {
			return err
		}
		if !l.apart { // others may pass in it, too
			l.remember(in)
		}
	}
	in, err := l.solve(ctx, gs[0])
	if err != nil {
		return err
	}
	if in != nil {
		l.fails(in)
		return nil
	}
	if keeps {
		if keeps, err = l.keeps(ctx, gs[1]); err != nil {
			return err
		}
	}
	l.seen[key] = len(l.repairs)
	l.add(m, len(l.repairs), keeps)
	return nil
}

// keeps returns whether changed facts hold where the facts and the assertion do.
func (l *localizer) keeps(ctx context.Context, facts relation.Gate) (bool, error) {
	if l.witnessed || facts == l.fact {
		return facts == l.fact, nil
	}
	in, err := l.solve(ctx, l.fact, l.failing.Not(), facts.Not())
	return in == nil, err
}

// none is no index of a repair.
const none = -1

// add notes a repair that means the same as the k-th.
func (l *localizer) add(m mutant, k int, keeps bool) {
	r := l.repair(m)
	r.Keeps, r.meaning = keeps, k
	if keeps {
		l.best = min(l.best, m.cost)
		l.nodes[m.node].cost = min(l.nodes[m.node].cost, m.cost)
	}
	l.repairs = append(l.repairs, r)
}

func (l *localizer) repair(m mutant) Repair {
	return Repair{Node: m.node, Old: l.m.Nodes[m.node].Rel, New: m.new, Cost: m.cost}
}

// passing returns an instance of the run, mutated unless m is nil: then gs are
// its circuits.
func (l *localizer) passing(ctx context.Context, m *mutant, gs ...relation.Gate) (*relation.Instance, error) {
	f := l.pass
	if m != nil {
		f = l.repair(*m).Apply(f)
	}
	if l.apart {
		return relation.Find(ctx, goalOf(l.m).Bounds, f, sat.New())
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

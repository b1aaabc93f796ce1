package model

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/mutate/cegis"
)

// This file decides sets of changes for the search.

// An oracle decides the candidates of a space by questions, each of which must
// have an instance, or none.
//
// An instance that there must not be is a counterexample, which says exactly
// which candidates it refutes: the formula with selectors at its nodes is
// translated with the instance as the exact bounds, and becomes a proposition
// over the selectors alone. If there should be an instance and is none, what is
// learned is the formula with selectors in the question's bounds: a candidate is
// good if it has some instance. That is exact, too, so that a question teaches
// it once; if it is too large the candidate alone is blocked. Either way no
// candidate is proposed twice, and the search ends since they are finite.
type oracle struct {
	*questions
	sp       *space
	selector []relation.Formula // by alternative
	selected *composer          // with selectors
	known    []*violation
}

func newOracle(qs *questions, sp *space) *oracle {
	o := &oracle{questions: qs, sp: sp, selector: make([]relation.Formula, len(sp.alts))}
	for k := range o.selector {
		o.selector[k] = &relation.AnyFormula{}
	}
	o.selected = sp.composer(o.choice)
	return o
}

// Refute asks all questions of a candidate.
func (o *oracle) Refute(ctx context.Context, c cegis.Candidate) (cegis.Verdict, error) {
	before := o.calls
	x, err := o.violated(ctx, o.sp.with(c.Alternatives))
	calls := o.calls - before
	switch {
	case undecided(err): // what can't be decided is no repair
		return cegis.Verdict{Calls: calls}, nil
	case err != nil:
		return cegis.Verdict{}, err
	case x == nil:
		return cegis.Verdict{Good: true, Calls: calls}, nil
	case o.all[x.question].silent:
		return cegis.Verdict{Calls: calls}, nil
	}
	o.known = append(o.known, x)
	return cegis.Verdict{Counterexample: x, Own: true, Calls: calls}, nil
}

// maxLesson limits the circuits of a lesson.
const maxLesson = 400_000

// A budget is what refutes candidates that cost more.
type budget int

// Good returns the lesson of a budget or a violation.
func (o *oracle) Good(ctx context.Context, v cegis.View, x cegis.Counterexample) (cegis.Lesson, error) {
	switch x := x.(type) {
	case budget:
		return cegis.Lesson{Good: o.affordable(v, int(x))}, nil
	default:
		return o.lesson(ctx, v, x.(*violation))
	}
}

// costBits is the width of costs of candidates; it bounds them by far.
const costBits = 24

// affordable says that the costs of what is chosen are at most limit.
func (o *oracle) affordable(v cegis.View, limit int) formula.Term {
	st := v.Store
	zero := st.Const(costBits, 0)
	var costs []formula.Term
	for _, p := range o.sp.places {
		sum := zero
		for k := p.first; k < p.end; { // those of one cost at once; they are in order
			cost, any := o.sp.alts[k].cost, st.False()
			for ; k < p.end && o.sp.alts[k].cost == cost; k++ {
				any = st.Or(any, v.Chosen(k))
			}
			sum = st.Ite(any, st.Const(costBits, uint64(cost)), sum)
		}
		costs = append(costs, sum)
	}
	for len(costs) > 1 {
		costs = append(costs[2:], st.Add(costs[0], costs[1]))
	}
	return st.Ule(append(costs, zero)[0], st.Const(costBits, uint64(limit)))
}

// lesson translates the question of a violation with selectors.
func (o *oracle) lesson(ctx context.Context, v cegis.View, x *violation) (cegis.Lesson, error) {
	in, q := x.in, o.all[x.question]
	b := q.bounds
	if in != nil {
		b = exactly(in)
	}
	s := relation.NewSolver(b, nil)
	s.MaxGates = maxLesson
	s.StopWith(ctx)
	g, err := s.Gate(o.selected.formula(q.f))
	if undecided(err) {
		q.silent = true
		err = cegis.ErrNoLesson
	}
	if err != nil {
		return cegis.Lesson{}, err
	}
	leaf, err := o.leaves(s, v)
	good := s.Terms(v.Store, leaf, g)[0]
	if in != nil {
		good = v.Store.Not(good)
	}
	return cegis.Lesson{Good: good, Open: in == nil}, err
}

// leaves returns what the variables of s's circuits are in v: selectors, and
// what there may be in an instance.
func (o *oracle) leaves(s *relation.Solver, v cegis.View) (func(relation.Gate) formula.Term, error) {
	chosen := make(map[relation.Gate]int, len(o.selector))
	for k, f := range o.selector {
		g, err := s.Gate(f)
		if err != nil {
			return nil, err
		}
		chosen[g] = k
	}
	return func(g relation.Gate) formula.Term {
		if k, ok := chosen[g]; ok {
			return v.Chosen(k)
		}
		return v.Store.Var(1, "tuple")
	}, nil
}

// exactly returns bounds in which in is the only instance.
func exactly(in *relation.Instance) *relation.Bounds {
	b := in.Bounds.Clone()
	for _, r := range b.Relations() {
		if set := in.Get(r); set != nil {
			b.Bind(r, set, set)
		}
	}
	return b
}

package model

import (
	"context"
	"errors"
	"math/bits"

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
	size     int    // the most changes of a candidate
	table    *table // if that is two at most, and they are not too many; or nil
}

// newOracle returns the oracle for the candidates of at most size changes in sp
// that cost at most limit.
func newOracle(qs *questions, sp *space, size, limit int) *oracle {
	o := &oracle{questions: qs, sp: sp, size: size, selector: make([]relation.Formula, len(sp.alts))}
	if size <= 2 {
		o.table = newTable(sp, size, limit)
	}
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

// maxConstraint limits the circuits of a constraint.
const maxConstraint = 400_000

// A budget is what refutes candidates that cost more.
type budget int

// Good returns the constraint of a budget or of violations.
func (o *oracle) Good(ctx context.Context, v cegis.Encoding, x cegis.Counterexample) (cegis.Constraint, error) {
	switch x := x.(type) {
	case budget:
		return cegis.Constraint{Good: o.affordable(v, int(x))}, nil
	case []*violation:
		return o.constraints(ctx, v, x...)
	default:
		return o.constraints(ctx, v, x.(*violation))
	}
}

// affordable says that the costs of what is chosen, at most size, are at most
// limit.
func (o *oracle) affordable(v cegis.Encoding, limit int) formula.Term {
	st := v.Store
	most := 0
	for _, x := range o.sp.alts {
		most = max(most, x.cost)
	}
	if o.size*most <= limit {
		return st.True()
	}
	width := bits.Len(uint(o.size * most))
	zero := st.Const(width, 0)
	var costs []formula.Term
	for _, p := range o.sp.places {
		sum := zero
		for k := p.first; k < p.end; { // those of one cost at once; they are in order
			cost, any := o.sp.alts[k].cost, st.False()
			for ; k < p.end && o.sp.alts[k].cost == cost; k++ {
				any = st.Or(any, v.Chosen(k))
			}
			sum = st.Ite(any, st.Const(width, uint64(cost)), sum)
		}
		costs = append(costs, sum)
	}
	for len(costs) > 1 {
		costs = append(costs[2:], st.Add(costs[0], costs[1]))
	}
	return st.Ule(append(costs, zero)[0], st.Const(width, uint64(limit)))
}

// constraints returns what violations teach, of several those whose constraints are not too
// large: where a table holds the candidates that are left, what it says, if that
// is little.
func (o *oracle) constraints(ctx context.Context, v cegis.Encoding, xs ...*violation) (cegis.Constraint, error) {
	out := cegis.Constraint{Good: v.Store.True()}
	var good []formula.Term
	for _, x := range xs {
		s, g, err := o.translate(ctx, x)
		if errors.Is(err, cegis.ErrNoConstraint) && len(xs) > 1 {
			continue
		}
		if err != nil {
			return out, err
		}
		chosen, err := o.selectors(s)
		if err != nil {
			return out, err
		}
		switch {
		case x.in == nil:
			out.Open = true
			out.Good = v.Store.And(out.Good, o.term(s, g, chosen, v))
			continue
		case o.table != nil:
			o.table.rule(s, g, chosen)
		}
		good = append(good, v.Store.Not(o.term(s, g, chosen, v)))
	}
	if o.table != nil {
		if said, all := o.table.say(v); all {
			good = []formula.Term{said}
		}
	}
	out.Good = v.Store.And(out.Good, v.Store.AndN(good...))
	return out, nil
}

// translate returns the circuit of the question that x violates, with selectors.
func (o *oracle) translate(ctx context.Context, x *violation) (*relation.Solver, relation.Gate, error) {
	q := o.all[x.question]
	b := q.bounds
	if x.in != nil {
		b = exactly(x.in)
	}
	s := relation.NewSolver(b, nil)
	s.MaxGates = maxConstraint
	s.StopWith(ctx)
	g, err := s.Gate(o.selected.formula(q.f))
	if undecided(err) {
		q.silent = true
		err = cegis.ErrNoConstraint
	}
	return s, g, err
}

// selectors returns the selectors in s's circuits.
func (o *oracle) selectors(s *relation.Solver) ([]relation.Gate, error) {
	out := make([]relation.Gate, len(o.selector))
	var err error
	for k, f := range o.selector {
		if out[k], err = s.Gate(f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// term returns g as a term of v. What is no selector is what there may be in an
// instance.
func (o *oracle) term(s *relation.Solver, g relation.Gate, selector []relation.Gate, v cegis.Encoding) formula.Term {
	alt := make(map[relation.Gate]int, len(selector))
	for k, x := range selector {
		alt[x] = k
	}
	return s.Terms(v.Store, func(x relation.Gate) formula.Term {
		if k, ok := alt[x]; ok {
			return v.Chosen(k)
		}
		return v.Store.Var(1, "tuple")
	}, g)[0]
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

package cegis

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
)

// This file turns counterexamples into constraints on candidates.

// A learner gives a generator what counterexamples teach. A candidate that is
// proposed from then on is good on them, and no solution is lost, since
// solutions are good on every counterexample.
//
// A large constraint is hard to solve, most of all one with products of what
// depends on selectors: the generator would have to factor numbers. It is
// evaluated on the candidates instead, at first. One that violates it is
// blocked together with all others that agree on what the evaluation
// depended on (Algorithm A.1 of Rothenberg's thesis).
type learner struct {
	cfg  *Config
	sp   *numbered
	g    *generator
	lazy []*lazyConstraint
	weak bool // a constraint may have been too weak

	oneByOne bool // the oracle said ErrOneByOne
}

// A lazyConstraint is a constraint that the generator does not have yet.
type lazyConstraint struct {
	bad     formula.Term
	refuted int // candidates, by evaluation
}

// learn makes g propose only candidates that are good on x, but for those
// that refute refutes. Those with holes are left out unless holes is set: they
// would make the constraint large.
func (l *learner) learn(ctx context.Context, x Counterexample, holes bool) error {
	constraint, err := l.cfg.good(ctx, l.sp.encoding(holes, holes), x)
	if err != nil {
		return err
	}
	if constraint.Define != nil {
		if err := l.g.f.Within(ctx, func() { constraint.Define(l.g.f) }); err != nil {
			return err
		}
		l.weak = true
	}
	good := constraint.Good
	if !holes {
		good = l.sp.st.Or(good, l.sp.open)
	}
	if !l.weak && !constraint.Open && weight(l.sp.st, good) > l.cfg.LazyWeight {
		l.lazy = append(l.lazy, &lazyConstraint{bad: l.sp.st.Not(good)})
		return nil
	}
	return l.g.assert(ctx, good)
}

// learnFrom is learn for the counterexample of c, which has no holes. If there is
// nothing to learn, c is blocked as v says.
func (l *learner) learnFrom(ctx context.Context, c Candidate, v *Verdict) error {
	err := l.learn(ctx, v.Counterexample, false)
	l.oneByOne = l.oneByOne || errors.Is(err, ErrOneByOne)
	if errors.Is(err, ErrNoConstraint) {
		l.g.blockAgreeing(c.Alternatives, v.Agree)
		return nil
	}
	return err
}

// refute evaluates the lazy constraints on c. If one is violated, it
// blocks c and what fails alike.
func (l *learner) refute(ctx context.Context, c Candidate) (bool, error) {
	st := l.sp.st
	ev := formula.NewEvaluator(st, l.sp.assignment(c))
	for i, p := range l.lazy {
		if ev.Eval(p.bad) == 0 {
			continue
		}
		p.refuted++
		if len(c.Values) > 0 { // only these values are ruled out
			p.refuted += 15
		}
		if p.refuted > l.cfg.LazyLimit {
			l.lazy = slices.Delete(l.lazy, i, i+1)
			return true, l.g.assert(ctx, st.Not(p.bad))
		}
		var clause []formula.Term
		for _, v := range formula.Important(st, p.bad, ev, nil) {
			clause = append(clause, st.Not(st.Eq(v, st.Const(st.Width(v), ev.Eval(v)))))
		}
		return true, l.g.assert(ctx, st.OrN(clause...))
	}
	return false, nil
}

// weight returns how many bits the terms below t have, where a product or
// quotient of what isn't constant counts as the square of its width.
func weight(st *formula.Store, t formula.Term) int {
	n := 0
	seen := make([]bool, st.Len())
	todo := []formula.Term{t}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		n += st.Width(x)
		open := 0
		for _, y := range st.Args(x) {
			todo = append(todo, y)
			if _, ok := st.Value(y); !ok {
				open++
			}
		}
		switch st.Op(x) {
		case formula.OpMul, formula.OpUDiv, formula.OpURem, formula.OpSDiv, formula.OpSRem:
			if open > 1 {
				n += st.Width(x) * st.Width(x)
			}
		}
	}
	return n
}

package incremental

import (
	"context"

	"github.com/go-amend/amend/formula"
)

// This file eliminates quantifiers.

// maxInstances bounds how many instances stand for a quantifier.
const maxInstances = 10

// eliminate returns a proposition that holds where bad does for some value
// of variable v: exactly, and without quantifiers. It reports false if that
// is too hard.
func (e *engine) eliminate(ctx context.Context, bad formula.Term, v int) (formula.Term, bool, error) {
	x := e.t.vars[v]
	with, without := e.t.True(), e.t.True()
	for _, c := range e.t.conjuncts(nil, bad) {
		if !e.t.mentions(c).Has(v) {
			without = e.t.And(without, c)
			continue
		}
		if y, ok := e.solved(c, x, v); ok {
			return e.t.replace(bad, map[formula.Term]formula.Term{x: y}), true, nil
		}
		with = e.t.And(with, c)
	}
	bounds := e.bounds(with, x, v)
	some := e.t.False()
	for range maxInstances {
		ok, err := e.consistent(ctx, with, e.t.Not(some))
		if err != nil {
			return 0, false, err
		}
		if !ok {
			return e.t.And(without, some), true, nil
		}
		y := e.instance(with, x, bounds)
		if y == 0 {
			return 0, false, nil
		}
		some = e.t.Or(some, y)
	}
	return 0, false, nil
}

// solved returns the only value of x for which the proposition c may hold,
// if c says it.
func (e *engine) solved(c, x formula.Term, v int) (formula.Term, bool) {
	st := e.t
	switch {
	case c == x:
		return st.True(), true
	case c == st.Not(x) && st.Width(x) == 1:
		return st.False(), true
	case st.Op(c) != formula.OpEq:
		return 0, false
	}
	for i, l := range st.Args(c) {
		if y, ok := e.isolate(l, st.Arg(c, 1-i), x, v); ok {
			return y, true
		}
	}
	return 0, false
}

// isolate returns the y for which l is r, if x is y: l is x, or a sum of x
// and a term without x.
func (e *engine) isolate(l, r, x formula.Term, v int) (formula.Term, bool) {
	st := e.t
	if st.mentions(r).Has(v) || st.Width(l) != st.Width(x) {
		return 0, false
	}
	if l == x {
		return r, true
	}
	if st.Op(l) == formula.OpAdd {
		for i, a := range st.Args(l) {
			if b := st.Arg(l, 1-i); a == x && !st.mentions(b).Has(v) {
				return st.Sub(r, b), true
			}
		}
	}
	return 0, false
}

// bounds returns terms that comparisons of with compare x with, and their
// neighbours.
func (e *engine) bounds(with, x formula.Term, v int) []formula.Term {
	st := e.t
	var out []formula.Term
	one := st.Const(st.Width(x), 1)
	seen := make(map[formula.Term]bool)
	var visit func(t formula.Term)
	visit = func(t formula.Term) {
		if seen[t] || !st.mentions(t).Has(v) {
			return
		}
		seen[t] = true
		switch st.Op(t) {
		case formula.OpEq, formula.OpUlt, formula.OpSlt:
			for i, l := range st.Args(t) {
				if y, ok := e.isolate(l, st.Arg(t, 1-i), x, v); ok {
					out = append(out, y, st.Add(y, one), st.Sub(y, one))
				}
			}
		}
		for _, a := range st.Args(t) {
			visit(a)
		}
	}
	visit(with)
	return out
}

// instance returns with for a value of x that makes it hold in the last
// model: one of bounds if possible, since those hold in others too.
func (e *engine) instance(with, x formula.Term, bounds []formula.Term) formula.Term {
	value := e.o.value(x)
	for _, b := range append(bounds, e.t.Const(e.t.Width(x), value)) {
		y := e.t.replace(with, map[formula.Term]formula.Term{x: b})
		if e.o.value(y) == 1 {
			return y
		}
	}
	return 0
}

package incremental

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file decides by algebra what a SAT solver can't: equations between
// products.

// follows reports whether post follows from given by algebra: it is an equation
// of products, or false, and given holds the negation of one that follows from
// the rest.
func (t *terms) follows(given []formula.Term, post formula.Term) bool {
	if post != t.False() {
		return t.isProduct(post) && t.Entails(t.equations(given), t.Equations(nil, post)[0])
	}
	for _, x := range given {
		for _, y := range t.conjuncts(nil, x) {
			if no := t.Not(y); t.isProduct(no) && t.Entails(t.equations(given), t.Equations(nil, no)[0]) {
				return true
			}
		}
	}
	return false
}

// isProduct reports whether x is an equation that contains a product.
func (t *terms) isProduct(x formula.Term) bool {
	return t.Op(x) == formula.OpEq && t.Multiplies(x)
}

// equations returns the equations among the conjuncts of given.
func (t *terms) equations(given []formula.Term) []formula.Equation {
	var out []formula.Equation
	for _, x := range given {
		out = t.Equations(out, x)
	}
	return out
}

// withoutProducts returns given without equations that contain products, which
// are of use to algebra and a burden to solvers.
func (t *terms) withoutProducts(given []formula.Term) []formula.Term {
	return slices.DeleteFunc(slices.Clone(given), t.isProduct)
}

// implies reports whether given implies post, and leaves in the oracle's core
// what of given suffices. A solver is asked without equations of products
// first.
func (e *engine) implies(ctx context.Context, given []formula.Term, post formula.Term) (bool, error) {
	if e.t.follows(given, post) {
		e.o.core = append(e.o.core[:0], given...)
		return true, nil
	}
	plain := e.t.withoutProducts(given)
	status, err := e.o.check(ctx, append(plain, e.t.Not(post))...)
	if status != sat.Sat || len(plain) == len(given) || !slices.ContainsFunc(given, func(x formula.Term) bool { return e.o.value(x) == 0 }) {
		return status == sat.Unsat, err
	}
	status, err = e.o.check(ctx, append(given, e.t.Not(post))...)
	return status == sat.Unsat, err
}

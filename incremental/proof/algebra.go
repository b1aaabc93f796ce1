package proof

import "github.com/go-amend/amend/formula"

// This file proves triples about products by algebra, which solvers can't.

// byAlgebra reports whether the propositions before and after make a valid
// triple over the letter because of equations alone: after is one that follows,
// or the letter's guard or before hold the negation of one.
func (k *Checker) byAlgebra(before, after formula.Term) bool {
	st := k.c.Store
	var goals []formula.Term
	if after != st.False() {
		goals = append(goals, after)
	} else {
		goals = negations(st, negations(st, nil, before), k.letter.Guard)
	}
	for _, x := range goals {
		if st.Op(x) == formula.OpEq && st.Multiplies(x) && k.entailed(before, st.Equations(nil, x)[0]) {
			return true
		}
	}
	return false
}

// entailed reports whether goal follows from the equations of before, of the
// letter's guard and of its assignments.
func (k *Checker) entailed(before formula.Term, goal formula.Equation) bool {
	given := k.c.Store.Equations(k.c.Store.Equations(nil, before), k.letter.Guard)
	for i, v := range k.letter.Vars {
		given = append(given, formula.Equation{k.after[k.c.Vars[v].Term], k.letter.Values[i]})
	}
	return k.c.Store.Entails(given, goal)
}

// negations appends the negations of the conjuncts of x that are negated.
func negations(st *formula.Store, dst []formula.Term, x formula.Term) []formula.Term {
	switch st.Op(x) {
	case formula.OpAnd:
		return negations(st, negations(st, dst, st.Arg(x, 0)), st.Arg(x, 1))
	case formula.OpNot:
		return append(dst, st.Arg(x, 0))
	}
	return dst
}

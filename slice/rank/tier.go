package rank

import "github.com/go-amend/amend/formula/relation"

// This file tells which units the assertion is about.

// Tiers of units, higher ones more suspicious. The order is an assumption, not a
// proof: who writes "P <=> what P should be" doubts P, not the facts, nor what
// the other side uses.
const (
	TierNone     = -1 // nothing uses it
	TierProperty = 0  // the assertion itself: a predicate that it says to hold
	TierFact     = 1  // a fact, where the assertion is about something else
	TierUsed     = 2  // used by the assertion besides
	TierSubject  = 3  // what it is about; if it doesn't say: facts and what is used
)

// Tiers returns the tier of each unit.
func Tiers(m *Model) []int {
	body := map[relation.Node]int{}
	out := make([]int, len(m.Units))
	for i, u := range m.Units {
		body[u.Body] = i
		out[i] = TierNone
	}
	raise := func(tier int) func(int) {
		return func(i int) { out[i] = max(out[i], tier) }
	}
	property, subjects := map[int]bool{}, map[int]bool{}
	claimed(m.Check.Goal, body, property)
	sides(m.Check.Goal, body, property, subjects)
	facts, used := TierFact, TierUsed
	switch {
	case len(subjects) > 0:
	case len(property) > 0:
		used = TierSubject
	default:
		facts, used = TierSubject, TierSubject
	}
	for _, f := range m.Check.Facts {
		reach(f, body, raise(facts))
	}
	reach(m.Check.Goal, body, raise(used))
	for i := range subjects {
		out[i] = TierSubject
	}
	for i := range property {
		out[i] = TierProperty
	}
	return out
}

// reach calls f for each unit whose body is n or below.
func reach(n relation.Node, body map[relation.Node]int, f func(int)) {
	relation.Walk(n, func(n relation.Node) bool {
		if i, ok := body[n]; ok {
			f(i)
		}
		return true
	})
}

// claimed marks the units that n is a call of, or that its conjuncts are.
func claimed(n relation.Node, body map[relation.Node]int, out map[int]bool) {
	if i, ok := body[n]; ok {
		out[i] = true
		return
	}
	switch n := n.(type) {
	case *relation.LetFormula:
		claimed(n.Body, body, out)
	case *relation.LetExpr:
		claimed(n.Body, body, out)
	case *relation.LetInt:
		claimed(n.Body, body, out)
	case *relation.Sum:
		claimed(n.X, body, out)
	case *relation.IntSet:
		claimed(n.X, body, out)
	case *relation.Connective:
		if n.Op == relation.And {
			for _, x := range n.Xs {
				claimed(x, body, out)
			}
		}
	}
}

// sides marks the units of which one side of an equivalence or equation in n,
// or in a predicate that n claims to hold, is a call.
func sides(n relation.Node, body map[relation.Node]int, property, out map[int]bool) {
	relation.Walk(n, func(n relation.Node) bool {
		switch n := n.(type) {
		case *relation.Connective:
			if n.Op == relation.Iff {
				claimed(n.Xs[0], body, out)
				claimed(n.Xs[1], body, out)
			}
		case *relation.Compare:
			if n.Op == relation.Equal {
				claimed(n.X, body, out)
				claimed(n.Y, body, out)
			}
		case *relation.IntCompare:
			if n.Op == relation.IntEqual {
				claimed(n.X, body, out)
				claimed(n.Y, body, out)
			}
		}
		i, ok := body[n]
		return !ok || property[i]
	})
}

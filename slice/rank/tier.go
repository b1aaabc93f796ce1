package rank

import "github.com/go-amend/amend/formula/relation"

// This file tells which units the assertion is about.

// Tiers of units, higher ones looked at first. The order is an assumption, not a
// proof: who writes "P <=> what P should be" doubts P, not the facts, nor what
// the other side uses.
const (
	tierProperty = 0 // the assertion itself: a predicate that it says to hold
	tierFact     = 1 // a fact, where the assertion is about something else
	tierUsed     = 2 // used by the assertion besides
	tierSubject  = 3 // what it is about; if it doesn't say: facts and what is used
)

// tiers returns the tier of each unit; -1 for those that nothing uses.
func tiers(m *Model) []int {
	body := map[relation.Node]int{}
	out := make([]int, len(m.Units))
	for i, u := range m.Units {
		body[u.Body] = i
		out[i] = -1
	}
	raise := func(tier int) func(int) {
		return func(i int) { out[i] = max(out[i], tier) }
	}
	property, subjects := map[int]bool{}, map[int]bool{}
	claimed(m.Check.Goal, body, property)
	sides(m.Check.Goal, body, subjects)
	facts, used := tierFact, tierUsed
	switch {
	case len(subjects) > 0:
	case len(property) > 0:
		used = tierSubject
	default:
		facts, used = tierSubject, tierSubject
	}
	for _, f := range m.Check.Facts {
		reach(f, body, raise(facts))
	}
	reach(m.Check.Goal, body, raise(used))
	for i := range subjects {
		out[i] = tierSubject
	}
	for i := range property {
		out[i] = tierProperty
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

// claimed marks the units that the conjuncts of n say to hold, as they are.
func claimed(n relation.Node, body map[relation.Node]int, out map[int]bool) {
	if i, ok := body[n]; ok {
		out[i] = true
		return
	}
	switch n := n.(type) {
	case *relation.LetFormula:
		claimed(n.Body, body, out)
	case *relation.Connective:
		if n.Op == relation.And {
			for _, x := range n.Xs {
				claimed(x, body, out)
			}
		}
	}
}

// sides marks the units that are one side of an equivalence in n, as they are.
func sides(n relation.Node, body map[relation.Node]int, out map[int]bool) {
	relation.Walk(n, func(n relation.Node) bool {
		if c, ok := n.(*relation.Connective); ok && c.Op == relation.Iff {
			for _, x := range c.Xs {
				claimed(x, body, out)
			}
		}
		_, ok := body[n]
		return !ok
	})
}

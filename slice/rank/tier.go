package rank

import "github.com/go-amend/amend/formula/relation"

// This file tells which units the assertion is about.

// Tiers of units, higher ones looked at first. The order is an assumption, not a
// proof: who writes "P <=> what P should be" doubts P, not the facts, nor what
// both sides use.
const (
	tierFact     = 1 // a fact, where the assertion is about predicates or functions
	tierUsed     = 2 // used by what it is about
	tierSubject  = 3 // what it is about; or all facts, if it calls nothing
	tierProperty = 0 // it is the assertion: a predicate that the assertion says to hold
)

// tiers returns the tier of each unit; -1 for units that no command uses.
func tiers(m *Model) []int {
	body := map[relation.Node]int{}
	out := make([]int, len(m.Units))
	for i, u := range m.Units {
		body[u.Body] = i
		out[i] = -1
		if u.Kind == Fact {
			out[i] = tierFact
		}
	}
	called := map[int]bool{}
	reach(m.Check.Goal, body, func(i int) { called[i] = true })
	property := map[int]bool{}
	claimed(m.Check.Goal, body, property)
	subjects := subjectsOf(m, body, property)
	for i := range out {
		switch {
		case property[i]:
			out[i] = tierProperty
		case subjects[i]:
			out[i] = tierSubject
		case called[i]:
			out[i] = tierUsed
		}
	}
	if len(subjects) == 0 {
		for i, t := range out {
			if t > tierProperty {
				out[i] = tierSubject
			}
		}
		for _, f := range m.Check.Facts {
			reach(f, body, func(i int) {
				if out[i] < 0 {
					out[i] = tierSubject
				}
			})
		}
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

// subjectsOf returns the units that the assertion calls: those that only one
// side of an equivalence does if there are such; below those that are the
// assertion itself what they call.
func subjectsOf(m *Model, body map[relation.Node]int, property map[int]bool) map[int]bool {
	direct, single := map[int]bool{}, map[int]bool{}
	var walk func(n relation.Node)
	walk = func(n relation.Node) {
		if i, ok := body[n]; ok && !property[i] {
			direct[i] = true
			return
		}
		if c, ok := n.(*relation.Connective); ok && c.Op == relation.Iff {
			oneSided(c, body, single)
		}
		for _, x := range relation.Children(n, nil) {
			walk(x)
		}
	}
	walk(m.Check.Goal)
	if len(single) > 0 {
		return single
	}
	return direct
}

// oneSided marks the units that one side of c calls directly but the other
// doesn't use at all.
func oneSided(c *relation.Connective, body map[relation.Node]int, out map[int]bool) {
	for i, x := range c.Xs {
		other := map[int]bool{}
		reach(c.Xs[1-i], body, func(u int) { other[u] = true })
		relation.Walk(x, func(n relation.Node) bool {
			u, ok := body[n]
			if ok && !other[u] {
				out[u] = true
			}
			return !ok
		})
	}
}

package alloyfix

import (
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir/alloy"
)

// This file tells the oracle of a check from what the check is about.

// oracles returns which units only the oracle of the check with the problem p
// uses. The oracle is, of an equivalence or equation of which a side is a call,
// the other side, and what the assertion claims to hold, unless that is all there
// is. Facts and what they use are none of it.
func oracles(m *alloy.Model, p *alloy.Problem) []bool {
	o := &oracle{units: m.Units(), body: make(map[relation.Node]int)}
	for i, u := range o.units {
		o.body[u.Body] = i
	}
	o.sides, o.claimed = make(map[relation.Node]bool), make(map[relation.Node]bool)
	o.claims(p.Goal)
	o.pairs(p.Goal)
	soft, all := o.uses(p, o.sides, o.claimed), o.uses(p)
	if !slices.Contains(soft, true) {
		soft = o.uses(p, o.sides)
	}
	for i := range all {
		all[i] = all[i] && !soft[i]
	}
	return all
}

type oracle struct {
	units []alloy.Unit
	body  map[relation.Node]int

	claimed map[relation.Node]bool // calls that the assertion is made of
	sides   map[relation.Node]bool // what something is to be equal to
	about   []relation.Node        // the units that are to be so
}

// uses returns which units p's facts use, what is to be equal to something, or the
// goal without some parts.
func (o *oracle) uses(p *alloy.Problem, without ...map[relation.Node]bool) []bool {
	out := make([]bool, len(o.units))
	var reach func(n relation.Node, inGoal bool)
	reach = func(n relation.Node, inGoal bool) {
		relation.Walk(n, func(x relation.Node) bool {
			if inGoal && slices.ContainsFunc(without, func(w map[relation.Node]bool) bool { return w[x] }) {
				return false
			}
			i, unit := o.body[x]
			if !unit || x == n && !inGoal && out[i] {
				return true
			}
			if !out[i] {
				out[i] = true
				reach(x, false)
			}
			return false
		})
	}
	for _, f := range p.Facts {
		reach(f, false)
	}
	for _, body := range o.about {
		reach(body, false)
	}
	reach(p.Goal, true)
	return out
}

// called returns the unit that n is a call of, or -1.
func (o *oracle) called(n relation.Node) int {
	if i, ok := o.body[n]; ok {
		return i
	}
	switch n := n.(type) {
	case *relation.LetFormula:
		return o.called(n.Body)
	case *relation.LetExpr:
		return o.called(n.Body)
	case *relation.LetInt:
		return o.called(n.Body)
	case *relation.Sum:
		return o.called(n.X)
	case *relation.IntSet:
		return o.called(n.X)
	case *relation.Connective:
		if n.Op == relation.And && len(n.Xs) == 1 {
			return o.called(n.Xs[0])
		}
	}
	return -1
}

// claims marks the calls that n is, or conjuncts of it.
func (o *oracle) claims(n relation.Node) {
	c, ok := n.(*relation.Connective)
	switch {
	case o.called(n) >= 0:
		o.claimed[n] = true
	case ok && c.Op == relation.And:
		for _, x := range c.Xs {
			o.claims(x)
		}
	}
}

// pairs finds the equivalences and equations in goal and in what it claims, but not
// in what these call.
func (o *oracle) pairs(goal relation.Node) {
	pair := func(x, y relation.Node) {
		a, b := o.called(x), o.called(y)
		if a < 0 && b < 0 {
			return
		}
		if a < 0 || b >= 0 && o.extends(a, b) {
			y, a = x, b
		}
		o.sides[y] = true
		o.about = append(o.about, o.units[a].Body)
	}
	relation.Walk(goal, func(n relation.Node) bool {
		switch n := n.(type) {
		case *relation.Connective:
			if n.Op == relation.Iff {
				pair(n.Xs[0], n.Xs[1])
			}
		case *relation.Compare:
			if n.Op == relation.Equal {
				pair(n.X, n.Y)
			}
		case *relation.IntCompare:
			if n.Op == relation.IntEqual {
				pair(n.X, n.Y)
			}
		}
		i, unit := o.body[n]
		return !unit || o.isClaimed(i)
	})
}

// extends reports whether the name of unit a is that of b with more, as in pOK iff
// p. Else the left side is what is to be repaired.
func (o *oracle) extends(a, b int) bool {
	x, y := o.units[a].Name, o.units[b].Name
	return x != y && strings.HasPrefix(x, y)
}

// isClaimed reports whether the assertion says that unit i holds.
func (o *oracle) isClaimed(i int) bool {
	for n := range o.claimed {
		if o.called(n) == i {
			return true
		}
	}
	return false
}

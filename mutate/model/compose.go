package model

import (
	"slices"

	"github.com/go-amend/amend/formula/relation"
)

// This file puts changes together. A change inside another one's node, where
// that stays in place, is made there too. What a change copies from elsewhere
// is copied as it was, but for the bodies of what it calls.

// A composer makes formulas of a model with changes.
type composer struct {
	sp *space

	// pick returns what is at a place.
	pick func(c *composer, place int) relation.Node

	outer  relation.Node // only below this node, and not in the bodies of what it calls; or nil
	memo   map[relation.Node]relation.Node
	frozen map[relation.Node]relation.Node
}

func (sp *space) composer(pick func(*composer, int) relation.Node) *composer {
	return &composer{sp: sp, pick: pick, memo: make(map[relation.Node]relation.Node), frozen: make(map[relation.Node]relation.Node)}
}

// with returns a composer of the given alternatives.
func (sp *space) with(alts []int) *composer {
	chosen := make(map[int]*mutant, len(alts))
	for _, k := range alts {
		chosen[sp.at[sp.m.Nodes[sp.alts[k].node].Rel]] = &sp.alts[k]
	}
	return sp.composer(func(c *composer, p int) relation.Node {
		if m := chosen[p]; m != nil {
			return c.alternative(m)
		}
		return c.kept(p)
	})
}

// build returns what becomes of n.
func (c *composer) build(n relation.Node) relation.Node {
	if x, ok := c.memo[n]; ok {
		return x
	}
	var x relation.Node
	if p, ok := c.sp.at[n]; c.outer != nil && n != c.outer && c.sp.gen.bodies[n] {
		x = n
	} else if ok {
		x = c.pick(c, p)
	} else {
		x = relation.Rebuild(n, c.build)
	}
	c.memo[n] = x
	return x
}

// formula is build of a formula.
func (c *composer) formula(f relation.Formula) relation.Formula { return c.build(f).(relation.Formula) }

// kept returns a place without a change of its own.
func (c *composer) kept(p int) relation.Node {
	return relation.Rebuild(c.sp.m.Nodes[c.sp.places[p].node].Rel, c.build)
}

// alternative returns what m puts at its place.
func (c *composer) alternative(m *mutant) relation.Node {
	old := c.sp.m.Nodes[m.node].Rel
	var put func(x relation.Node) relation.Node
	put = func(x relation.Node) relation.Node {
		_, node := c.sp.gen.isNode[x]
		switch {
		case x == m.copied:
			return relation.Rebuild(x, c.freeze) // x may be the body of a unit, but is no call of it
		case x == old:
			return relation.Rebuild(x, c.build)
		case node, c.sp.gen.bodies[x]:
			return c.build(x)
		}
		return relation.Rebuild(x, put)
	}
	return put(m.new)
}

// freeze returns n, in which nothing changes but the bodies of what it calls.
func (c *composer) freeze(n relation.Node) relation.Node {
	if c.sp.gen.bodies[n] {
		return c.build(n)
	}
	x, ok := c.frozen[n]
	if !ok {
		x = relation.Rebuild(n, c.freeze)
		c.frozen[n] = x
	}
	return x
}

// outermost returns the nodes that alternatives change, without those inside
// others, in the order of the source.
func (sp *space) outermost(alts []int) (out []int) {
	changed := make(map[int]bool)
	for _, k := range alts {
		changed[sp.alts[k].node] = true
	}
	for _, k := range alts {
		i := sp.alts[k].node
		up := sp.m.Nodes[i].Parent
		for up >= 0 && !changed[up] {
			up = sp.m.Nodes[up].Parent
		}
		if up < 0 {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// written returns what alternatives make of node i where it is written: what it
// calls has a text of its own.
func (sp *space) written(i int, alts []int) relation.Node {
	c := sp.with(alts)
	c.outer = sp.m.Nodes[i].Rel
	return c.build(c.outer)
}

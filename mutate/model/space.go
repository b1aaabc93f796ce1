package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/slice/rank"
)

// This file holds the space of all sets of changes.

// A space is all changes of a model up to a cost, numbered through.
type space struct {
	m      *rank.Model
	gen    *generator
	limit  int // of the costs
	places []place
	at     map[relation.Node]int // places by what is there
	alts   []mutant
	id     []int // of alternatives, in the space of all
}

// A place is a node with its alternatives.
type place struct {
	node       int // index in Model.Nodes
	first, end int // alternatives
}

// newSpace returns the space of all changes of m's nodes that are not hard; those
// of one node cheapest first.
func newSpace(m *rank.Model, gen *generator) *space {
	sp := &space{m: m, gen: gen, limit: math.MaxInt, at: make(map[relation.Node]int)}
	order := newCallOrder(m)
	for i, n := range m.Nodes {
		if n.Hard {
			continue
		}
		xs := slices.DeleteFunc(slices.Concat(gen.plain(i), gen.copies(i)), func(x mutant) bool {
			return quantifiesOverSets(x.copied) || !order.allows(n.Unit, x.copied)
		})
		slices.SortStableFunc(xs, func(a, b mutant) int { return cmp.Compare(a.cost, b.cost) })
		ids := make([]int, len(xs))
		for k := range ids {
			ids[k] = len(sp.alts) + k
		}
		sp.add(i, xs, ids)
	}
	return sp
}

// add adds a place for node i, unless it has no alternatives.
func (sp *space) add(i int, xs []mutant, ids []int) {
	if len(xs) == 0 {
		return
	}
	first := len(sp.alts)
	sp.alts, sp.id = append(sp.alts, xs...), append(sp.id, ids...)
	sp.at[sp.m.Nodes[i].Rel] = len(sp.places)
	sp.places = append(sp.places, place{i, first, len(sp.alts)})
}

// only returns the space of the alternatives for which keep returns true.
func (sp *space) only(keep func(alt int) bool) *space {
	out := &space{m: sp.m, gen: sp.gen, limit: sp.limit, at: make(map[relation.Node]int)}
	for _, p := range sp.places {
		var xs []mutant
		var ids []int
		for k := p.first; k < p.end; k++ {
			if keep(k) {
				xs, ids = append(xs, sp.alts[k]), append(ids, sp.id[k])
			}
		}
		out.add(p.node, xs, ids)
	}
	return out
}

// upTo returns the space of the changes that cost at most limit.
func (sp *space) upTo(limit int) *space {
	out := sp.only(func(k int) bool { return sp.alts[k].cost <= limit })
	out.limit = limit
	return out
}

// cegis returns the space as the search takes it.
func (sp *space) cegis() cegis.Space {
	out := make(cegis.Space, len(sp.places))
	for i, p := range sp.places {
		out[i].Alternatives = make([]cegis.Alternative, p.end-p.first)
	}
	return out
}

// cost returns what a set of alternatives costs.
func (sp *space) cost(alts []int) (n int) {
	for _, k := range alts {
		n += sp.alts[k].cost
	}
	return n
}

// quantifiesOverSets reports whether x, or nil, does: no circuit decides that
// under a condition.
func quantifiesOverSets(x relation.Node) (found bool) {
	if x == nil {
		return false
	}
	relation.Walk(x, func(n relation.Node) bool {
		if q, ok := n.(*relation.Quant); ok {
			found = found || slices.ContainsFunc(q.Decls, func(d relation.Decl) bool { return d.Mult != relation.OneOf })
		}
		return !found
	})
	return found
}

// A callOrder is an order of units in which callees come before callers, facts
// last. A copied call is allowed of a unit that comes before, so that no set of
// changes makes a recursion.
type callOrder struct {
	body map[relation.Node]int // units
	rank []int                 // of units
}

func newCallOrder(m *rank.Model) *callOrder {
	o := &callOrder{body: make(map[relation.Node]int), rank: make([]int, len(m.Units))}
	for i, u := range m.Units {
		o.body[u.Body] = i
	}
	next := 1
	var visit func(i int)
	visit = func(i int) {
		if o.rank[i] != 0 {
			return
		}
		o.rank[i] = -1
		o.calls(m.Units[i].Body, visit)
		o.rank[i] = next
		next++
	}
	for i, u := range m.Units {
		if u.Kind != rank.Fact {
			visit(i)
		}
	}
	for i := range m.Units {
		visit(i)
	}
	return o
}

// calls calls f for the units below n.
func (o *callOrder) calls(n relation.Node, f func(int)) {
	relation.Walk(n, func(x relation.Node) bool {
		i, ok := o.body[x]
		if ok && x != n {
			f(i)
		}
		return !ok || x == n
	})
}

// allows reports whether x, or nil, may be copied to a unit.
func (o *callOrder) allows(unit int, x relation.Node) bool {
	ok := true
	if x == nil {
		return ok
	}
	o.calls(x, func(i int) { ok = ok && o.rank[i] < o.rank[unit] })
	return ok
}

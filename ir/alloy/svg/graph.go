package svg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir/alloy"
)

// This file makes graphs of instances.

// A graph is what one state has, or all states together.
type graph struct {
	nodes []*node
	edges []*edge
	at    map[string]*node
	arrow map[[2]*node]*edge
}

// A node is an atom, or stands for those of a signature that are too many.
type node struct {
	name  string
	top   int      // the top-level signature, by which it is coloured
	sets  []string // that hold it, but for the signature that its name has
	lines []string // its integers
	more  map[relation.Atom]bool
}

// An edge holds the names of all fields with a tuple from one node to another.
type edge struct {
	from, to *node
	labels   []string
}

func newGraph() *graph {
	return &graph{at: make(map[string]*node), arrow: make(map[[2]*node]*edge)}
}

func (g *graph) node(name string, top int) *node {
	n := g.at[name]
	if n == nil {
		n = &node{name: name, top: top}
		g.at[name] = n
		g.nodes = append(g.nodes, n)
	}
	return n
}

func (g *graph) edge(from, to *node) *edge {
	key := [2]*node{from, to}
	e := g.arrow[key]
	if e == nil {
		e = &edge{from: from, to: to}
		g.arrow[key] = e
		g.edges = append(g.edges, e)
	}
	return e
}

// union returns a graph with the nodes and edges of all, and the most text of each
// node.
func union(gs []*graph) *graph {
	all := newGraph()
	for _, g := range gs {
		for _, n := range g.nodes {
			m := all.node(n.name, n.top)
			m.sets, m.lines = wider(m.sets, n.sets), wider(m.lines, n.lines)
		}
		for _, e := range g.edges {
			x := all.edge(all.at[e.from.name], all.at[e.to.name])
			x.labels = wider(x.labels, e.labels)
		}
	}
	return all
}

// wider returns the list that needs more room.
func wider(a, b []string) []string {
	size := func(s []string) int { return len(s)*1000 + len(strings.Join(s, "")) }
	if size(b) > size(a) {
		return b
	}
	return a
}

// A builder makes the graph of a state.
type builder struct {
	*graph
	m     *alloy.Model
	u     *relation.Universe
	most  int // atoms of a signature
	of    map[relation.Atom]*node
	count []int // by signature: atoms seen
}

// graphOf returns the graph of in, which has one state.
func graphOf(m *alloy.Model, in *relation.Instance, most int) *graph {
	b := &builder{graph: newGraph(), m: m, u: in.Bounds.Universe, most: most, of: make(map[relation.Atom]*node), count: make([]int, len(m.Sigs()))}
	for i, s := range m.Sigs() {
		if set := in.Get(s.Relation); set != nil && s.Parent < 0 {
			b.signature(i, set)
		}
	}
	values := m.Values(in)
	for _, v := range values {
		if v.Tuples.Arity() == 1 {
			b.set(v)
		}
	}
	for _, v := range values {
		if v.Tuples.Arity() > 1 {
			b.field(v)
		}
	}
	return b.graph
}

// signature adds the atoms of a top-level signature.
func (b *builder) signature(i int, atoms *relation.Set) {
	for t := range atoms.All() {
		a := t[0]
		if _, isInt := b.u.Int(a); isInt || b.of[a] != nil {
			continue
		}
		if b.count[i]++; b.count[i] <= b.most {
			b.of[a] = b.node(b.u.Name(a), i)
			continue
		}
		n := b.node("more of "+b.m.Sigs()[i].Name, i)
		n.sets = []string{fmt.Sprint(b.count[i]-b.most, " atoms")}
		b.of[a] = n
		if n.more == nil {
			n.more = make(map[relation.Atom]bool)
		}
		n.more[a] = true
	}
}

// set names v at its atoms, unless their names do or say what extends v.
func (b *builder) set(v alloy.Value) {
	for t := range v.Tuples.All() {
		if n := b.of[t[0]]; n != nil && n.more == nil && !b.named(n, v.Name) {
			n.sets = append(n.sets, v.Name)
		}
	}
}

// named reports whether the signature that n's name has is that called name, or
// extends it.
func (b *builder) named(n *node, name string) bool {
	sigs := b.m.Sigs()
	for i, s := range sigs {
		if !strings.HasPrefix(n.name, s.Name+"$") {
			continue
		}
		for ; i >= 0; i = sigs[i].Parent {
			if sigs[i].Name == name {
				return true
			}
		}
	}
	return false
}

// field adds v's tuples: a line of text where the last column is an integer, else
// an edge.
func (b *builder) field(v alloy.Value) {
	name := v.Name[strings.LastIndexByte(v.Name, '.')+1:]
	for t := range v.Tuples.All() {
		from, to := b.of[t[0]], b.of[t[len(t)-1]]
		if from == nil {
			continue
		}
		label := name
		if len(t) > 2 {
			var between []string
			for _, a := range t[1 : len(t)-1] {
				between = append(between, b.u.Name(a))
			}
			label += "[" + strings.Join(between, ", ") + "]"
		}
		switch last := t[len(t)-1]; {
		case to != nil:
			e := b.edge(from, to)
			if !slices.Contains(e.labels, label) {
				e.labels = append(e.labels, label)
			}
		case from.more == nil:
			from.lines = append(from.lines, label+" = "+b.u.Name(last))
		}
	}
}

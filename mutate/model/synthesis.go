package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file finds changes of a node that are not made from its text: any small
// expression, or formula, that is right in all remembered instances. The solver
// refutes it or not; a counterexample joins the instances.

// Limits of the synthesis at one node. Words are steps, each of up to 64 instances.
const (
	maxWords      = 40_000_000  // calculated for one proposal
	maxModelWords = 400_000_000 // for all of a model
	maxRounds     = 12          // of proposals
	maxProposals  = 6           // verified at once
	maxOfNode     = 3           // repairs
	maxPoints     = 700         // bindings under which the node occurs
)

// synthesizeAll tries it at all open nodes, small ones first: what keeps the good
// instances and, if nothing does, what does not.
func (l *explorer) synthesizeAll(ctx context.Context, open []int) error {
	if err := l.hope(ctx); err != nil {
		return err
	}
	open = l.unrepaired(open)
	slices.SortStableFunc(open, func(a, b int) int {
		return cmp.Compare(l.gen.sizeOf(l.m.Nodes[a].Rel), l.gen.sizeOf(l.m.Nodes[b].Rel))
	})
	for _, l.exact = range []bool{true, false} {
		for _, i := range open {
			if err := l.synthesize(ctx, i); err != nil {
				return err
			}
		}
		if len(l.repairs) > 0 {
			break
		}
	}
	return nil
}

// unrepaired returns the nodes in and below which no small change is a repair that
// keeps what is good.
func (l *explorer) unrepaired(open []int) (out []int) {
	repaired := make(map[int]bool)
	for _, r := range l.repairs {
		for i := r.Node; i >= 0 && r.Keeps; i = l.m.Nodes[i].Parent {
			repaired[i] = true
		}
	}
	for _, i := range open {
		if !repaired[i] {
			out = append(out, i)
		}
	}
	return out
}

// hopes is how many instances are collected that a repair may make pass.
const hopes = 4

// hope remembers instances of the assertion and the run that the facts exclude, if
// none passes with them: what is proposed lets one of these pass.
func (l *explorer) hope(ctx context.Context) error {
	if l.passes || l.ownBounds || l.witnessed {
		l.hopes = l.before
		if !l.passes {
			l.hopes = 0
		}
		return nil
	}
	c := l.m.Passing()
	wish := &relation.Connective{Op: relation.And, Xs: append(slices.Clone(c.Implicit), c.Goal, l.m.Check.Goal)}
	g, err := l.s.Gate(wish)
	if err != nil {
		return err
	}
	gs := []relation.Gate{g}
	for range hopes {
		in, err := l.solve(ctx, gs...)
		if err != nil || in == nil {
			return err
		}
		l.hopes |= l.remember(in)
		gs = append(gs, l.s.Is(in).Not())
	}
	return nil
}

// synthesize tries expressions in the place of node i, small ones first.
func (l *explorer) synthesize(ctx context.Context, i int) error {
	h := l.holes[i]
	if h.Bindings() == 0 || h.Bindings() > maxPoints {
		return nil
	}
	rejected := make(map[string]bool)
	for round := 0; round < maxRounds && l.words < maxModelWords; round++ {
		ms, err := l.propose(ctx, i, rejected)
		if err != nil || len(ms) == 0 {
			return err
		}
		found, kept := len(l.repairs), l.s.Kept()
		err = l.tryEqual(ctx, h, ms)
		if err != nil || len(l.repairs) > found {
			l.repairs = l.repairs[:min(len(l.repairs), found+maxOfNode)]
			return err
		}
		for _, m := range ms {
			rejected[l.gen.text(m.new)] = true
		}
		if kept == relation.MaxKept {
			return nil
		}
	}
	return nil
}

// A synthesizer proposes what may stand in the place of one node.
type synthesizer struct {
	l    *explorer
	i    int
	n    relation.Node
	h    *relation.Hole
	ds   *domains
	bank *bank
	left int // words that may be calculated, of
	of   int
	care []uint64

	rejected      map[string]bool
	tried         map[[2]uint64]bool
	must, mustNot []uint64 // what a formula must be: see Hole.Needs
	found         []mutant
}

// propose returns what is right in all remembered instances, the closest to the
// node's text first.
func (l *explorer) propose(ctx context.Context, i int, rejected map[string]bool) ([]mutant, error) {
	s := &synthesizer{
		l: l, i: i, n: l.m.Nodes[i].Rel, h: l.holes[i],
		ds:       &domains{t: l.gen.t, known: make(map[uint64]*domain)},
		rejected: rejected, tried: make(map[[2]uint64]bool),
	}
	s.stage(maxWords)
	defer s.stage(0)
	if err := s.fill(); err != nil {
		return nil, err
	}
	var err error
	switch n := s.n.(type) {
	case relation.Formula:
		s.must, s.mustNot = s.h.Needs()
		err = s.formulas(ctx, n)
	case relation.Expr:
		err = s.expressions(n)
	}
	s.h.Clear()
	slices.SortStableFunc(s.found, func(a, b mutant) int { return cmp.Compare(a.cost, b.cost) })
	return s.found[:min(len(s.found), maxProposals)], err
}

// stage notes what was calculated, and allows some more.
func (s *synthesizer) stage(words int) {
	s.l.words += s.of - s.left
	s.left, s.of = words, words
}

// fill puts what is in scope into the bank.
func (s *synthesizer) fill() error {
	g := s.l.gen
	s.bank = newBank(s.ds, s.h.Bindings(), 3000, &s.left)
	for _, v := range g.scope[s.n] {
		if bound := g.bound[v]; bound != nil && subset(relation.FreeVars(bound), g.scope[s.n]) {
			in, err := s.h.Values(&relation.Compare{Op: relation.In, X: v, Y: bound}, nil)
			if err != nil {
				return err
			}
			for k := range in {
				s.bank.care[k] &= in[k]
			}
		}
	}
	s.care = s.bank.care
	for _, f := range g.m.Fields {
		shape := g.t.Of(f.Relation)
		s.bank.wants[shape] = true
		if shape.Arity == 3 {
			s.bank.wants[rank.Shape{Arity: 2, Kinds: [4]uint64{shape.Kinds[0], shape.Kinds[1]}}] = true
			s.bank.wants[rank.Shape{Arity: 2, Kinds: [4]uint64{shape.Kinds[1], shape.Kinds[2]}}] = true
		}
	}
	for _, x := range s.leaves() {
		shape := g.t.Of(x)
		if wide(x) != x {
			shape.Kinds[1] = shape.Kinds[0]
		}
		if shape.Arity > 3 || shape.Arity == 0 || slices.Contains(shape.Kinds[:shape.Arity], 0) || slices.Contains(shape.Kinds[:shape.Arity], ^uint64(0)) {
			continue
		}
		v, err := s.h.Values(x, g.t.Atoms(shape))
		if err != nil {
			return err
		}
		if v != nil {
			s.bank.add(&term{x, shape, 1, v})
		}
	}
	return nil
}

// subset reports whether all of vs are in ws.
func subset(vs, ws []*relation.Var) bool {
	return !slices.ContainsFunc(vs, func(v *relation.Var) bool { return !slices.Contains(ws, v) })
}

// leaves returns the variables, relations, identities and projections that terms are
// made of, and the expressions of the node and of its unit.
func (s *synthesizer) leaves() (out []relation.Expr) {
	g := s.l.gen
	for _, v := range g.scope[s.n] {
		out = append(out, v)
	}
	for _, f := range g.m.Fields {
		out = append(out, f.Relation)
	}
	for _, x := range g.m.Sigs {
		out = append(out, x.Relation)
	}
	for _, x := range g.m.Sigs {
		if x.Parent < 0 && slices.ContainsFunc(g.m.Fields, func(f rank.Field) bool { return homogeneous(g.t.Of(f.Relation), g.t.Of(x.Relation)) }) {
			out = append(out, g.identity(x.Relation))
		}
	}
	for _, f := range g.m.Fields {
		if x := g.projection(f.Relation, g.scope[s.n]); x != nil {
			out = append(out, x)
		}
	}
	unit := s.l.m.Nodes[s.i].Unit
	relation.Walk(s.n, func(x relation.Node) bool { return s.leaf(x, &out) })
	relation.Walk(s.l.m.Units[unit].Body, func(x relation.Node) bool { return s.leaf(x, &out) })
	return out
}

// homogeneous reports whether a binary shape relates what a set holds.
func homogeneous(r, set rank.Shape) bool {
	return r.Arity == 2 && r.Kinds[0] == set.Kinds[0] && r.Kinds[1] == set.Kinds[0]
}

// leaf appends x if it is an expression that makes sense at the node.
func (s *synthesizer) leaf(x relation.Node, out *[]relation.Expr) bool {
	g := s.l.gen
	if g.bodies[x] && x != s.l.m.Units[s.l.m.Nodes[s.i].Unit].Body {
		return false
	}
	if e, ok := x.(relation.Expr); ok && g.sizeOf(x) <= 12 && !g.callsOracle(x) && subset(relation.FreeVars(x), g.scope[s.n]) {
		if !slices.Contains(*out, e) {
			*out = append(*out, e)
		}
	}
	return true
}

// expressions proposes terms, alone and joined to n.
func (s *synthesizer) expressions(n relation.Expr) error {
	g := s.l.gen
	shape := g.t.Of(n)
	upper := g.t.Atoms(shape)
	s.bank.grow(4)
	for size := range s.bank.size {
		for _, x := range s.bank.ofSize(size) {
			if len(s.found) >= 4*maxProposals {
				return nil
			}
			if v := s.fit(x, shape, upper); v != nil {
				s.consider(v, func() relation.Node { return x.x })
			}
		}
	}
	return nil
}

// fit returns the values of x in the order of the hole's tuples, or nil if it may
// have others.
func (s *synthesizer) fit(x *term, shape rank.Shape, upper *relation.Set) []uint64 {
	if x.shape.Arity != shape.Arity {
		return nil
	}
	if x.shape == shape {
		return x.v
	}
	for i := range shape.Arity {
		if x.shape.Kinds[i]&^shape.Kinds[i] != 0 {
			return nil
		}
	}
	w, all := s.ds.all(x.shape), upper.Len()
	v := make([]uint64, s.bank.n*all)
	k := -1
	for t := range upper.All() {
		k++
		at := 0
		for i, a := range t {
			d := s.ds.of(x.shape.Kinds[i])
			j, ok := d.index[a]
			if !ok {
				at = -1
				break
			}
			at = at*len(d.atoms) + j
		}
		for b := range s.bank.n {
			if at >= 0 {
				v[b*all+k] = x.v[b*w+at]
			}
		}
	}
	return v
}

// consider proposes what has the values v in the place of the node, if it is right.
func (s *synthesizer) consider(v []uint64, make func() relation.Node) {
	s.left -= len(v) + 4
	d := digest(v, s.care)
	if s.tried[d] {
		return
	}
	s.tried[d] = true
	s.l.tried++
	s.left -= s.h.Size()
	var fails, passes, lost uint64
	s.h.TryValues(v, func(root int, one, zero uint64) {
		switch root {
		case 0:
			fails = one
		case 1:
			lost = zero & s.l.good
		case 2:
			passes = one
		}
	})
	if fails != 0 || s.l.exact && lost != 0 || s.l.hopes != 0 && passes&s.l.hopes == 0 {
		return
	}
	x := make()
	if s.rejected[s.l.gen.text(x)] {
		return
	}
	s.found = append(s.found, mutant{node: s.i, new: x, cost: costCopy + s.l.gen.distance(s.n, x), exact: s.l.exact})
}

// identity returns the identity of what a signature holds.
func (g *generator) identity(r *relation.Relation) relation.Expr {
	if g.identities[r] == nil {
		g.identities[r] = &relation.Binary{Op: relation.DomRestrict, X: r, Y: &relation.Const{Op: relation.Iden}}
	}
	return g.identities[r]
}

// projection returns what a ternary relation says of its outer columns, if both
// hold the same signature: no operator drops the column between them. Without that
// there is no closure of a labelled graph.
func (g *generator) projection(r *relation.Relation, scope []*relation.Var) relation.Expr {
	shape := g.t.Of(r)
	if shape.Arity != 3 || shape.Kinds[0] != shape.Kinds[2] {
		return nil
	}
	i := slices.IndexFunc(g.m.Sigs, func(x rank.Sig) bool { return g.t.Of(x.Relation).Kinds[0] == shape.Kinds[0] })
	if i < 0 {
		return nil
	}
	sig := g.m.Sigs[i]
	x := g.fresh(sig, scope)
	y := g.fresh(sig, append(slices.Clone(scope), x))
	labels := &relation.Binary{Op: relation.Join, X: &relation.Binary{Op: relation.Join, X: x, Y: r}, Y: y}
	return &relation.Comprehension{
		Decls: []relation.Decl{{Vars: []*relation.Var{x, y}, Mult: relation.OneOf, Bound: sig.Relation}},
		Body:  &relation.Mult{Op: relation.SomeOf, X: labels},
	}
}

// fresh returns a variable over what s holds, whose name is used nowhere.
func (g *generator) fresh(s rank.Sig, scope []*relation.Var) *relation.Var {
	name := strings.ToLower(s.Name[:1])
	if name[0] < 'a' || name[0] > 'z' {
		name = "x"
	}
	used := func(n string) bool {
		return g.names[n] || slices.ContainsFunc(scope, func(v *relation.Var) bool { return v.Name == n })
	}
	for used(name) {
		name += name[:1]
	}
	return &relation.Var{Name: name, Width: 1}
}

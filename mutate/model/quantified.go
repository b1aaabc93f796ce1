package model

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file proposes formulas: comparisons, pairs of them, and quantified ones.

// formulas proposes what may stand for n, or be joined to it.
func (s *synthesizer) formulas(ctx context.Context, n relation.Formula) error {
	more, err := s.known()
	if err != nil {
		return err
	}
	s.bank.grow(3)
	s.stage(maxWords / 3)
	as := s.bank.atoms(6, 3000, more)
	for _, a := range as.atoms {
		s.formula(a.v, func() relation.Formula { return a.f })
	}
	v, err := s.h.Values(n, nil)
	if err != nil {
		return err
	}
	s.joined(&atom{f: n, v: v}, as.atoms)
	s.pairs(as.atoms[:min(len(as.atoms), 700)])
	if s.enough() || ctx.Err() != nil {
		return nil
	}
	if q, ok := n.(*relation.Quant); ok {
		if err := s.ranges(q); err != nil {
			return err
		}
	}
	for _, t := range s.l.m.Sigs {
		if t.Parent < 0 {
			s.quantified(t, maxWords/3/len(s.l.m.Sigs))
		}
	}
	return nil
}

// maxRanges is how many terms are tried for each range of a quantifier.
const maxRanges = 120

// ranges proposes other ranges of n's variables.
func (s *synthesizer) ranges(n *relation.Quant) error {
	for i, d := range n.Decls {
		if d.Mult != relation.OneOf {
			continue
		}
		terms := s.bank.shape[s.l.gen.t.Of(d.Bound)]
		for _, t := range terms[:min(len(terms), maxRanges)] {
			ds := slices.Clone(n.Decls)
			ds[i].Bound = t.x
			q := &relation.Quant{Op: n.Op, Decls: ds, Body: n.Body}
			v, err := s.h.Values(q, nil)
			if err != nil {
				return err
			}
			s.formula(v, func() relation.Formula { return q })
		}
	}
	return nil
}

func (s *synthesizer) enough() bool { return len(s.found) >= 4*maxProposals }

// known returns the model's own formulas without connective or quantifier, with
// variables in scope.
func (s *synthesizer) known() (out []*atom, err error) {
	g := s.l.gen
	for k, d := range g.ingredients {
		if !d.atom || len(out) > 300 {
			continue
		}
		g.rename(k, s.n, func(x relation.Node) {
			v, e := s.h.Values(x, nil)
			if e != nil {
				err = e
				return
			}
			out = append(out, &atom{x.(relation.Formula), d.size, v})
		})
	}
	return out, err
}

// formula proposes what has the values v, unless it is wrong under some binding
// already.
func (s *synthesizer) formula(v []uint64, f func() relation.Formula) {
	for k, x := range v {
		if s.must[k]&^x|s.mustNot[k]&x != 0 {
			return
		}
	}
	s.consider(v, func() relation.Node { return f() })
}

// joined proposes n with an atom.
func (s *synthesizer) joined(n *atom, as []*atom) {
	v := make([]uint64, len(n.v))
	join := func(op relation.ConnectiveOp, x, y relation.Formula) func() relation.Formula {
		return func() relation.Formula { return &relation.Connective{Op: op, Xs: []relation.Formula{x, y}} }
	}
	for _, a := range as {
		if s.enough() {
			return
		}
		for k := range v {
			v[k] = n.v[k] & a.v[k]
		}
		s.formula(v, join(relation.And, n.f, a.f))
		for k := range v {
			v[k] = n.v[k] | a.v[k]
		}
		s.formula(v, join(relation.Or, n.f, a.f))
		for k := range v {
			v[k] = n.v[k] | ^a.v[k]
		}
		s.formula(v, join(relation.Implies, a.f, n.f))
	}
}

// pairs proposes conjunctions, disjunctions and implications of atoms.
func (s *synthesizer) pairs(as []*atom) {
	n := len(s.must)
	v := make([]uint64, n)
	var whenTrue, whenFalse []*atom // right where they must be true, or false
	for _, a := range as {
		ok := [2]bool{true, true}
		for k, x := range a.v {
			ok[0] = ok[0] && s.must[k]&^x == 0
			ok[1] = ok[1] && s.mustNot[k]&x == 0
		}
		if ok[0] {
			whenTrue = append(whenTrue, a)
		}
		if ok[1] {
			whenFalse = append(whenFalse, a)
		}
	}
	both := func(op relation.ConnectiveOp, as, bs []*atom, same bool, value func(x, y uint64) uint64) {
		for i, a := range as {
			if same {
				bs = as[:i]
			}
			for _, b := range bs {
				if s.left -= 2; s.left < 0 || s.enough() {
					return
				}
				for k := range v {
					v[k] = value(a.v[k], b.v[k])
				}
				s.formula(v, func() relation.Formula { return &relation.Connective{Op: op, Xs: []relation.Formula{b.f, a.f}} })
			}
		}
	}
	both(relation.And, whenTrue, nil, true, func(x, y uint64) uint64 { return x & y })
	both(relation.Or, whenFalse, nil, true, func(x, y uint64) uint64 { return x | y })
	both(relation.Implies, whenFalse, as, false, func(x, y uint64) uint64 { return x | ^y })
}

// quantified proposes formulas about all or some of what is of t's kind.
func (s *synthesizer) quantified(t rank.Sig, budget int) {
	g := s.l.gen
	shape := g.t.Of(t.Relation)
	y := g.fresh(t, g.scope[s.n])
	s.stage(budget)
	q := s.bank.with(y, shape, 400, &s.left)
	if q == nil {
		return
	}
	q.grow(3)
	as := slices.DeleteFunc(q.atoms(5, 1500, nil).atoms, func(a *atom) bool { return !slices.Contains(relation.FreeVars(a.f), y) })
	s.stage(budget)
	over := s.bank.shape[shape]
	over = slices.DeleteFunc(slices.Clone(over), func(t *term) bool { return t.size > 2 })
	for k, t := range over[:min(len(over), 12)] {
		r := &ranging{s: s, y: y, t: t, d: s.ds.all(shape), v: make([]uint64, s.bank.n)}
		for _, a := range as {
			r.each(a)
		}
		if k < 3 {
			r.pairs(as[:min(len(as), 300)])
		}
	}
}

// with returns a bank with a variable more, or nil if that is too large.
func (b *bank) with(y *relation.Var, shape rank.Shape, most int, left *int) *bank {
	d := b.ds.all(shape)
	if shape.Arity != 1 || d == 0 || b.n*d > maxPoints {
		return nil
	}
	q := newBank(b.ds, b.n*d, most, left)
	q.wants = b.wants
	one := &term{y, shape, 1, make([]uint64, q.n*d)}
	for k := range q.n {
		q.care[k] = b.care[k/d]
		one.v[k*d+k%d] = ^uint64(0)
	}
	q.add(one)
	for _, t := range b.ofSize(1) {
		w := b.ds.all(t.shape)
		v := make([]uint64, q.n*w)
		for k := range q.n {
			copy(v[k*w:(k+1)*w], t.v[k/d*w:])
		}
		q.add(&term{t.x, t.shape, t.size, v})
	}
	return q
}

// A ranging proposes what is quantified over a term.
type ranging struct {
	s *synthesizer
	y *relation.Var
	t *term
	d int // atoms
	v []uint64
}

// quant returns a formula quantified over the range.
func (r *ranging) quant(op relation.QuantOp, f relation.Formula) relation.Formula {
	return &relation.Quant{Op: op, Decls: []relation.Decl{{Vars: []*relation.Var{r.y}, Mult: relation.OneOf, Bound: r.t.x}}, Body: f}
}

// each proposes an atom with each quantifier.
func (r *ranging) each(a *atom) {
	s := r.s
	if s.left -= 2 * len(a.v); s.left < 0 || s.enough() {
		return
	}
	more := make([]uint64, len(r.v))
	put := func(op relation.QuantOp) {
		s.formula(r.v, func() relation.Formula { return r.quant(op, a.f) })
	}
	for k := range r.v {
		r.v[k] = ^uint64(0)
		for i := k * r.d; i < (k+1)*r.d; i++ {
			r.v[k] &= a.v[i] | ^r.t.v[i]
		}
	}
	put(relation.All)
	for k := range r.v {
		r.v[k] = 0
		for i := k * r.d; i < (k+1)*r.d; i++ {
			x := a.v[i] & r.t.v[i]
			more[k] |= r.v[k] & x
			r.v[k] |= x
		}
	}
	put(relation.Some)
	for k := range r.v {
		r.v[k] &^= more[k]
	}
	put(relation.One)
	for k := range r.v {
		r.v[k] = ^more[k]
	}
	put(relation.Lone)
}

// pairs proposes all y | g implies a, and some y | g and a.
func (r *ranging) pairs(as []*atom) {
	s := r.s
	for i, g := range as {
		for j, a := range as {
			if i == j || s.enough() {
				continue
			}
			if r.all(g, a) {
				s.formula(r.v, func() relation.Formula {
					return r.quant(relation.All, &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{g.f, a.f}})
				})
			}
			if i < j && r.some(g, a) {
				s.formula(r.v, func() relation.Formula {
					return r.quant(relation.Some, &relation.Connective{Op: relation.And, Xs: []relation.Formula{g.f, a.f}})
				})
			}
			if s.left -= 4; s.left < 0 {
				return
			}
		}
	}
}

// all calculates where a holds for all of which g does; it stops where that is
// wrong.
func (r *ranging) all(g, a *atom) bool {
	for k := range r.v {
		v := ^uint64(0)
		for i := k * r.d; i < (k+1)*r.d; i++ {
			v &= a.v[i] | ^g.v[i] | ^r.t.v[i]
		}
		if r.s.must[k]&^v|r.s.mustNot[k]&v != 0 {
			return false
		}
		r.v[k] = v
	}
	return true
}

// some calculates where g and a hold for one.
func (r *ranging) some(g, a *atom) bool {
	for k := range r.v {
		v := uint64(0)
		for i := k * r.d; i < (k+1)*r.d; i++ {
			v |= a.v[i] & g.v[i] & r.t.v[i]
		}
		if r.s.must[k]&^v|r.s.mustNot[k]&v != 0 {
			return false
		}
		r.v[k] = v
	}
	return true
}

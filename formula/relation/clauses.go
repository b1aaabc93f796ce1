package relation

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file turns circuits into clauses, each gate in the directions in which
// it is used (Plaisted and Greenbaum, 1986): only variables have the values of
// their circuits in a model.

// AssertGate adds that g holds. Conjuncts are added one by one.
func (s *Solver) AssertGate(g Gate) {
	if n := s.c.node(int(g >> 1)); n.kind == formula.AndGate && g&1 == 0 {
		a, b := n.a, n.b
		s.AssertGate(a)
		s.AssertGate(b)
		return
	}
	s.AddClause(g)
}

// AddClause adds that one of gs holds.
func (s *Solver) AddClause(gs ...Gate) {
	lits := make([]sat.Lit, 0, len(gs))
	for _, g := range gs {
		if g == gateTrue {
			return
		}
		lits = s.disjuncts(lits, g, 4)
	}
	s.sat.AddClause(lits...)
}

// disjuncts appends literals whose disjunction is g to lits: g's operands if it
// is an or that is no variable yet.
func (s *Solver) disjuncts(lits []sat.Lit, g Gate, depth int) []sat.Lit {
	n := s.c.node(int(g >> 1))
	if g == gateFalse {
		return lits
	}
	if n.kind == formula.AndGate && g&1 == 1 && s.litOf(g) == 0 && depth > 0 {
		lits = s.disjuncts(lits, n.a.Not(), depth-1)
		return s.disjuncts(lits, n.b.Not(), depth-1)
	}
	return append(lits, s.Lit(g))
}

func (s *Solver) litOf(g Gate) sat.Lit {
	if int(g>>1) >= len(s.lits) {
		return 0
	}
	m := s.lits[g>>1]
	if m == 0 {
		return 0
	}
	return m ^ sat.Lit(g&1)
}

// Lit returns a literal for g, to be assumed or put into clauses: the clauses
// say that g holds if it does, not the reverse. The negation of g has the
// complement.
func (s *Solver) Lit(g Gate) sat.Lit {
	for len(s.lits) < s.c.len() {
		s.lits = append(s.lits, make([]sat.Lit, s.c.len()-len(s.lits))...)
	}
	i := g >> 1
	if s.lits[i] == 0 {
		s.lits[i] = s.sat.NewVar()
	}
	m := s.lits[i] ^ sat.Lit(g&1)
	if way := uint8(1) << (g & 1); s.c.done[i]&way == 0 {
		s.c.done[i] |= way
		s.define(m, g, s.c.node(int(i)))
	}
	return m
}

// define adds clauses that say that m implies g, a gate with the node n.
func (s *Solver) define(m sat.Lit, g Gate, n gateNode) {
	neg, no := g&1, m.Not()
	switch n.kind {
	case formula.InputGate:
		if g>>1 == 0 { // false
			s.sat.AddClause(s.lits[0].Not())
		}
	case formula.AndGate:
		if neg == 0 {
			s.conjuncts(no, n.a, 16)
			s.conjuncts(no, n.b, 16)
		} else {
			lits := s.disjuncts([]sat.Lit{no}, n.a.Not(), 8)
			s.sat.AddClause(s.disjuncts(lits, n.b.Not(), 8)...)
		}
	case formula.XorGate:
		b := n.b ^ neg
		s.sat.AddClause(no, s.Lit(n.a), s.Lit(b))
		s.sat.AddClause(no, s.Lit(n.a.Not()), s.Lit(b.Not()))
	case formula.MuxGate:
		b, c := n.b^neg, n.c^neg
		s.sat.AddClause(no, s.Lit(n.a.Not()), s.Lit(b))
		s.sat.AddClause(no, s.Lit(n.a), s.Lit(c))
	}
}

// conjuncts adds clauses that say that g holds unless no does.
func (s *Solver) conjuncts(no sat.Lit, g Gate, depth int) {
	if n := s.c.node(int(g >> 1)); n.kind == formula.AndGate && g&1 == 0 && depth > 0 && s.litOf(g) == 0 {
		s.conjuncts(no, n.a, depth-1)
		s.conjuncts(no, n.b, depth-1)
		return
	}
	s.sat.AddClause(no, s.Lit(g))
}

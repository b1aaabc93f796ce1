package formula

import "math/bits"

// This file builds the bitwise operators and the choice between terms. Each
// rewrite states its law.

// Not returns ¬x, bit by bit.
func (s *Store) Not(x Term) Term {
	n := &s.nodes[x]
	switch n.op {
	case OpNot: // ¬¬a = a
		return n.args[0]
	case OpConst:
		return s.Const(s.Width(x), ^s.consts[n.aux])
	}
	if c, u, v, ok := s.choice(x); ok { // ¬(c ? a : b) = c ? ¬a : ¬b
		w := s.Width(x)
		return s.Ite(c, s.Const(w, ^u), s.Const(w, ^v))
	}
	return s.mk(OpNot, int(n.width), 0, x, 0, 0)
}

// complementary reports whether x = ¬y by structure.
func (s *Store) complementary(x, y Term) bool {
	return s.nodes[x].op == OpNot && s.nodes[x].args[0] == y ||
		s.nodes[y].op == OpNot && s.nodes[y].args[0] == x
}

// And returns x ∧ y, bit by bit.
func (s *Store) And(x, y Term) Term {
	w := s.sameWidth(OpAnd, x, y)
	if _, ok := s.Value(y); ok {
		x, y = y, x
	}
	if v, ok := s.Value(x); ok && v == 0 { // 0 ∧ a = 0
		return x
	}
	switch {
	case x == y: // a ∧ a = a
		return x
	case s.complementary(x, y): // a ∧ ¬a = 0
		return s.Const(w, 0)
	}
	if w > 1 {
		if t, ok := s.andBits(w, x, y); ok {
			return t
		}
	} else if x == s.t { // 1 ∧ a = a
		return y
	}
	if t, ok := s.absorb(x, y); ok {
		return t
	}
	if t, ok := s.absorb(y, x); ok {
		return t
	}
	if t, ok := s.andPair(x, y); ok {
		return t
	}
	return s.mk(OpAnd, w, 0, x, y, 0)
}

// andBits simplifies x ∧ y for bit-vectors. A constant is on the left.
func (s *Store) andBits(w int, x, y Term) (Term, bool) {
	p, q := s.known[x], s.known[y]
	switch {
	case p.one|q.zero == ones(w): // a ∧ b = b where each bit of a is 1 or that of b is 0
		return y, true
	case q.one|p.zero == ones(w):
		return x, true
	}
	if t, ok := s.fold(OpAnd, w, x, y); ok {
		return t, true
	}
	m, y0 := s.nodes[x], s.nodes[y]
	if v, ok := s.Value(x); ok {
		if v&(v+1) == 0 { // a ∧ 2^k-1 = the low k bits of a
			return s.Zext(w, s.Extract(y, bits.Len64(v)-1, 0)), true
		}
		if u, ok := s.Value(y0.args[0]); ok && y0.op == OpAnd { // c ∧ (d ∧ a) = (c ∧ d) ∧ a
			return s.And(s.Const(w, u&v), y0.args[1]), true
		}
	}
	if m.op == OpZext && y0.op == OpZext && s.Width(m.args[0]) == s.Width(y0.args[0]) { // 0a ∧ 0b = 0(a ∧ b)
		return s.Zext(w, s.And(m.args[0], y0.args[0])), true
	}
	return 0, false
}

// andPair simplifies x ∧ y by the operands of both.
func (s *Store) andPair(x, y Term) (Term, bool) {
	m, n := &s.nodes[x], &s.nodes[y]
	if m.op == OpAnd && n.op == OpAnd {
		for _, a := range m.args[:2] {
			for _, b := range n.args[:2] {
				if s.complementary(a, b) { // (a ∧ b) ∧ (¬a ∧ c) = 0
					return s.Const(s.Width(x), 0), true
				}
			}
		}
	}
	if m.op != OpNot || n.op != OpNot {
		return 0, false
	}
	m, n = &s.nodes[m.args[0]], &s.nodes[n.args[0]]
	if m.op != OpAnd || n.op != OpAnd {
		return 0, false
	}
	for i, a := range m.args[:2] {
		for j, b := range n.args[:2] {
			// ¬(a ∧ b) ∧ ¬(a ∧ ¬b) = ¬a: how the branches of a program join
			if a == b && s.complementary(m.args[1-i], n.args[1-j]) {
				return s.Not(a), true
			}
		}
	}
	return 0, false
}

// absorb simplifies x ∧ y by the operands of y.
func (s *Store) absorb(x, y Term) (Term, bool) {
	n := s.nodes[y]
	switch n.op {
	case OpAnd:
		a, b := n.args[0], n.args[1]
		switch {
		case a == x || b == x: // a ∧ (a ∧ b) = a ∧ b
			return y, true
		case s.complementary(a, x) || s.complementary(b, x): // a ∧ (¬a ∧ b) = 0
			return s.Const(s.Width(x), 0), true
		}
	case OpNot:
		m := s.nodes[n.args[0]]
		if m.op != OpAnd {
			return 0, false
		}
		a, b := m.args[0], m.args[1]
		switch {
		case s.complementary(a, x) || s.complementary(b, x): // a ∧ ¬(¬a ∧ b) = a
			return x, true
		case a == x: // a ∧ ¬(a ∧ b) = a ∧ ¬b
			return s.And(x, s.Not(b)), true
		case b == x:
			return s.And(x, s.Not(a)), true
		}
	case OpIte:
		switch { // c ∧ (c ? a : b) = c ∧ a; only for propositions is c an operand
		case n.args[0] == x:
			return s.And(x, n.args[1]), true
		case s.complementary(n.args[0], x):
			return s.And(x, n.args[2]), true
		}
	}
	return 0, false
}

// Or returns x ∨ y, bit by bit.
func (s *Store) Or(x, y Term) Term {
	if m, n := &s.nodes[x], &s.nodes[y]; m.op == OpZext && n.op == OpZext {
		if a, b := m.args[0], n.args[0]; s.Width(a) == s.Width(b) { // 0a ∨ 0b = 0(a ∨ b)
			return s.Zext(s.sameWidth(OpAnd, x, y), s.Or(a, b))
		}
	}
	return s.Not(s.And(s.Not(x), s.Not(y)))
}

// Implies returns x → y, bit by bit.
func (s *Store) Implies(x, y Term) Term { return s.Not(s.And(x, s.Not(y))) }

// AndN returns the conjunction of ps, balanced; of none it is true.
func (s *Store) AndN(ps ...Term) Term {
	switch n := len(ps); n {
	case 0:
		return s.t
	case 1:
		return ps[0]
	default:
		return s.And(s.AndN(ps[:n/2]...), s.AndN(ps[n/2:]...))
	}
}

// OrN returns the disjunction of ps, balanced; of none it is false.
func (s *Store) OrN(ps ...Term) Term {
	switch n := len(ps); n {
	case 0:
		return s.f
	case 1:
		return ps[0]
	default:
		return s.Or(s.OrN(ps[:n/2]...), s.OrN(ps[n/2:]...))
	}
}

// Xor returns x ⊕ y, bit by bit.
func (s *Store) Xor(x, y Term) Term {
	w := s.sameWidth(OpXor, x, y)
	if t, ok := s.fold(OpXor, w, x, y); ok {
		return t
	}
	flip := false
	if n := &s.nodes[x]; n.op == OpNot { // ¬a ⊕ b = ¬(a ⊕ b)
		x, flip = n.args[0], true
	}
	if n := &s.nodes[y]; n.op == OpNot {
		y, flip = n.args[0], !flip
	}
	t := s.xor(w, x, y)
	if flip {
		return s.Not(t)
	}
	return t
}

// xor is Xor for operands that are no negations.
func (s *Store) xor(w int, x, y Term) Term {
	if x == y { // a ⊕ a = 0
		return s.Const(w, 0)
	}
	if s.after(x, y) {
		x, y = y, x
	}
	if v, ok := s.Value(x); ok {
		switch v {
		case 0: // 0 ⊕ a = a
			return y
		case ones(w): // 1 ⊕ a = ¬a
			return s.Not(y)
		}
	}
	m, n := s.nodes[x], s.nodes[y]
	switch {
	case n.op == OpXor && n.args[0] == x: // a ⊕ (a ⊕ b) = b
		return n.args[1]
	case n.op == OpXor && n.args[1] == x:
		return n.args[0]
	case n.op == OpXor && m.op == OpConst && s.nodes[n.args[0]].op == OpConst: // c ⊕ (d ⊕ a) = (c ⊕ d) ⊕ a
		return s.Xor(s.Xor(x, n.args[0]), n.args[1])
	case m.op == OpZext && n.op == OpZext && s.Width(m.args[0]) == s.Width(n.args[0]): // 0a ⊕ 0b = 0(a ⊕ b)
		return s.Zext(w, s.Xor(m.args[0], n.args[0]))
	}
	return s.mk(OpXor, w, 0, x, y, 0)
}

// Ite returns the term that is x where the proposition c holds and y
// elsewhere.
func (s *Store) Ite(c, x, y Term) Term {
	w := s.sameWidth(OpIte, x, y)
	if s.nodes[c].width != 1 {
		panic("formula: ite over a term that is no proposition")
	}
	if v, ok := s.Value(c); ok {
		if v == 1 {
			return x
		}
		return y
	}
	if s.nodes[c].op == OpNot { // ¬c ? a : b = c ? b : a
		c, x, y = s.nodes[c].args[0], y, x
	}
	x, y = s.given(c, x, true), s.given(c, y, false)
	if x == y { // c ? a : a = a
		return x
	}
	if w == 1 {
		if t, ok := s.iteBool(c, x, y); ok {
			return t
		}
	} else if t, ok := s.iteExtended(w, c, x, y); ok {
		return t
	}
	if n := s.nodes[y]; n.op == OpIte && n.args[1] == x { // c ? a : (d ? a : b) = c∨d ? a : b
		return s.Ite(s.Or(c, n.args[0]), x, n.args[2])
	}
	if n := s.nodes[x]; n.op == OpIte && n.args[2] == y { // c ? (d ? a : b) : b = c∧d ? a : b
		return s.Ite(s.And(c, n.args[0]), n.args[1], y)
	}
	if n := s.nodes[y]; n.op == OpIte && n.args[2] == x { // c ? a : (d ? b : a) = ¬c∧d ? b : a
		return s.Ite(s.And(s.Not(c), n.args[0]), n.args[1], x)
	}
	if n := s.nodes[x]; n.op == OpIte && n.args[1] == y { // c ? (d ? b : a) : b = c∧¬d ? a : b
		return s.Ite(s.And(c, s.Not(n.args[0])), n.args[2], y)
	}
	return s.mk(OpIte, w, 0, c, x, y)
}

// given returns a simpler term that equals x wherever c has the value holds,
// or x.
func (s *Store) given(c, x Term, holds bool) Term {
	n := &s.nodes[x]
	switch n.op {
	case OpIte:
		if n.args[0] == c { // c ? (c ? a : b) : d = c ? a : d
			if holds {
				return n.args[1]
			}
			return n.args[2]
		}
	case OpAnd:
		if n.width == 1 {
			return s.givenAnd(c, x, holds)
		}
	case OpNot:
		if n.width == 1 && s.nodes[n.args[0]].op == OpAnd {
			return s.Not(s.givenAnd(c, n.args[0], holds))
		}
	}
	return x
}

// givenAnd is given for a conjunction of propositions.
func (s *Store) givenAnd(c, x Term, holds bool) Term {
	n := &s.nodes[x]
	for i, a := range n.args[:2] {
		switch {
		case a == c && holds, s.complementary(a, c) && !holds: // c ? c ∧ a : b = c ? a : b
			return n.args[1-i]
		case a == c, s.complementary(a, c): // c ? ¬c ∧ a : b = c ? 0 : b
			return s.f
		}
	}
	return x
}

// iteExtended makes choices between extensions narrow.
func (s *Store) iteExtended(w int, c, x, y Term) (Term, bool) {
	u, okx := s.Value(x)
	v, oky := s.Value(y)
	if okx && oky {
		switch { // such choices have one form: an extension, if they can
		case u == 1 && v == 0: // c ? 1 : 0 = 0c
			return s.Zext(w, c), true
		case u == 0 && v == 1:
			return s.Zext(w, s.Not(c)), true
		case u == ones(w) && v == 0: // c ? -1 : 0 = cc…c
			return s.Sext(w, c), true
		case u == 0 && v == ones(w):
			return s.Sext(w, s.Not(c)), true
		}
		return 0, false
	}
	m, n := s.nodes[x], s.nodes[y]
	switch {
	case m.op == OpZext && n.op == OpZext && s.Width(m.args[0]) == s.Width(n.args[0]),
		m.op == OpSext && n.op == OpSext && s.Width(m.args[0]) == s.Width(n.args[0]):
		// c ? 0a : 0b = 0(c ? a : b), and likewise for signs
		return s.extend(m.op, w, s.Ite(c, m.args[0], n.args[0])), true
	case m.op == OpZext && oky && v <= ones(s.Width(m.args[0])):
		return s.Zext(w, s.Ite(c, m.args[0], s.Const(s.Width(m.args[0]), v))), true
	case n.op == OpZext && okx && u <= ones(s.Width(n.args[0])):
		return s.Zext(w, s.Ite(c, s.Const(s.Width(n.args[0]), u), n.args[0])), true
	}
	return 0, false
}

func (s *Store) extend(op Op, w int, x Term) Term {
	if op == OpZext {
		return s.Zext(w, x)
	}
	return s.Sext(w, x)
}

// iteBool turns a choice between propositions into conjunctions where that
// is shorter.
func (s *Store) iteBool(c, x, y Term) (Term, bool) {
	switch {
	case x == s.t || x == c: // c ? 1 : a = c ∨ a
		return s.Or(c, y), true
	case x == s.f: // c ? 0 : a = ¬c ∧ a
		return s.And(s.Not(c), y), true
	case y == s.f || y == c: // c ? a : 0 = c ∧ a
		return s.And(c, x), true
	case y == s.t: // c ? a : 1 = ¬c ∨ a
		return s.Implies(c, x), true
	case s.complementary(x, y): // c ? ¬a : a = c ⊕ a
		return s.Xor(c, y), true
	case s.complementary(c, x): // c ? ¬c : a = ¬c ∧ a
		return s.And(x, y), true
	case s.complementary(c, y): // c ? a : ¬c = c → a
		return s.Implies(c, x), true
	}
	return 0, false
}

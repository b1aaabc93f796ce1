package formula

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
	if v, ok := s.Value(x); ok {
		u, both := s.Value(y)
		switch {
		case v == 0: // 0 ∧ a = 0
			return x
		case v == ones(w): // 1 ∧ a = a
			return y
		case both:
			return s.Const(w, v&u)
		}
	}
	switch {
	case x == y: // a ∧ a = a
		return x
	case s.complementary(x, y): // a ∧ ¬a = 0
		return s.Const(w, 0)
	}
	if t, ok := s.absorb(x, y); ok {
		return t
	}
	if t, ok := s.absorb(y, x); ok {
		return t
	}
	return s.mk(OpAnd, w, 0, x, y, 0)
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
	}
	return 0, false
}

// Or returns x ∨ y, bit by bit.
func (s *Store) Or(x, y Term) Term { return s.Not(s.And(s.Not(x), s.Not(y))) }

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
	if _, ok := s.Value(y); ok {
		x, y = y, x
	}
	if v, ok := s.Value(x); ok {
		u, both := s.Value(y)
		switch {
		case both:
			return s.Const(w, v^u)
		case v == 0: // 0 ⊕ a = a
			return y
		case v == ones(w): // 1 ⊕ a = ¬a
			return s.Not(y)
		}
	}
	neg := false
	if s.nodes[x].op == OpNot { // ¬a ⊕ b = ¬(a ⊕ b)
		x, neg = s.nodes[x].args[0], true
	}
	if s.nodes[y].op == OpNot {
		y, neg = s.nodes[y].args[0], !neg
	}
	var t Term
	if x == y { // a ⊕ a = 0
		t = s.Const(w, 0)
	} else {
		t = s.mk(OpXor, w, 0, x, y, 0)
	}
	if neg {
		return s.Not(t)
	}
	return t
}

// Ite returns the term that is x where the proposition c holds and y
// elsewhere.
func (s *Store) Ite(c, x, y Term) Term {
	w := s.sameWidth(OpIte, x, y)
	if v, ok := s.Value(c); ok {
		if v == 1 {
			return x
		}
		return y
	}
	if x == y { // c ? a : a = a
		return x
	}
	if s.nodes[c].op == OpNot { // ¬c ? a : b = c ? b : a
		c, x, y = s.nodes[c].args[0], y, x
	}
	if w == 1 {
		if t, ok := s.iteBool(c, x, y); ok {
			return t
		}
	}
	if n := &s.nodes[x]; n.op == OpIte && n.args[0] == c { // c ? (c ? a : b) : d = c ? a : d
		x = n.args[1]
	}
	if n := &s.nodes[y]; n.op == OpIte && n.args[0] == c { // c ? a : (c ? b : d) = c ? a : d
		y = n.args[2]
	}
	if x == y {
		return x
	}
	if n := s.nodes[y]; n.op == OpIte && n.args[1] == x { // c ? a : (d ? a : b) = c∨d ? a : b
		return s.Ite(s.Or(c, n.args[0]), x, n.args[2])
	}
	if n := s.nodes[x]; n.op == OpIte && n.args[2] == y { // c ? (d ? a : b) : b = c∧d ? a : b
		return s.Ite(s.And(c, n.args[0]), n.args[1], y)
	}
	return s.mk(OpIte, w, 0, c, x, y)
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

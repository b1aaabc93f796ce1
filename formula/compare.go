package formula

import "math/bits"

// This file builds comparisons. Those that the known bits of the operands
// decide become constants in mk.

// Eq returns the proposition x = y.
func (s *Store) Eq(x, y Term) Term {
	w := s.sameWidth(OpEq, x, y)
	if x == y { // a = a
		return s.t
	}
	if w == 1 { // a = b ⟺ ¬(a ⊕ b)
		return s.Not(s.Xor(x, y))
	}
	if t, ok := s.fold(OpEq, 1, x, y); ok {
		return t
	}
	if s.complementary(x, y) { // a ≠ ¬a
		return s.f
	}
	if s.after(x, y) {
		x, y = y, x
	}
	if v, ok := s.Value(x); ok && s.deeper() {
		t, ok := s.eqConst(v, y)
		s.shallower()
		if ok {
			return t
		}
	}
	if t, ok := s.eqPart(x, y); ok { // not the other way: what is in y is older
		return t
	}
	if t, ok := s.eqPair(x, y); ok {
		return t
	}
	if t, ok := s.eqSum(x, y); ok {
		return t
	}
	return s.mk(OpEq, 1, 0, x, y, 0)
}

// eqConst simplifies v = x.
func (s *Store) eqConst(v uint64, x Term) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	if k := s.known[x]; k.one&^v|k.zero&v != 0 {
		return s.f, true
	}
	switch n.op {
	case OpNot: // v = ¬a ⟺ ¬v = a
		return s.Eq(s.Const(w, ^v), n.args[0]), true
	case OpZext: // v = 0a ⟺ v = a; that v fits is known by now
		return s.Eq(s.Const(s.Width(n.args[0]), v), n.args[0]), true
	case OpSext: // v = sa ⟺ v = a, if v fits
		k := s.Width(n.args[0])
		if signExtend(v&ones(k), k)&ones(w) != v {
			return s.f, true
		}
		return s.Eq(s.Const(k, v), n.args[0]), true
	case OpAdd: // v = c + a ⟺ v - c = a
		if c, ok := s.Value(n.args[0]); ok {
			return s.Eq(s.Const(w, v-c), n.args[1]), true
		}
	case OpXor: // v = c ⊕ a ⟺ v ⊕ c = a
		if c, ok := s.Value(n.args[0]); ok {
			return s.Eq(s.Const(w, v^c), n.args[1]), true
		}
	case OpConcat: // v = ab ⟺ high of v = a ∧ low of v = b
		k := s.Width(n.args[1])
		return s.And(s.Eq(s.Const(w-k, v>>k), n.args[0]), s.Eq(s.Const(k, v), n.args[1])), true
	case OpIte: // v = (c ? a : b), if a branch is a constant
		_, left := s.Value(n.args[1])
		_, right := s.Value(n.args[2])
		if left || right {
			k := s.Const(w, v)
			return s.Ite(n.args[0], s.Eq(k, n.args[1]), s.Eq(k, n.args[2])), true
		}
	}
	return 0, false
}

// eqPart simplifies x = y where x is an operand of y.
func (s *Store) eqPart(x, y Term) (Term, bool) {
	n := &s.nodes[y]
	w := int(n.width)
	switch n.op {
	case OpAdd, OpXor: // a = a + b ⟺ b = 0
		switch x {
		case n.args[0]:
			return s.Eq(s.Const(w, 0), n.args[1]), true
		case n.args[1]:
			return s.Eq(s.Const(w, 0), n.args[0]), true
		}
	case OpIte:
		switch x {
		case n.args[1]: // a = (c ? a : b) ⟺ c ∨ a = b
			return s.Or(n.args[0], s.Eq(x, n.args[2])), true
		case n.args[2]: // b = (c ? a : b) ⟺ ¬c ∨ a = b
			return s.Implies(n.args[0], s.Eq(x, n.args[1])), true
		}
	}
	return 0, false
}

// eqPair simplifies x = y for two terms of the same operator.
func (s *Store) eqPair(x, y Term) (Term, bool) {
	m, n := &s.nodes[x], &s.nodes[y]
	if m.op != n.op {
		return 0, false
	}
	switch m.op {
	case OpNot: // ¬a = ¬b ⟺ a = b
		return s.Eq(m.args[0], n.args[0]), true
	case OpZext, OpSext: // 0a = 0b ⟺ a = b
		if s.Width(m.args[0]) == s.Width(n.args[0]) {
			return s.Eq(m.args[0], n.args[0]), true
		}
	case OpAdd, OpXor: // a + b = a + c ⟺ b = c
		for i, a := range m.args[:2] {
			for j, b := range n.args[:2] {
				if a == b {
					return s.Eq(m.args[1-i], n.args[1-j]), true
				}
			}
		}
	}
	return 0, false
}

// Ult returns the proposition x < y, unsigned.
func (s *Store) Ult(x, y Term) Term {
	w := s.sameWidth(OpUlt, x, y)
	if t, ok := s.fold(OpUlt, 1, x, y); ok {
		return t
	}
	if x == y { // a < a never
		return s.f
	}
	if w == 1 { // 0 < 1 only
		return s.And(s.Not(x), y)
	}
	if v, ok := s.Value(y); ok {
		if t, ok := s.below(x, v); ok {
			return t
		}
	}
	if v, ok := s.Value(x); ok {
		if t, ok := s.above(v, y); ok {
			return t
		}
	}
	m, n := &s.nodes[x], &s.nodes[y]
	switch {
	case m.op != n.op:
	case m.op == OpNot: // ¬a < ¬b ⟺ b < a
		return s.Ult(n.args[0], m.args[0])
	case m.op == OpZext || m.op == OpSext: // 0a < 0b ⟺ a < b
		if s.Width(m.args[0]) == s.Width(n.args[0]) {
			return s.Ult(m.args[0], n.args[0])
		}
	}
	return s.mk(OpUlt, 1, 0, x, y, 0)
}

// below simplifies x < v.
func (s *Store) below(x Term, v uint64) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	switch {
	case v == 0: // a < 0 never
		return s.f, true
	case v == 1: // a < 1 ⟺ a = 0
		return s.Eq(x, s.Const(w, 0)), true
	case v == ones(w): // a < max ⟺ a ≠ max
		return s.Not(s.Eq(x, s.Const(w, v))), true
	case v&(v-1) == 0: // a < 2^k ⟺ the bits from k on are 0
		k := bits.TrailingZeros64(v)
		return s.Eq(s.Extract(x, w-1, k), s.Const(w-k, 0)), true
	case n.op == OpZext: // 0a < v ⟺ a < v, if v fits
		k := s.Width(n.args[0])
		if v > ones(k) {
			return s.t, true
		}
		return s.Ult(n.args[0], s.Const(k, v)), true
	}
	return 0, false
}

// above simplifies v < x.
func (s *Store) above(v uint64, x Term) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	switch {
	case v == ones(w): // max < a never
		return s.f, true
	case v == 0: // 0 < a ⟺ a ≠ 0
		return s.Not(s.Eq(x, s.Const(w, 0))), true
	case v == ones(w)-1: // max-1 < a ⟺ a = max
		return s.Eq(x, s.Const(w, ones(w))), true
	case v&(v+1) == 0: // 2^k-1 < a ⟺ a bit from k on is 1
		k := bits.Len64(v)
		return s.Not(s.Eq(s.Extract(x, w-1, k), s.Const(w-k, 0))), true
	case n.op == OpZext: // v < 0a ⟺ v < a, if v fits
		k := s.Width(n.args[0])
		if v > ones(k) {
			return s.f, true
		}
		return s.Ult(s.Const(k, v), n.args[0]), true
	}
	return 0, false
}

// Ule returns the proposition x ≤ y, unsigned.
func (s *Store) Ule(x, y Term) Term { return s.Not(s.Ult(y, x)) }

// Slt returns the proposition x < y, signed.
func (s *Store) Slt(x, y Term) Term {
	w := s.sameWidth(OpSlt, x, y)
	if t, ok := s.fold(OpSlt, 1, x, y); ok {
		return t
	}
	if x == y { // a < a never
		return s.f
	}
	switch a, b := s.sign(x), s.sign(y); {
	case a >= 0 && b >= 0 && a != b: // -a < 0b
		return s.Const(1, uint64(a))
	case a >= 0 && a == b: // equal signs: the order is that of the other bits
		return s.Ult(x, y)
	case w == 1: // -1 < 0 only
		return s.And(x, s.Not(y))
	}
	if v, ok := s.Value(y); ok {
		if t, ok := s.sbelow(x, v); ok {
			return t
		}
	}
	if v, ok := s.Value(x); ok {
		if t, ok := s.sabove(v, y); ok {
			return t
		}
	}
	m, n := &s.nodes[x], &s.nodes[y]
	switch {
	case m.op != n.op:
	case m.op == OpNot: // ¬a < ¬b ⟺ b < a
		return s.Slt(n.args[0], m.args[0])
	case m.op == OpSext && s.Width(m.args[0]) == s.Width(n.args[0]): // sa < sb ⟺ a < b
		return s.Slt(m.args[0], n.args[0])
	}
	return s.mk(OpSlt, 1, 0, x, y, 0)
}

// sbelow simplifies x < v, signed.
func (s *Store) sbelow(x Term, v uint64) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	lo, hi := uint64(1)<<(w-1), ones(w)>>1
	switch v {
	case lo: // a < min never
		return s.f, true
	case 0: // a < 0 ⟺ the sign is set
		return s.negative(x), true
	case lo + 1: // a < min+1 ⟺ a = min
		return s.Eq(x, s.Const(w, lo)), true
	case hi: // a < max ⟺ a ≠ max
		return s.Not(s.Eq(x, s.Const(w, hi))), true
	}
	if n.op == OpSext {
		k := s.Width(n.args[0])
		if c := s.Const(k, v); signExtend(v&ones(k), k)&ones(w) == v { // sa < v ⟺ a < v, if v fits
			return s.Slt(n.args[0], c), true
		}
		return s.Const(1, v>>(w-1)^1), true // else v is above all a, or below
	}
	return 0, false
}

// sabove simplifies v < x, signed.
func (s *Store) sabove(v uint64, x Term) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	lo, hi := uint64(1)<<(w-1), ones(w)>>1
	switch v {
	case hi: // max < a never
		return s.f, true
	case ones(w): // -1 < a ⟺ the sign is clear
		return s.Not(s.negative(x)), true
	case lo: // min < a ⟺ a ≠ min
		return s.Not(s.Eq(x, s.Const(w, lo))), true
	case hi - 1: // max-1 < a ⟺ a = max
		return s.Eq(x, s.Const(w, hi)), true
	}
	if n.op == OpSext {
		k := s.Width(n.args[0])
		if c := s.Const(k, v); signExtend(v&ones(k), k)&ones(w) == v { // v < sa ⟺ v < a, if v fits
			return s.Slt(c, n.args[0]), true
		}
		return s.Const(1, v>>(w-1)), true
	}
	return 0, false
}

// Sle returns the proposition x ≤ y, signed.
func (s *Store) Sle(x, y Term) Term { return s.Not(s.Slt(y, x)) }

package formula

import "math/bits"

// This file builds arithmetic, shifts and comparisons.

// Neg returns -x modulo 2^w.
func (s *Store) Neg(x Term) Term {
	w := s.Width(x)
	if v, ok := s.Value(x); ok {
		return s.Const(w, -v)
	}
	return s.Add(s.Not(x), s.Const(w, 1)) // -a = ¬a + 1
}

// Sub returns x - y modulo 2^w.
func (s *Store) Sub(x, y Term) Term {
	if x == y { // a - a = 0
		return s.Const(s.sameWidth(OpAdd, x, y), 0)
	}
	if v, ok := s.Value(y); ok {
		return s.Add(x, s.Const(s.Width(x), -v))
	}
	// a - b = ¬(¬a + b): one adder, no constant.
	return s.Not(s.Add(s.Not(x), y))
}

// Add returns x + y modulo 2^w.
func (s *Store) Add(x, y Term) Term {
	w := s.sameWidth(OpAdd, x, y)
	if w == 1 {
		return s.Xor(x, y)
	}
	if _, ok := s.Value(x); ok {
		x, y = y, x
	}
	if v, ok := s.Value(y); ok {
		if v == 0 { // a + 0 = a
			return x
		}
		if t, ok := s.addConst(x, v); ok {
			return t
		}
	}
	if s.complementary(x, y) { // a + ¬a = -1
		return s.Const(w, ^uint64(0))
	}
	return s.mk(OpAdd, w, 0, x, y, 0)
}

// addConst simplifies x + v.
func (s *Store) addConst(x Term, v uint64) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	switch n.op {
	case OpConst:
		return s.Const(w, s.consts[n.aux]+v), true
	case OpAdd: // (a + c) + d = a + (c + d)
		for i := range 2 {
			if c, ok := s.Value(n.args[i]); ok {
				return s.Add(n.args[1-i], s.Const(w, c+v)), true
			}
		}
	case OpNot:
		m := s.nodes[n.args[0]]
		if m.op != OpAdd {
			break
		}
		for i := range 2 { // ¬(a + c) + d = ¬(a + (c - d))
			if c, ok := s.Value(m.args[i]); ok {
				return s.Not(s.Add(m.args[1-i], s.Const(w, c-v))), true
			}
		}
	}
	return 0, false
}

// Mul returns x × y modulo 2^w.
func (s *Store) Mul(x, y Term) Term {
	w := s.sameWidth(OpMul, x, y)
	if w == 1 {
		return s.And(x, y)
	}
	if _, ok := s.Value(x); ok {
		x, y = y, x
	}
	if v, ok := s.Value(y); ok {
		u, both := s.Value(x)
		switch {
		case both:
			return s.Const(w, u*v)
		case v == 0: // a × 0 = 0
			return y
		case v == 1: // a × 1 = a
			return x
		case v == ones(w): // a × -1 = -a
			return s.Neg(x)
		case v&(v-1) == 0: // a × 2^k = a << k
			return s.Shl(x, s.Const(w, uint64(bits.TrailingZeros64(v))))
		}
	}
	return s.mk(OpMul, w, 0, x, y, 0)
}

// fold returns the constant x op y if both are constants.
func (s *Store) fold(op Op, w int, x, y Term) (Term, bool) {
	u, ok := s.Value(x)
	if !ok {
		return 0, false
	}
	v, ok := s.Value(y)
	if !ok {
		return 0, false
	}
	return s.Const(w, apply(op, s.Width(x), u, v)), true
}

// UDiv returns x ÷ y unsigned; all ones where y is 0.
func (s *Store) UDiv(x, y Term) Term {
	w := s.sameWidth(OpUDiv, x, y)
	if t, ok := s.fold(OpUDiv, w, x, y); ok {
		return t
	}
	if v, ok := s.Value(y); ok && v != 0 && v&(v-1) == 0 { // a ÷ 2^k = a >> k
		return s.Lshr(x, s.Const(w, uint64(bits.TrailingZeros64(v))))
	}
	return s.mk(OpUDiv, w, 0, x, y, 0)
}

// URem returns x mod y unsigned; x where y is 0.
func (s *Store) URem(x, y Term) Term {
	w := s.sameWidth(OpURem, x, y)
	if t, ok := s.fold(OpURem, w, x, y); ok {
		return t
	}
	if v, ok := s.Value(y); ok && v != 0 && v&(v-1) == 0 { // a mod 2^k = a ∧ 2^k-1
		return s.And(x, s.Const(w, v-1))
	}
	return s.mk(OpURem, w, 0, x, y, 0)
}

// SDiv returns x ÷ y signed, truncated; where y is 0, 1 if x is negative
// and -1 if not.
func (s *Store) SDiv(x, y Term) Term {
	w := s.sameWidth(OpSDiv, x, y)
	if t, ok := s.fold(OpSDiv, w, x, y); ok {
		return t
	}
	if v, ok := s.Value(y); ok && v == 1 && w > 1 { // a ÷ 1 = a
		return x
	}
	return s.mk(OpSDiv, w, 0, x, y, 0)
}

// SRem returns the remainder of SDiv, with the sign of x; x where y is 0.
func (s *Store) SRem(x, y Term) Term {
	w := s.sameWidth(OpSRem, x, y)
	if t, ok := s.fold(OpSRem, w, x, y); ok {
		return t
	}
	if v, ok := s.Value(y); ok && v == 1 { // a mod 1 = 0
		return s.Const(w, 0)
	}
	return s.mk(OpSRem, w, 0, x, y, 0)
}

// Shl returns x << y; 0 where y is at least the width.
func (s *Store) Shl(x, y Term) Term { return s.shift(OpShl, x, y) }

// Lshr returns x >> y unsigned; 0 where y is at least the width.
func (s *Store) Lshr(x, y Term) Term { return s.shift(OpLshr, x, y) }

// Ashr returns x >> y signed; x's sign everywhere where y is at least the
// width.
func (s *Store) Ashr(x, y Term) Term { return s.shift(OpAshr, x, y) }

func (s *Store) shift(op Op, x, y Term) Term {
	w := s.sameWidth(op, x, y)
	if t, ok := s.fold(op, w, x, y); ok {
		return t
	}
	if v, ok := s.Value(x); ok && v == 0 { // 0 << a = 0
		return x
	}
	v, ok := s.Value(y)
	switch {
	case !ok:
		return s.mk(op, w, 0, x, y, 0)
	case v == 0: // a << 0 = a
		return x
	case op == OpAshr: // the sign bit is everywhere after w-1
		k := int(min(v, uint64(w-1)))
		return s.Sext(w, s.Extract(x, w-1, k))
	case v >= uint64(w):
		return s.Const(w, 0)
	case op == OpShl:
		return s.Concat(s.Extract(x, w-1-int(v), 0), s.Const(int(v), 0))
	default:
		return s.Zext(w, s.Extract(x, w-1, int(v)))
	}
}

// Eq returns the proposition x = y.
func (s *Store) Eq(x, y Term) Term {
	w := s.sameWidth(OpEq, x, y)
	if x == y { // a = a
		return s.t
	}
	if w == 1 { // a = b ⟺ ¬(a ⊕ b)
		return s.Not(s.Xor(x, y))
	}
	if s.complementary(x, y) { // a ≠ ¬a
		return s.f
	}
	if _, ok := s.Value(x); ok {
		x, y = y, x
	}
	if v, ok := s.Value(y); ok {
		if t, ok := s.eqConst(x, v); ok {
			return t
		}
	}
	if s.nodes[x].op == OpNot && s.nodes[y].op == OpNot { // ¬a = ¬b ⟺ a = b
		return s.Eq(s.nodes[x].args[0], s.nodes[y].args[0])
	}
	return s.mk(OpEq, 1, 0, x, y, 0)
}

// eqConst simplifies x = v.
func (s *Store) eqConst(x Term, v uint64) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	switch n.op {
	case OpConst: // two different constants, since terms are unique
		return s.f, true
	case OpNot: // ¬a = v ⟺ a = ¬v
		return s.Eq(n.args[0], s.Const(w, ^v)), true
	case OpZext: // 0a = v ⟺ a = v, if v fits
		k := s.Width(n.args[0])
		if v>>k != 0 {
			return s.f, true
		}
		return s.Eq(n.args[0], s.Const(k, v)), true
	case OpSext:
		k := s.Width(n.args[0])
		if signExtend(v&ones(k), k)&ones(w) != v {
			return s.f, true
		}
		return s.Eq(n.args[0], s.Const(k, v)), true
	case OpAdd: // a + c = v ⟺ a = v - c
		for i := range 2 {
			if c, ok := s.Value(n.args[i]); ok {
				return s.Eq(n.args[1-i], s.Const(w, v-c)), true
			}
		}
	case OpConcat: // ab = v ⟺ a = high of v ∧ b = low of v
		k := s.Width(n.args[1])
		return s.And(s.Eq(n.args[0], s.Const(w-k, v>>k)), s.Eq(n.args[1], s.Const(k, v))), true
	case OpIte: // (c ? a : b) = v, if a branch is a constant
		_, left := s.Value(n.args[1])
		_, right := s.Value(n.args[2])
		if left || right {
			k := s.Const(w, v)
			return s.Ite(n.args[0], s.Eq(n.args[1], k), s.Eq(n.args[2], k)), true
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
	if v, ok := s.Value(y); ok {
		switch {
		case v == 0: // a < 0 never
			return s.f
		case v == 1: // a < 1 ⟺ a = 0
			return s.Eq(x, s.Const(w, 0))
		case v == ones(w): // a < max ⟺ a ≠ max
			return s.Not(s.Eq(x, y))
		case v&(v-1) == 0: // a < 2^k ⟺ the bits from k on are 0
			k := bits.TrailingZeros64(v)
			return s.Eq(s.Extract(x, w-1, k), s.Const(w-k, 0))
		}
		if n := s.nodes[x]; n.op == OpZext {
			k := s.Width(n.args[0])
			if v>>k != 0 { // a zero-extended is below 2^k
				return s.t
			}
			return s.Ult(n.args[0], s.Const(k, v))
		}
	}
	if v, ok := s.Value(x); ok {
		switch {
		case v == ones(w): // max < a never
			return s.f
		case v == 0: // 0 < a ⟺ a ≠ 0
			return s.Not(s.Eq(y, x))
		case v == ones(w)-1: // max-1 < a ⟺ a = max
			return s.Eq(y, s.Const(w, ones(w)))
		}
		if n := s.nodes[y]; n.op == OpZext {
			k := s.Width(n.args[0])
			if v >= ones(k) {
				return s.f
			}
			return s.Ult(s.Const(k, v), n.args[0])
		}
	}
	return s.mk(OpUlt, 1, 0, x, y, 0)
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
	lo, hi := uint64(1)<<(w-1), ones(w)>>1
	if v, ok := s.Value(y); ok {
		switch v {
		case lo: // a < min never
			return s.f
		case 0: // a < 0 ⟺ the sign is set
			return s.Extract(x, w-1, w-1)
		case lo + 1: // a < min+1 ⟺ a = min
			return s.Eq(x, s.Const(w, lo))
		case hi: // a < max ⟺ a ≠ max
			return s.Not(s.Eq(x, y))
		}
	}
	if v, ok := s.Value(x); ok {
		switch v {
		case hi: // max < a never
			return s.f
		case ones(w): // -1 < a ⟺ the sign is clear
			return s.Not(s.Extract(y, w-1, w-1))
		case lo: // min < a ⟺ a ≠ min
			return s.Not(s.Eq(y, x))
		}
	}
	if s.nonNegative(x) && s.nonNegative(y) { // unsigned comparison is cheaper to simplify
		return s.Ult(x, y)
	}
	return s.mk(OpSlt, 1, 0, x, y, 0)
}

// nonNegative reports whether x's sign bit is clear by structure.
func (s *Store) nonNegative(x Term) bool {
	n := &s.nodes[x]
	switch n.op {
	case OpZext:
		return true
	case OpConst:
		return s.consts[n.aux]>>(n.width-1) == 0
	}
	return false
}

// Sle returns the proposition x ≤ y, signed.
func (s *Store) Sle(x, y Term) Term { return s.Not(s.Slt(y, x)) }

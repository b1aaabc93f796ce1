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
	if t, ok := s.fold(OpAdd, w, x, y); ok {
		return t
	}
	if s.after(x, y) {
		x, y = y, x
	}
	if v, ok := s.Value(x); ok {
		if v == 0 { // 0 + a = a
			return y
		}
		if t, ok := s.addConst(v, y); ok {
			return t
		}
	}
	if s.complementary(x, y) { // a + ¬a = -1
		return s.Const(w, ^uint64(0))
	}
	if t, ok := s.cancel(y, x); ok { // not the other way: what is in y is older
		return t
	}
	m, n := s.nodes[x], s.nodes[y]
	if m.op == OpAdd && n.op == OpAdd && s.nodes[m.args[0]].op == OpConst && s.nodes[n.args[0]].op == OpConst {
		// (c + a) + (d + b) = (c + d) + (a + b)
		return s.Add(s.Add(m.args[0], n.args[0]), s.Add(m.args[1], n.args[1]))
	}
	return s.mk(OpAdd, w, 0, x, y, 0)
}

// addConst simplifies v + x.
func (s *Store) addConst(v uint64, x Term) (Term, bool) {
	n := s.nodes[x]
	w := int(n.width)
	switch n.op {
	case OpAdd: // c + (d + a) = (c + d) + a
		if c, ok := s.Value(n.args[0]); ok {
			return s.Add(s.Const(w, c+v), n.args[1]), true
		}
	case OpNot: // c + ¬(d + a) = ¬((d - c) + a)
		m := s.nodes[n.args[0]]
		if c, ok := s.Value(m.args[0]); ok && m.op == OpAdd {
			return s.Not(s.Add(s.Const(w, c-v), m.args[1])), true
		}
	}
	return 0, false
}

// cancel simplifies ¬(a + b) + b to ¬a. This is what (a + b) - b and
// (a - b) + b are.
func (s *Store) cancel(x, y Term) (Term, bool) {
	if s.nodes[x].op != OpNot {
		return 0, false
	}
	n := &s.nodes[s.nodes[x].args[0]]
	if n.op != OpAdd {
		return 0, false
	}
	switch y {
	case n.args[0]:
		return s.Not(n.args[1]), true
	case n.args[1]:
		return s.Not(n.args[0]), true
	}
	return 0, false
}

// Mul returns x × y modulo 2^w.
func (s *Store) Mul(x, y Term) Term {
	w := s.sameWidth(OpMul, x, y)
	if w == 1 {
		return s.And(x, y)
	}
	if t, ok := s.fold(OpMul, w, x, y); ok {
		return t
	}
	if s.after(x, y) {
		x, y = y, x
	}
	if v, ok := s.Value(x); ok {
		n := &s.nodes[y]
		switch {
		case v == 0: // 0 × a = 0
			return x
		case v == ones(w): // -1 × a = -a
			return s.Neg(y)
		case v&(v-1) == 0: // 2^k × a = a << k
			return s.Shl(y, s.Const(w, uint64(bits.TrailingZeros64(v))))
		case n.op == OpMul && s.nodes[n.args[0]].op == OpConst: // c × (d × a) = (c × d) × a
			return s.Mul(s.Mul(x, n.args[0]), n.args[1])
		}
	}
	return s.mk(OpMul, w, 0, x, y, 0)
}

// power returns k if y is the constant 2^k.
func (s *Store) power(y Term) (k int, ok bool) {
	v, ok := s.Value(y)
	return bits.TrailingZeros64(v), ok && v != 0 && v&(v-1) == 0
}

// UDiv returns x ÷ y unsigned; all ones where y is 0.
func (s *Store) UDiv(x, y Term) Term {
	w := s.sameWidth(OpUDiv, x, y)
	if t, ok := s.fold(OpUDiv, w, x, y); ok {
		return t
	}
	k, ok := s.power(y)
	switch {
	case w == 1: // by 0 it is 1, by 1 it is a: b → a
		return s.Implies(y, x)
	case ok: // a ÷ 2^k = a >> k
		return s.Lshr(x, s.Const(w, uint64(k)))
	case y == s.Const(w, 0): // a ÷ 0 = -1
		return s.Const(w, ^uint64(0))
	case x == y: // a ÷ a = 1, but for a = 0
		return s.Ite(s.Eq(x, s.Const(w, 0)), s.Const(w, ^uint64(0)), s.Const(w, 1))
	}
	return s.mk(OpUDiv, w, 0, x, y, 0)
}

// URem returns x mod y unsigned; x where y is 0.
func (s *Store) URem(x, y Term) Term {
	w := s.sameWidth(OpURem, x, y)
	if t, ok := s.fold(OpURem, w, x, y); ok {
		return t
	}
	k, ok := s.power(y)
	switch {
	case w == 1: // by 0 it is a, by 1 it is 0
		return s.And(x, s.Not(y))
	case ok: // a mod 2^k = a ∧ 2^k-1
		return s.And(x, s.Const(w, 1<<k-1))
	case x == y: // a mod a = 0
		return s.Const(w, 0)
	case y == s.Const(w, 0), s.known[x].max(w) < s.known[y].min(): // a mod 0 = a; a mod b = a for a < b
		return x
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
	v, constant := s.Value(y)
	switch {
	case w == 1: // -1 ÷ -1 overflows to -1
		return s.Implies(y, x)
	case s.sign(x) == 0 && s.sign(y) == 0: // signs are 0
		return s.UDiv(x, y)
	case !constant:
	case v == 0: // a ÷ 0 = a < 0 ? 1 : -1
		return s.Ite(s.negative(x), s.Const(w, 1), s.Const(w, ^uint64(0)))
	case v == 1<<(w-1): // a ÷ min = a = min ? 1 : 0
		return s.Zext(w, s.Eq(x, y))
	case v>>(w-1) == 1: // a ÷ -c = -(a ÷ c)
		return s.Neg(s.SDiv(x, s.Const(w, -v)))
	case v&(v-1) == 0:
		return s.divPower(w, x, bits.TrailingZeros64(v))
	}
	return s.mk(OpSDiv, w, 0, x, y, 0)
}

// divPower returns x ÷ 2^k signed, truncated: for a negative x, 2^k-1 makes
// the shift round up.
func (s *Store) divPower(w int, x Term, k int) Term {
	if k == 0 {
		return x
	}
	sign := s.Sext(k, s.negative(x))
	return s.Ashr(s.Add(x, s.Zext(w, sign)), s.Const(w, uint64(k)))
}

// negative returns the sign bit of x.
func (s *Store) negative(x Term) Term {
	w := s.Width(x)
	return s.Extract(x, w-1, w-1)
}

// sign returns the sign bit of x if it is known, else -1.
func (s *Store) sign(x Term) int {
	k, top := s.known[x], s.Width(x)-1
	switch {
	case k.zero>>top == 1:
		return 0
	case k.one>>top == 1:
		return 1
	}
	return -1
}

// SRem returns the remainder of SDiv, with the sign of x; x where y is 0.
func (s *Store) SRem(x, y Term) Term {
	w := s.sameWidth(OpSRem, x, y)
	if t, ok := s.fold(OpSRem, w, x, y); ok {
		return t
	}
	v, constant := s.Value(y)
	switch {
	case w == 1: // by 0 it is a, by -1 it is 0
		return s.And(x, s.Not(y))
	case s.sign(x) == 0 && s.sign(y) == 0: // signs are 0
		return s.URem(x, y)
	case x == y: // a mod a = 0
		return s.Const(w, 0)
	case !constant:
	case v == 0: // a mod 0 = a
		return x
	case v == 1<<(w-1): // a mod min = a = min ? 0 : a
		return s.Ite(s.Eq(x, y), s.Const(w, 0), x)
	case v>>(w-1) == 1: // a mod -c = a mod c
		return s.SRem(x, s.Const(w, -v))
	case v&(v-1) == 0: // a mod c = a - c × (a ÷ c)
		k := bits.TrailingZeros64(v)
		return s.Sub(x, s.Shl(s.divPower(w, x, k), s.Const(w, uint64(k))))
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
	if op == OpAshr && s.sign(x) == 0 { // the sign is 0
		op = OpLshr
	}
	v, ok := s.Value(y)
	switch {
	case w == 1 && op == OpAshr: // only the sign is left
		return x
	case w == 1: // a << 1 = 0
		return s.And(x, s.Not(y))
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

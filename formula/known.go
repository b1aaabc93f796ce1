package formula

import "math/bits"

// This file computes which bits of a term are the same in every
// assignment. Comparisons, masks and extensions are decided by them. They
// are computed once for each term, which is 5% of the time to build it.

// A known says which bits of a term are known, 0 in zero and 1 in one. Bits
// above the width are in neither.
type known struct{ zero, one uint64 }

// min and max bound the unsigned value of a term of width w.
func (k known) min() uint64      { return k.one }
func (k known) max(w int) uint64 { return ^k.zero & ones(w) }

// full reports whether all bits of a term of width w are known.
func (k known) full(w int) bool { return k.zero|k.one == ones(w) }

func exactly(w int, v uint64) known { return known{^v & ones(w), v} }

func verdict(b bool) known { return exactly(1, truth(b)) }

// atMost returns what is known of a term of width w with values up to v.
func atMost(w int, v uint64) known { return known{zero: ones(w) &^ ones0(bits.Len64(v))} }

// ones0 is ones for a width that may be 0.
func ones0(w int) uint64 { return 1<<w - 1 }

// compute returns what is known of the node n from its operands.
func (s *Store) compute(n *node) known {
	w := int(n.width)
	if n.op == OpVar || w == 1 && n.op <= OpXor {
		return known{}
	}
	if n.op == OpConst {
		return exactly(w, s.consts[n.aux])
	}
	var a [3]known
	for i, x := range n.args {
		if x != 0 {
			a[i] = s.known[x]
		}
	}
	if n.op >= OpIte {
		return s.computePart(n, a)
	}
	return computeBinary(n.op, int(s.nodes[n.args[0]].width), a[0], a[1])
}

func (s *Store) computePart(n *node, a [3]known) known {
	w, k := int(n.width), int(s.nodes[n.args[0]].width)
	switch n.op {
	case OpIte:
		return known{a[1].zero & a[2].zero, a[1].one & a[2].one}
	case OpConcat:
		low := int(s.nodes[n.args[1]].width)
		return known{a[0].zero<<low | a[1].zero, a[0].one<<low | a[1].one}
	case OpExtract:
		return known{a[0].zero >> n.aux & ones(w), a[0].one >> n.aux & ones(w)}
	case OpZext:
		return known{a[0].zero | ones(w)&^ones(k), a[0].one}
	}
	// OpSext: the new bits are known if the sign is.
	return known{signExtend(a[0].zero, k) & ones(w), signExtend(a[0].one, k) & ones(w)}
}

// computeBinary returns what is known of x op y, where operands of width w
// are known as x and y.
func computeBinary(op Op, w int, x, y known) known {
	switch op {
	case OpNot:
		return known{x.one, x.zero}
	case OpAnd:
		return known{x.zero | y.zero, x.one & y.one}
	case OpXor:
		return known{x.zero&y.zero | x.one&y.one, x.zero&y.one | x.one&y.zero}
	case OpAdd:
		return knownSum(w, x, y)
	case OpMul:
		return knownProduct(w, x, y)
	case OpUDiv:
		if y.min() > 0 {
			return atMost(w, x.max(w)/y.min())
		}
	case OpURem:
		v := x.max(w)
		if y.min() > 0 {
			v = min(v, y.max(w)-1)
		}
		return atMost(w, v)
	case OpShl:
		if y.min() >= uint64(w) {
			return exactly(w, 0)
		}
		return known{zero: ones0(bits.TrailingZeros64(^x.zero)+int(y.min())) & ones(w)}
	case OpLshr:
		if y.min() >= uint64(w) {
			return exactly(w, 0)
		}
		return atMost(w, x.max(w)>>y.min())
	case OpEq:
		if x.zero&y.one|x.one&y.zero != 0 {
			return verdict(false)
		}
	case OpUlt:
		return knownLess(x.min(), x.max(w), y.min(), y.max(w))
	case OpSlt: // with signs flipped, unsigned
		x, y = flipped(w, x), flipped(w, y)
		return knownLess(x.min(), x.max(w), y.min(), y.max(w))
	}
	return known{}
}

// knownLess decides x < y from the bounds of x and y, if they do.
func knownLess(minX, maxX, minY, maxY uint64) known {
	switch {
	case maxX < minY:
		return verdict(true)
	case minX >= maxY:
		return verdict(false)
	}
	return known{}
}

// flipped exchanges the values of the sign bit.
func flipped(w int, x known) known {
	sign := uint64(1) << (w - 1)
	return known{x.zero&^sign | x.one&sign, x.one&^sign | x.zero&sign}
}

// knownSum follows LLVM's KnownBits: a carry is known where the smallest and
// the largest sum agree on it.
func knownSum(w int, x, y known) known {
	most, least := x.max(w)+y.max(w), x.min()+y.min()
	carryZero := ^(most ^ x.zero ^ y.zero)
	carryOne := least ^ x.one ^ y.one
	// x.max is the complement of x.zero, hence the same carries.
	m := (x.zero | x.one) & (y.zero | y.one) & (carryZero | carryOne)
	return known{^most & m, most & m}
}

// knownProduct knows trailing zeros, and leading ones if nothing overflows.
func knownProduct(w int, x, y known) known {
	low := bits.TrailingZeros64(^x.zero) + bits.TrailingZeros64(^y.zero)
	k := known{zero: ones(w)}
	if low < w {
		k.zero = ones0(low)
	}
	if hi, lo := bits.Mul64(x.max(w), y.max(w)); hi == 0 && lo <= ones(w) {
		k.zero |= atMost(w, lo).zero
	}
	return k
}

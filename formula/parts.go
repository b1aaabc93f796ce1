package formula

import "fmt"

// This file builds terms that cut and join bit-vectors.

// Concat returns the bits of x above those of y. Their widths must add up
// to at most 64.
func (s *Store) Concat(x, y Term) Term {
	wx, wy := s.Width(x), s.Width(y)
	if wx+wy > 64 {
		panic(fmt.Sprintf("formula: concat of widths %d and %d", wx, wy))
	}
	u, okx := s.Value(x)
	v, oky := s.Value(y)
	a, b := s.nodes[x], s.nodes[y]
	switch {
	case okx && oky:
		return s.Const(wx+wy, u<<wy|v)
	case okx && u == 0: // 0 a is an extension
		return s.Zext(wx+wy, y)
	case a.op == OpZext: // (0a) b = 0 (ab)
		return s.Zext(wx+wy, s.Concat(a.args[0], y))
	case a.op == OpConcat && oky && s.nodes[a.args[1]].op == OpConst: // (a c) d = a (cd)
		return s.Concat(a.args[0], s.Concat(a.args[1], y))
	case a.op == OpExtract && b.op == OpExtract && a.args[0] == b.args[0] &&
		int(a.aux) == int(b.aux)+wy: // a[i..j] a[j-1..k] = a[i..k]
		return s.Extract(a.args[0], int(a.aux)+wx-1, int(b.aux))
	}
	return s.mk(OpConcat, wx+wy, 0, x, y, 0)
}

// Extract returns bits hi to lo of x, both counted from 0 and included.
func (s *Store) Extract(x Term, hi, lo int) Term {
	n := s.nodes[x]
	w := hi - lo + 1
	if lo < 0 || w < 1 || hi >= int(n.width) {
		panic(fmt.Sprintf("formula: bits %d to %d of width %d", hi, lo, n.width))
	}
	if w == int(n.width) {
		return x
	}
	if s.deeper() {
		t, ok := s.extract(n, hi, lo)
		s.shallower()
		if ok {
			return t
		}
	}
	return s.mk(OpExtract, w, uint32(lo), x, 0, 0)
}

// extract simplifies bits hi to lo of n, which are not all.
func (s *Store) extract(n node, hi, lo int) (Term, bool) {
	w := hi - lo + 1
	part := func(i int) Term { return s.Extract(n.args[i], hi, lo) }
	_, fixed := s.Value(n.args[0])
	switch n.op {
	case OpExtract: // bits of bits
		return s.Extract(n.args[0], hi+int(n.aux), lo+int(n.aux)), true
	case OpNot: // so that negation stays outside
		return s.Not(part(0)), true
	case OpConcat:
		return s.extractConcat(n, hi, lo), true
	case OpZext, OpSext:
		return s.extractExtended(n, hi, lo), true
	case OpIte: // a constant branch gets shorter
		_, left := s.Value(n.args[1])
		_, right := s.Value(n.args[2])
		if left || right {
			return s.Ite(n.args[0], part(1), part(2)), true
		}
	case OpAnd:
		if fixed || lo == 0 {
			return s.And(part(0), part(1)), true
		}
	case OpXor:
		if fixed || lo == 0 {
			return s.Xor(part(0), part(1)), true
		}
	case OpAdd: // low bits depend on low bits only
		if lo == 0 {
			return s.Add(part(0), part(1)), true
		}
	case OpMul:
		if lo == 0 {
			return s.Mul(part(0), part(1)), true
		}
	case OpConst:
		return s.Const(w, s.consts[n.aux]>>lo), true
	}
	return 0, false
}

func (s *Store) extractConcat(n node, hi, lo int) Term {
	x, y := n.args[0], n.args[1]
	switch k := s.Width(y); {
	case hi < k:
		return s.Extract(y, hi, lo)
	case lo >= k:
		return s.Extract(x, hi-k, lo-k)
	default:
		return s.Concat(s.Extract(x, hi-k, 0), s.Extract(y, k-1, lo))
	}
}

// extractExtended returns bits hi to lo of the extension n.
func (s *Store) extractExtended(n node, hi, lo int) Term {
	x := n.args[0]
	switch k := s.Width(x); {
	case hi < k:
		return s.Extract(x, hi, lo)
	case n.op == OpSext:
		return s.Sext(hi-lo+1, s.Extract(x, k-1, min(lo, k-1)))
	case lo >= k:
		return s.Const(hi-lo+1, 0)
	default:
		return s.Zext(hi-lo+1, s.Extract(x, k-1, lo))
	}
}

// Zext returns x with zeros above, at width w, which may be x's own.
func (s *Store) Zext(w int, x Term) Term {
	n := s.nodes[x]
	switch k := int(n.width); {
	case w < k || w > 64:
		panic(fmt.Sprintf("formula: extension of width %d to %d", k, w))
	case w == k:
		return x
	}
	switch n.op {
	case OpConst:
		return s.Const(w, s.consts[n.aux])
	case OpZext:
		return s.Zext(w, n.args[0])
	}
	return s.mk(OpZext, w, 0, x, 0, 0)
}

// Sext returns x with copies of its highest bit above, at width w, which
// may be x's own.
func (s *Store) Sext(w int, x Term) Term {
	n := s.nodes[x]
	k := int(n.width)
	switch {
	case w < k || w > 64:
		panic(fmt.Sprintf("formula: extension of width %d to %d", k, w))
	case w == k:
		return x
	}
	switch n.op {
	case OpConst:
		return s.Const(w, signExtend(s.consts[n.aux], k))
	case OpSext:
		return s.Sext(w, n.args[0])
	}
	if s.sign(x) == 0 {
		return s.Zext(w, x)
	}
	return s.mk(OpSext, w, 0, x, 0, 0)
}

// signExtend returns v, whose width is w, as a 64-bit number.
func signExtend(v uint64, w int) uint64 { return uint64(int64(v<<(64-w)) >> (64 - w)) }

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
	switch {
	case okx && oky:
		return s.Const(wx+wy, u<<wy|v)
	case okx && u == 0:
		return s.Zext(wx+wy, y)
	}
	a, b := s.nodes[x], s.nodes[y]
	if a.op == OpExtract && b.op == OpExtract && a.args[0] == b.args[0] &&
		int(a.aux) == int(b.aux)+wy { // a[i..j] a[j-1..k] = a[i..k]
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
	switch n.op {
	case OpConst:
		return s.Const(w, s.consts[n.aux]>>lo)
	case OpExtract: // bits of bits
		return s.Extract(n.args[0], hi+int(n.aux), lo+int(n.aux))
	case OpNot: // so that negation stays outside
		return s.Not(s.Extract(n.args[0], hi, lo))
	case OpConcat:
		if k := s.Width(n.args[1]); hi < k {
			return s.Extract(n.args[1], hi, lo)
		} else if lo >= k {
			return s.Extract(n.args[0], hi-k, lo-k)
		}
	case OpZext, OpSext:
		if t, ok := s.extractExtended(n, hi, lo); ok {
			return t
		}
	case OpIte:
		_, left := s.Value(n.args[1])
		_, right := s.Value(n.args[2])
		if left || right { // a constant branch gets shorter
			return s.Ite(n.args[0], s.Extract(n.args[1], hi, lo), s.Extract(n.args[2], hi, lo))
		}
	case OpAnd, OpXor:
		_, left := s.Value(n.args[0])
		_, right := s.Value(n.args[1])
		if left || right {
			x, y := s.Extract(n.args[0], hi, lo), s.Extract(n.args[1], hi, lo)
			if n.op == OpAnd {
				return s.And(x, y)
			}
			return s.Xor(x, y)
		}
	}
	return s.mk(OpExtract, w, uint32(lo), x, 0, 0)
}

// extractExtended returns bits hi to lo of the extension n.
func (s *Store) extractExtended(n node, hi, lo int) (Term, bool) {
	x := n.args[0]
	k := s.Width(x)
	switch {
	case hi < k:
		return s.Extract(x, hi, lo), true
	case n.op == OpZext && lo >= k:
		return s.Const(hi-lo+1, 0), true
	case n.op == OpZext:
		return s.Zext(hi-lo+1, s.Extract(x, k-1, lo)), true
	}
	return s.Sext(hi-lo+1, s.Extract(x, k-1, min(lo, k-1))), true
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
	case OpZext: // the sign is 0
		return s.Zext(w, n.args[0])
	case OpSext:
		return s.Sext(w, n.args[0])
	}
	return s.mk(OpSext, w, 0, x, 0, 0)
}

// signExtend returns v, whose width is w, as a 64-bit number.
func signExtend(v uint64, w int) uint64 { return uint64(int64(v<<(64-w)) >> (64 - w)) }

package formula

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// A Term denotes a node of a [Store]. The zero Term is invalid. A Term doesn't
// know its Store: one of another Store is taken silently, for whatever node
// has that number.
type Term uint32

// A node is 24 bytes, pinned by TestSizeof.
type node struct {
	op    Op
	width uint8
	args  [3]Term
	aux   uint32 // OpConst: index into consts; OpVar: into names; OpExtract: low bit
	next  Term   // hash chain
}

// A Store owns terms, which live as long as it does: each takes 24 bytes for
// its node, 16 for its known bits, and 4 to 8 in the hash table. It is not
// safe for concurrent use.
type Store struct {
	nodes  []node
	known  []known // by Term
	table  []Term  // buckets; len is a power of two
	consts []uint64
	names  []string
	constI map[uint64]uint32
	t, f   Term
	depth  int // see deeper
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{
		nodes:  make([]node, 1, 1024),
		known:  make([]known, 1, 1024),
		table:  make([]Term, 1024),
		constI: make(map[uint64]uint32),
	}
	s.f, s.t = s.Const(1, 0), s.Const(1, 1)
	return s
}

// Len returns the number of terms plus one: every Term t has t < Len.
func (s *Store) Len() int { return len(s.nodes) }

// Width returns t's width in bits.
func (s *Store) Width(t Term) int { return int(s.nodes[t].width) }

// Op returns t's operator.
func (s *Store) Op(t Term) Op { return s.nodes[t].op }

// NumArgs returns the number of t's operands, at most 3.
func (s *Store) NumArgs(t Term) int {
	a := &s.nodes[t].args
	switch {
	case a[0] == 0:
		return 0
	case a[1] == 0:
		return 1
	case a[2] == 0:
		return 2
	}
	return 3
}

// Arg returns t's i-th operand, counted from 0.
func (s *Store) Arg(t Term, i int) Term { return s.nodes[t].args[i] }

// Args yields t's operands in order.
func (s *Store) Args(t Term) iter.Seq2[int, Term] {
	return func(yield func(int, Term) bool) {
		for i, a := range s.nodes[t].args {
			if a == 0 || !yield(i, a) {
				return
			}
		}
	}
}

// Low returns the lowest bit that t, an OpExtract, takes from its operand.
func (s *Store) Low(t Term) int { return int(s.nodes[t].aux) }

// Value returns the value of t and whether t is a constant.
func (s *Store) Value(t Term) (uint64, bool) {
	if n := &s.nodes[t]; n.op == OpConst {
		return s.consts[n.aux], true
	}
	return 0, false
}

// Name returns the name of t, a variable, and "" for others.
func (s *Store) Name(t Term) string {
	if n := &s.nodes[t]; n.op == OpVar {
		return s.names[n.aux]
	}
	return ""
}

// Vars appends to dst the variables below ts, each once, oldest first. It
// takes time and memory linear in the terms up to the youngest of ts.
func (s *Store) Vars(dst []Term, ts ...Term) []Term {
	var top Term
	for _, t := range ts {
		top = max(top, t)
	}
	below := make([]bool, top+1)
	for _, t := range ts {
		below[t] = true
	}
	first := len(dst)
	for t := top; t > 0; t-- { // operands are older than terms
		if n := &s.nodes[t]; below[t] && n.op == OpVar {
			dst = append(dst, t)
		} else if below[t] {
			below[n.args[0]], below[n.args[1]], below[n.args[2]] = true, true, true
		}
	}
	slices.Reverse(dst[first:])
	return dst
}

// Const returns the constant v modulo 2^w.
func (s *Store) Const(w int, v uint64) Term {
	if w < 1 || w > 64 {
		panic(fmt.Sprintf("formula: width %d out of range", w))
	}
	v &= ones(w)
	i, ok := s.constI[v]
	if !ok {
		i = uint32(len(s.consts))
		s.consts = append(s.consts, v)
		s.constI[v] = i
	}
	return s.mk(OpConst, w, i, 0, 0, 0)
}

// True returns the proposition that always holds.
func (s *Store) True() Term { return s.t }

// False returns the proposition that never holds.
func (s *Store) False() Term { return s.f }

// Var returns a fresh variable. The name is for people only: it need not
// be unique.
func (s *Store) Var(w int, name string) Term {
	if w < 1 || w > 64 {
		panic(fmt.Sprintf("formula: width %d out of range", w))
	}
	s.names = append(s.names, name)
	return s.mk(OpVar, w, uint32(len(s.names)-1), 0, 0, 0)
}

// mk returns the unique term with the given parts, or the constant that it
// is known to equal.
func (s *Store) mk(op Op, w int, aux uint32, x, y, z Term) Term {
	if op.commutative() && s.after(x, y) {
		x, y = y, x
	}
	n := node{op: op, width: uint8(w), aux: aux, args: [3]Term{x, y, z}}
	h := n.hash() & uint32(len(s.table)-1)
	for t := s.table[h]; t != 0; t = s.nodes[t].next {
		if m := &s.nodes[t]; m.op == n.op && m.width == n.width && m.aux == n.aux && m.args == n.args {
			return t
		}
	}
	k := s.compute(&n)
	if op != OpConst && k.full(w) {
		return s.Const(w, k.one)
	}
	if len(s.nodes) >= len(s.table) {
		s.grow()
		h = n.hash() & uint32(len(s.table)-1)
	}
	t := Term(len(s.nodes))
	n.next = s.table[h]
	s.table[h] = t
	s.nodes = append(s.nodes, n)
	s.known = append(s.known, k)
	return t
}

// maxDepth bounds how far a rewrite looks down a term: rules that push an
// operator inward would else take quadratic time on the long chains that
// loops unwind to.
const maxDepth = 8

// deeper reports whether a rule that recurses into operands may be applied.
// If so, the caller must call shallower after.
func (s *Store) deeper() bool {
	if s.depth == maxDepth {
		return false
	}
	s.depth++
	return true
}

func (s *Store) shallower() { s.depth-- }

// choice returns c, u and v if x is (c ? u : v), for constants u and v.
func (s *Store) choice(x Term) (c Term, u, v uint64, ok bool) {
	n := &s.nodes[x]
	switch n.op {
	case OpIte:
		u, ok = s.Value(n.args[1])
		if ok {
			v, ok = s.Value(n.args[2])
		}
		return n.args[0], u, v, ok
	case OpZext, OpSext:
		if s.Width(n.args[0]) != 1 {
			break
		}
		if n.op == OpZext {
			return n.args[0], 1, 0, true
		}
		return n.args[0], ones(int(n.width)), 0, true
	}
	return 0, 0, 0, false
}

// fold returns the term x op y, which has width w, if both operands are
// constants, or choices between constants by one condition.
func (s *Store) fold(op Op, w int, x, y Term) (Term, bool) {
	k := s.Width(x)
	u, okx := s.Value(x)
	v, oky := s.Value(y)
	if okx && oky {
		return s.Const(w, apply(op, k, u, v)), true
	}
	c, u1, u0, cx := s.choice(x)
	d, v1, v0, cy := s.choice(y)
	switch { // (c ? a : b) op d = c ? a op d : b op d
	case cx && oky:
		v1, v0 = v, v
	case okx && cy:
		c, u1, u0 = d, u, u
	case !cx || !cy || c != d:
		return 0, false
	}
	return s.Ite(c, s.Const(w, apply(op, k, u1, v1)), s.Const(w, apply(op, k, u0, v0))), true
}

// after reports whether y comes before x as an operand of a commutative
// operator: constants are first, then the older term is.
func (s *Store) after(x, y Term) bool {
	c, d := s.nodes[x].op == OpConst, s.nodes[y].op == OpConst
	if c != d {
		return d
	}
	return x > y
}

func (n *node) hash() uint32 {
	h := uint32(n.op)<<8 | uint32(n.width)
	for _, x := range [...]uint32{n.aux, uint32(n.args[0]), uint32(n.args[1]), uint32(n.args[2])} {
		h = bits.RotateLeft32(h*0x9E3779B1, 13) ^ x
	}
	h *= 0x85EBCA6B
	return h ^ h>>15
}

func (s *Store) grow() {
	table := make([]Term, 2*len(s.table))
	for i := 1; i < len(s.nodes); i++ {
		n := &s.nodes[i]
		h := n.hash() & uint32(len(table)-1)
		n.next = table[h]
		table[h] = Term(i)
	}
	s.table = table
}

func ones(w int) uint64 { return ^uint64(0) >> (64 - w) }

func (s *Store) sameWidth(op Op, x, y Term) int {
	if s.nodes[x].width != s.nodes[y].width {
		panic(fmt.Sprintf("formula: %v of widths %d and %d", op, s.Width(x), s.Width(y)))
	}
	return s.Width(x)
}

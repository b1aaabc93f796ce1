package formula

import (
	"cmp"
	"slices"
)

// maxSum is how many operators of sums eqSum looks through.
const maxSum = 4096

// A summand is the part coef × term of a sum.
type summand struct {
	term Term
	coef uint64
}

// eqSum decides x = y for sums that differ in the order and grouping of
// their summands only, and in constants. Two versions of a loop that add the
// same numbers up make such sums, which the solver can hardly tell to be
// equal. It gives up at the first summand that doesn't cancel out.
func (s *Store) eqSum(x, y Term) (Term, bool) {
	if !s.isSum(x) || !s.isSum(y) {
		return 0, false
	}
	w := s.Width(x)
	d := difference{s: s, mask: ones(w)}
	d.add(x, 1)
	d.add(y, ^uint64(0))
	for range maxSum {
		if len(d.rest) == 0 {
			return s.Eq(s.Const(w, d.constant), s.Const(w, 0)), true
		}
		if !d.expand() {
			break
		}
	}
	return 0, false
}

func (s *Store) isSum(x Term) bool {
	n := &s.nodes[x]
	return n.op == OpAdd || n.op == OpNot && s.nodes[n.args[0]].op == OpAdd
}

// A difference is a sum that is being expanded. Operands are older than
// what they are operands of, so expanding the newest summand first meets
// each term once, with all that its users contribute.
type difference struct {
	s        *Store
	mask     uint64
	rest     []summand // by term
	constant uint64
}

func (d *difference) add(t Term, c uint64) {
	i, found := slices.BinarySearchFunc(d.rest, t, func(e summand, t Term) int { return cmp.Compare(e.term, t) })
	if !found {
		d.rest = slices.Insert(d.rest, i, summand{term: t})
	}
	d.rest[i].coef += c
}

// expand replaces the newest summand by those that it is the sum of. It
// reports false if that one is no sum.
func (d *difference) expand() bool {
	last := d.rest[len(d.rest)-1]
	d.rest = d.rest[:len(d.rest)-1]
	c := last.coef
	if c&d.mask == 0 {
		return true
	}
	n := d.s.nodes[last.term]
	switch n.op {
	case OpConst:
		v, _ := d.s.Value(last.term)
		d.constant += c * v
		return true
	case OpAdd:
		d.add(n.args[0], c)
		d.add(n.args[1], c)
		return true
	case OpNot: // ¬a = -a - 1
		d.constant -= c
		d.add(n.args[0], -c)
		return true
	case OpMul:
		if v, ok := d.s.Value(n.args[0]); ok {
			d.add(n.args[1], c*v)
			return true
		}
	case OpShl:
		if k, ok := d.s.Value(n.args[1]); ok { // 0 from the width on, as in Go
			d.add(n.args[0], c<<k)
			return true
		}
	}
	return false
}

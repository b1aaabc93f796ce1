package relation

import "slices"

// This file holds integers as bits in two's complement, lowest first.

func (s *Solver) intConst(v int) []Gate {
	bs := make([]Gate, s.u.bits)
	for i := range bs {
		bs[i] = constGate(v>>i&1 == 1)
	}
	return bs
}

func (s *Solver) columns() [][]Gate { return make([][]Gate, s.u.bits) }

// cardinality counts the tuples of x.
func (s *Solver) cardinality(x *matrix) []Gate {
	cols := s.columns()
	cols[0] = x.gates()
	return s.c.sum(cols)
}

// sumOf adds up the integers of x's atoms.
func (s *Solver) sumOf(x *matrix) []Gate {
	cols := s.columns()
	for _, a := range x.cells {
		v, _ := s.u.Int(Atom(a.t))
		for i := range cols {
			if v>>i&1 == 1 {
				cols[i] = append(cols[i], a.g)
			}
		}
	}
	return s.c.sum(cols)
}

// intSet is the set of the atom that stands for x.
func (s *Solver) intSet(x []Gate) *matrix {
	var cells []cell
	for a := range s.u.Len() {
		v, ok := s.u.Int(Atom(a))
		if !ok {
			continue
		}
		if g := s.intEqual(x, s.intConst(v)); g != gateFalse {
			cells = append(cells, cell{tuple(a), g})
		}
	}
	return s.matrix(1, cells)
}

func not(x []Gate) []Gate {
	r := make([]Gate, len(x))
	for i, g := range x {
		r[i] = g.Not()
	}
	return r
}

func (s *Solver) plus(x, y []Gate, carry Gate) []Gate {
	r := make([]Gate, len(x))
	for i := range r {
		r[i], carry = s.c.add(x[i], y[i], carry)
	}
	return r
}

func (s *Solver) minus(x, y []Gate) []Gate { return s.plus(x, not(y), gateTrue) }

func (s *Solver) negate(x []Gate) []Gate { return s.minus(s.intConst(0), x) }

func (s *Solver) times(x, y []Gate) []Gate {
	cols := s.columns()
	for i := range x {
		for j := range len(y) - i {
			if g := s.c.and(x[i], y[j]); g != gateFalse {
				cols[i+j] = append(cols[i+j], g)
			}
		}
	}
	return s.c.sum(cols)
}

// divide divides the magnitudes bit by bit, highest first, and gives the results
// their signs.
func (s *Solver) divide(op IntBinaryOp, x, y []Gate) []Gate {
	n := len(x)
	minusX, minusY := x[n-1], y[n-1]
	a, b := s.chooseInt(minusX, s.negate(x), x), s.chooseInt(minusY, s.negate(y), y)
	wide := append(slices.Clone(b), gateFalse)
	quotient, rest := make([]Gate, n), make([]Gate, n+1) // the rest may need a bit more for a moment
	for i := range rest {
		rest[i] = gateFalse
	}
	for i := n - 1; i >= 0; i-- {
		rest = append([]Gate{a[i]}, rest[:n]...)
		less := s.minus(rest, wide)
		quotient[i] = less[n].Not()
		rest = s.chooseInt(quotient[i], less, rest)
	}
	zero := s.c.orN(slices.Clone(y)).Not()
	if op == Remainder {
		return s.chooseInt(zero, x, s.chooseInt(minusX, s.negate(rest[:n]), rest[:n]))
	}
	q := s.chooseInt(s.c.xor(minusX, minusY), s.negate(quotient), quotient)
	return s.chooseInt(zero, s.negate(s.signum(x)), q)
}

// shift shifts by powers of two one after another.
func (s *Solver) shift(op IntBinaryOp, x, y []Gate) []Gate {
	n, fill := len(x), gateFalse
	if op == ShiftRight {
		fill = x[n-1]
	}
	for k := range log2ceil(n) {
		moved := make([]Gate, n)
		for i := range moved {
			from := i + 1<<k
			if op == ShiftLeft {
				from = i - 1<<k
			}
			if moved[i] = fill; from >= 0 && from < n {
				moved[i] = x[from]
			}
		}
		x = s.chooseInt(y[k], moved, x)
	}
	return x
}

// sumOver adds up the values for all bindings.
func (s *Solver) sumOver(x *SumOver) []Gate {
	cols := s.columns()
	s.bindings(x.Decls, gateTrue, 0, func(guard Gate, _ tuple) bool {
		for i, g := range s.int(x.Body) {
			if h := s.c.and(guard, g); h != gateFalse {
				cols[i] = append(cols[i], h)
			}
		}
		return true
	})
	return s.c.sum(cols)
}

func (s *Solver) signum(x []Gate) []Gate {
	sign := x[len(x)-1]
	r := make([]Gate, len(x))
	for i := range r {
		r[i] = sign
	}
	some := make([]Gate, len(x))
	copy(some, x)
	r[0] = s.c.orN(some)
	return r
}

func (s *Solver) chooseInt(cond Gate, x, y []Gate) []Gate {
	r := make([]Gate, len(x))
	for i := range r {
		r[i] = s.c.ite(cond, x[i], y[i])
	}
	return r
}

func (s *Solver) intEqual(x, y []Gate) Gate {
	gs := make([]Gate, len(x))
	for i := range x {
		gs[i] = s.c.iff(x[i], y[i])
	}
	return s.c.andN(gs)
}

// less compares from the lowest bit; the sign bit counts the other way.
func (s *Solver) less(x, y []Gate) Gate {
	lt, top := gateFalse, len(x)-1
	for i := range top {
		lt = s.c.ite(s.c.xor(x[i], y[i]), y[i], lt)
	}
	return s.c.ite(s.c.xor(x[top], y[top]), x[top], lt)
}

func (s *Solver) compareInts(op IntCompareOp, x, y []Gate) Gate {
	switch op {
	case IntEqual:
		return s.intEqual(x, y)
	case IntNotEqual:
		return s.intEqual(x, y).Not()
	case Less:
		return s.less(x, y)
	case LessEqual:
		return s.less(y, x).Not()
	case Greater:
		return s.less(y, x)
	default:
		return s.less(x, y).Not()
	}
}

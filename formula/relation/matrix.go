package relation

import (
	"cmp"
	"slices"
	"sort"
)

// This file holds sparse Boolean matrices: relations whose tuples are there
// under a condition.

type cell struct {
	t tuple
	g Gate // never false
}

// A matrix does not change. Its id tells it from others in keys of caches.
type matrix struct {
	id    int32
	arity int
	cells []cell // sorted by tuple
	late  *late  // what to take by name instead of the cells; or nil
}

func (s *Solver) matrix(arity int, cells []cell) *matrix {
	s.matrices++
	return &matrix{id: s.matrices, arity: arity, cells: cells}
}

// collect makes a matrix of cells in any order; cells of one tuple are joined
// by or.
func (s *Solver) collect(arity int, cells []cell) *matrix {
	s.step(len(cells))
	slices.SortStableFunc(cells, func(a, b cell) int { return cmp.Compare(a.t, b.t) })
	k := 0
	for i := 0; i < len(cells); {
		j := i + 1
		for j < len(cells) && cells[j].t == cells[i].t {
			j++
		}
		g := cells[i].g
		if j > i+1 {
			gs := s.scratch[:0]
			for _, x := range cells[i:j] {
				gs = append(gs, x.g)
			}
			s.scratch = gs
			g = s.c.orN(gs)
		}
		cells[k] = cell{cells[i].t, g}
		k++
		i = j
	}
	return s.matrix(arity, cells[:k])
}

// constant returns the matrix of a set.
func (s *Solver) constant(set *Set) *matrix {
	cells := make([]cell, len(set.tuples))
	for i, t := range set.tuples {
		cells[i] = cell{t, gateTrue}
	}
	return s.matrix(set.arity, cells)
}

func (x *matrix) at(t tuple) Gate {
	i := sort.Search(len(x.cells), func(i int) bool { return x.cells[i].t >= t })
	if i < len(x.cells) && x.cells[i].t == t {
		return x.cells[i].g
	}
	return gateFalse
}

// zip calls f for each tuple of x or y, in order.
func zip(x, y *matrix, f func(t tuple, a, b Gate)) {
	i, j := 0, 0
	for i < len(x.cells) || j < len(y.cells) {
		switch {
		case j == len(y.cells) || i < len(x.cells) && x.cells[i].t < y.cells[j].t:
			f(x.cells[i].t, x.cells[i].g, gateFalse)
			i++
		case i == len(x.cells) || y.cells[j].t < x.cells[i].t:
			f(y.cells[j].t, gateFalse, y.cells[j].g)
			j++
		default:
			f(x.cells[i].t, x.cells[i].g, y.cells[j].g)
			i, j = i+1, j+1
		}
	}
}

func (s *Solver) merge(x, y *matrix, f func(a, b Gate) Gate) *matrix {
	s.step(len(x.cells) + len(y.cells))
	cells := make([]cell, 0, len(x.cells)+len(y.cells))
	zip(x, y, func(t tuple, a, b Gate) {
		if g := f(a, b); g != gateFalse {
			cells = append(cells, cell{t, g})
		}
	})
	return s.matrix(x.arity, cells)
}

func (s *Solver) union(x, y *matrix) *matrix { return s.merge(x, y, s.c.or) }

func (s *Solver) intersect(x, y *matrix) *matrix { return s.merge(x, y, s.c.and) }

func (s *Solver) difference(x, y *matrix) *matrix {
	return s.merge(x, y, func(a, b Gate) Gate { return s.c.and(a, b.Not()) })
}

// rows returns the cells of y whose first column is a.
func (y *matrix) rows(a Atom) []cell {
	shift := 16 * (y.arity - 1)
	lo := tuple(a) << shift
	i := sort.Search(len(y.cells), func(i int) bool { return y.cells[i].t >= lo })
	j := i
	for j < len(y.cells) && y.cells[j].t>>shift == tuple(a) {
		j++
	}
	return y.cells[i:j]
}

func (s *Solver) join(x, y *matrix) *matrix {
	arity := x.arity + y.arity - 2
	rest := tuple(1)<<(16*(y.arity-1)) - 1
	cells := make([]cell, 0, len(y.cells))
	for _, a := range x.cells {
		rows := y.rows(Atom(a.t))
		s.step(1 + len(rows))
		for _, b := range rows {
			if g := s.c.and(a.g, b.g); g != gateFalse {
				cells = append(cells, cell{a.t>>16<<(16*(y.arity-1)) | b.t&rest, g})
			}
		}
	}
	if len(x.cells) == 1 { // sorted already, no tuple twice
		return s.matrix(arity, cells)
	}
	return s.collect(arity, cells)
}

func (s *Solver) product(x, y *matrix) *matrix {
	cells := make([]cell, 0, len(x.cells)*len(y.cells))
	for _, a := range x.cells {
		s.step(len(y.cells))
		for _, b := range y.cells {
			if g := s.c.and(a.g, b.g); g != gateFalse {
				cells = append(cells, cell{a.t<<(16*y.arity) | b.t, g})
			}
		}
	}
	return s.matrix(x.arity+y.arity, cells)
}

func (s *Solver) transpose(x *matrix) *matrix {
	cells := make([]cell, len(x.cells))
	for i, a := range x.cells {
		cells[i] = cell{a.t&0xFFFF<<16 | a.t>>16, a.g}
	}
	return s.collect(2, cells)
}

// closure squares x until paths through all its atoms are covered.
func (s *Solver) closure(x *matrix) *matrix {
	atoms := map[tuple]bool{}
	for _, a := range x.cells {
		atoms[a.t>>16] = true
	}
	for range log2ceil(len(atoms)) {
		x = s.union(x, s.join(x, x))
	}
	return x
}

// override is y, and x where y has no tuple with the same first column.
func (s *Solver) override(x, y *matrix) *matrix {
	shift := 16 * (x.arity - 1)
	kept := make([]cell, 0, len(x.cells))
	for _, a := range x.cells {
		g := a.g
		for _, b := range y.rows(Atom(a.t >> shift)) {
			g = s.c.and(g, b.g.Not())
		}
		if g != gateFalse {
			kept = append(kept, cell{a.t, g})
		}
	}
	return s.union(s.matrix(x.arity, kept), y)
}

// restrict keeps the tuples of x whose column, counted from the right at shift
// bits, is in set.
func (s *Solver) restrict(x, set *matrix, shift int) *matrix {
	cells := make([]cell, 0, len(x.cells))
	for _, a := range x.cells {
		if g := s.c.and(a.g, set.at(a.t>>shift&0xFFFF)); g != gateFalse {
			cells = append(cells, cell{a.t, g})
		}
	}
	return s.matrix(x.arity, cells)
}

func (s *Solver) choose(cond Gate, x, y *matrix) *matrix {
	switch cond {
	case gateTrue:
		return x
	case gateFalse:
		return y
	}
	return s.merge(x, y, func(a, b Gate) Gate { return s.c.ite(cond, a, b) })
}

func (s *Solver) subset(x, y *matrix) Gate {
	s.step(len(x.cells))
	gs := make([]Gate, 0, len(x.cells))
	for _, a := range x.cells {
		gs = append(gs, s.c.implies(a.g, y.at(a.t)))
	}
	return s.c.andN(gs)
}

func (s *Solver) equal(x, y *matrix) Gate {
	gs := make([]Gate, 0, len(x.cells)+len(y.cells))
	zip(x, y, func(_ tuple, a, b Gate) { gs = append(gs, s.c.iff(a, b)) })
	return s.c.andN(gs)
}

func (x *matrix) gates() []Gate {
	gs := make([]Gate, len(x.cells))
	for i, a := range x.cells {
		gs[i] = a.g
	}
	return gs
}

func (s *Solver) multiplicity(op MultOp, x *matrix) Gate {
	switch op {
	case NoOf:
		return s.c.orN(x.gates()).Not()
	case SomeOf:
		return s.c.orN(x.gates())
	case LoneOf:
		return s.c.atMostOne(x.gates())
	case OneOf:
		return s.c.and(s.c.orN(x.gates()), s.c.atMostOne(x.gates()))
	}
	return gateTrue
}

func (s *Solver) disjoint(xs []*matrix) Gate {
	gs := []Gate{}
	seen := xs[0]
	for _, x := range xs[1:] {
		gs = append(gs, s.multiplicity(NoOf, s.intersect(seen, x)))
		seen = s.union(seen, x)
	}
	return s.c.andN(gs)
}

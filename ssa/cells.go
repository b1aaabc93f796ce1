package ssa

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// The state of symbolic execution is an array of cells: one for each scalar
// variable of an activation, each element of an array, and a few flags.
// Branches write to the one array; a trail undoes them, so that a branch
// costs as much as it changes.

// A cell holds the current version of a variable.
type cell struct {
	term    formula.Term // 0: the initial choice, which nobody has read yet
	initial int32        // index into initials, or -1
}

// An initialValue is where a run of cells with free initial values comes from.
type initialValue struct {
	base   int
	choice ir.Choice // of the cell at base, but for Elem
	typ    ir.Type
	name   string
}

type undo struct {
	cell int
	old  formula.Term
}

// A change is a cell's value at the end of a branch.
type change struct {
	cell int
	term formula.Term
}

func (b *builder) newCell(x formula.Term) int {
	b.cells = append(b.cells, cell{term: x, initial: -1})
	return len(b.cells) - 1
}

// read returns the current version of cell c.
func (b *builder) read(c int) formula.Term {
	b.mem.fetch(c)
	p := &b.cells[c]
	if p.term == 0 {
		h := &b.initials[p.initial]
		k := h.choice
		k.Elem = int32(c - h.base)
		// Not on the trail: it is the same in every branch.
		p.term = b.cfg.Inputs.get(k, h.typ, h.name)
	}
	return p.term
}

func (b *builder) set(c int, x formula.Term) {
	b.mem.fetch(c) // what a branch that is undone leaves behind
	b.trail = append(b.trail, undo{c, b.cells[c].term})
	b.cells[c].term = x
}

// branch executes then where cond holds and els (which may be nil) where it
// doesn't, and merges what they leave.
func (b *builder) branch(cond formula.Term, then, els func()) {
	if els == nil {
		els = func() {}
	}
	if v, ok := b.Value(cond); ok {
		if v == 1 {
			then()
		} else {
			els()
		}
		return
	}
	j := b.fork(cond)
	then()
	x := b.rewind(j.mark, j.cells)
	b.path = b.And(j.path, b.Not(cond))
	els()
	y := b.rewind(j.mark, j.cells)
	b.path = j.path
	b.merge(cond, x, y)
}

// A join is where the runs for which a condition held meet the others.
type join struct {
	path, cond  formula.Term
	mark, cells int // lengths of trail and cells at the fork
}

// fork goes on with the runs for which cond holds.
func (b *builder) fork(cond formula.Term) join {
	j := join{b.path, cond, len(b.trail), len(b.cells)}
	b.path = b.And(b.path, cond)
	return j
}

// rejoin goes on with all runs that were at the fork, the others having
// done nothing since.
func (b *builder) rejoin(j join) {
	x := b.rewind(j.mark, j.cells)
	b.path = j.path
	b.merge(j.cond, x, nil)
}

// rewind undoes all since mark. It returns the changes to the first n
// cells, in order; cells made since then are out of reach.
func (b *builder) rewind(mark, n int) []change {
	b.epoch++
	for len(b.stamp) < n {
		b.stamp = append(b.stamp, 0)
	}
	var out []change
	for _, u := range b.trail[mark:] {
		if u.cell < n && b.stamp[u.cell] != b.epoch {
			b.stamp[u.cell] = b.epoch
			out = append(out, change{u.cell, b.cells[u.cell].term})
		}
	}
	for i := len(b.trail) - 1; i >= mark; i-- {
		b.cells[b.trail[i].cell].term = b.trail[i].old
	}
	b.trail = b.trail[:mark]
	slices.SortFunc(out, func(x, y change) int { return x.cell - y.cell })
	return out
}

// merge sets each changed cell to its value in xs where cond holds and its
// value in ys where it doesn't.
func (b *builder) merge(cond formula.Term, xs, ys []change) {
	for len(xs) > 0 || len(ys) > 0 {
		b.step()
		var c int
		if len(ys) == 0 || len(xs) > 0 && xs[0].cell <= ys[0].cell {
			c = xs[0].cell
		} else {
			c = ys[0].cell
		}
		x, y := b.read(c), b.read(c)
		if len(xs) > 0 && xs[0].cell == c {
			x, xs = xs[0].term, xs[1:]
		}
		if len(ys) > 0 && ys[0].cell == c {
			y, ys = ys[0].term, ys[1:]
		}
		if x != y {
			b.set(c, b.phi("phi", b.Ite(cond, x, y)))
		} else if x != b.read(c) {
			b.set(c, x)
		}
	}
}

package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// offsetWidth is the width of offsets into arrays. Arrays are far smaller
// than 2^31 elements, so that offsets within bounds never wrap around, and
// bit-blasting costs nothing for the bits that are constant.
const offsetWidth = 32

// A view is a variable, or a part of an array.
type view struct {
	base   int          // first cell of the whole variable
	size   int          // number of its cells
	off    formula.Term // offset of the part's first cell; 0: it is 0
	typ    ir.Type
	n      int          // outermost length, or the largest possible
	length int          // cell that holds the outermost length at run time; 0: it is n
	valid  formula.Term // all indices on the way were in bounds; 0: true

	watched bool // only some elements are in the state
}

// An lvalue is a scalar to store to.
type lvalue struct {
	view
	name string
}

// bindZero makes v a variable that starts at zero.
func (b *builder) bindZero(v *ir.Var) {
	elem, n := ir.Scalar(v.Type)
	w := view{base: len(b.cells), size: n, typ: v.Type, n: outer(v.Type)}
	for range n {
		b.step()
		b.newCell(b.Const(ir.Width(elem), 0))
	}
	b.frame.vars[v] = w
}

// bindFree makes v a variable whose initial value is a choice, made when
// its procedure is entered on path at.
func (b *builder) bindFree(v *ir.Var, at ir.Path) {
	elem, n := ir.Scalar(v.Type)
	w := view{base: len(b.cells), size: n, typ: v.Type, n: outer(v.Type)}
	c := ir.Choice{Var: v.ID, Path: at}
	b.initials = append(b.initials, initialValue{base: w.base, choice: c, typ: elem, name: v.Name})
	// Whether it is read or not: which parts of a run read it depends on what
	// folds away, and so on the other inputs.
	b.form.Choices = append(b.form.Choices, Made{Choice: c, Guard: b.reached(), Claims: len(b.form.Claims)})
	for range n {
		b.step()
		b.cells = append(b.cells, cell{initial: int32(len(b.initials) - 1)})
	}
	if b.allocated(v) {
		w.length = b.newCell(b.Const(64, uint64(w.n)))
	}
	b.frame.vars[v] = w
}

// allocated reports whether some Alloc gives v its length.
func (b *builder) allocated(v *ir.Var) bool {
	if _, ok := v.Type.(ir.Array); !ok {
		return false
	}
	if b.allocs == nil {
		b.allocs = make(map[*ir.Var]bool)
		for _, f := range b.p.Procs {
			b.findAllocs(f.Body)
		}
	}
	return b.allocs[v]
}

func (b *builder) findAllocs(bl *ir.Block) {
	for _, s := range bl.List {
		switch s := s.(type) {
		case *ir.Alloc:
			b.allocs[s.Var] = true
		case *ir.Block:
			b.findAllocs(s)
		default:
			for _, inner := range s.Blocks(nil) {
				b.findAllocs(inner)
			}
		}
	}
}

func outer(t ir.Type) int {
	if a, ok := t.(ir.Array); ok {
		return a.Len
	}
	return 1
}

// viewOf returns what e, a Use or Index, stands for. Its indices are
// evaluated by index, which is b.operand or b.value.
func (b *builder) viewOf(e ir.Expr, index func(ir.Expr) formula.Term) view {
	if u, ok := e.(*ir.Use); ok {
		return b.frame.vars[u.Var]
	}
	x := e.(*ir.Index)
	w := b.viewOf(x.X, index)
	i := index(x.I)
	elem := w.typ.(ir.Array).Elem
	_, stride := ir.Scalar(elem)
	off := b.resize(i, offsetWidth)
	if stride != 1 {
		off = b.Mul(off, b.Const(offsetWidth, uint64(stride)))
	}
	if w.off != 0 {
		off = b.Add(w.off, off)
	}
	valid := b.inBounds(w, i, x.I.Type())
	if w.valid != 0 {
		valid = b.And(w.valid, valid)
	}
	return view{base: w.base, size: w.size, off: off, typ: elem, n: outer(elem), valid: valid, watched: w.watched}
}

// inBounds returns the proposition that i, a number of type t, is an index
// of w.
func (b *builder) inBounds(w view, i formula.Term, t ir.Type) formula.Term {
	if w.length == 0 {
		return b.below(i, t, uint64(w.n))
	}
	if ir.Signed(t) {
		i = b.Sext(64, i)
	} else {
		i = b.Zext(64, i)
	}
	return b.Ult(i, b.read(w.length)) // a negative one is huge
}

// below returns the proposition that x, a number of type t, is at least 0
// and less than n.
func (b *builder) below(x formula.Term, t ir.Type, n uint64) formula.Term {
	width := ir.Width(t)
	end := uint64(1) << (width - 1) // negative values start here
	if !ir.Signed(t) {
		if width == 64 {
			return b.Ult(x, b.Const(64, n))
		}
		end <<= 1
	}
	switch {
	case n < end:
		return b.Ult(x, b.Const(width, n))
	case ir.Signed(t):
		return b.Sle(b.Const(width, 0), x)
	}
	return b.True()
}

// resize returns the low bits of x, zero-extended, at width w.
func (b *builder) resize(x formula.Term, w int) formula.Term {
	if n := b.Width(x); n > w {
		return b.Extract(x, w-1, 0)
	}
	return b.Zext(w, x)
}

// lvalue evaluates the indices of e, and checks them.
func (b *builder) lvalue(e ir.Expr) lvalue {
	w := b.viewOf(e, b.operand)
	b.check(e)
	return lvalue{view: w, name: ir.Root(e).Name}
}

// store makes x the new version of l. The indices get a name of their own,
// so that every element that they might have meant depends on them.
func (b *builder) store(l lvalue, x formula.Term) {
	if !b.mem.shares(l.view) {
		b.assign(l, x)
		return
	}
	b.mem.storing(l.view, func() { b.assign(l, x) })
}

func (b *builder) assign(l lvalue, x formula.Term) {
	if l.off == 0 {
		b.mem.update(l.base, b.True(), x)
		return
	}
	off := l.off
	if _, ok := b.Value(off); !ok || !b.cfg.Fold && b.origin != 0 {
		off = b.define(l.name, off)
	}
	b.put(l.view, off, b.known(l.view), x)
}

// known returns the condition under which a store to w takes place. Where
// bounds are checked, the run is violated already wherever it is false.
func (b *builder) known(w view) formula.Term {
	if w.valid == 0 || b.p.Checks.Has(ir.CheckBounds) {
		return b.True()
	}
	return b.define("bounds", w.valid)
}

// put stores x in cell off of w, where valid holds.
func (b *builder) put(w view, off, valid, x formula.Term) {
	if v, ok := b.Value(valid); ok && v == 0 {
		return
	}
	if w.watched {
		b.putWatched(w, off, valid, x)
		return
	}
	if k, ok := b.Value(off); ok {
		if k < uint64(w.size) {
			c := w.base + int(k)
			b.mem.update(c, valid, x)
		}
		return
	}
	for k := range w.size {
		b.step()
		hit := b.And(valid, b.Eq(off, b.Const(offsetWidth, uint64(k))))
		if v, ok := b.Value(hit); ok && v == 0 {
			continue
		}
		b.mem.update(w.base+k, hit, x)
	}
}

// choose returns x where c holds and the old version of cell k elsewhere.
func (b *builder) choose(c, x formula.Term, k int) formula.Term {
	if v, ok := b.Value(c); ok && v == 1 {
		return x
	}
	return b.phi("element", b.Ite(c, x, b.read(k)))
}

// load returns the scalar w, which is any value if an index is out of
// bounds.
func (b *builder) load(w view) formula.Term {
	if w.off == 0 {
		return b.read(w.base)
	}
	if w.watched {
		return b.loadWatched(w)
	}
	if k, ok := b.Value(w.off); ok {
		return b.read(w.base + int(min(k, uint64(w.size-1))))
	}
	bit := 0
	for 1<<(bit+1) < w.size {
		bit++
	}
	return b.pick(w, 0, bit)
}

// pick chooses between the cells of w from lo on by the bits of its offset
// from bit downwards.
func (b *builder) pick(w view, lo, bit int) formula.Term {
	b.step()
	if bit < 0 || lo == w.size-1 {
		return b.read(w.base + lo)
	}
	x := b.pick(w, lo, bit-1)
	hi := lo + 1<<bit
	if hi >= w.size {
		return x
	}
	return b.Ite(b.Extract(w.off, bit, bit), b.pick(w, hi, bit-1), x)
}

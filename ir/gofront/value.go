package gofront

// Values and the places they are kept in.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// A value is what an expression denotes: an ir expression for each leaf of
// its type, or a place in memory.
type value struct {
	typ  types.Type
	lay  *layout
	x    []ir.Expr // by leaf; nil for a place in memory
	regs []*region // by leaf: what pointers in x point into
	mem  *region   // of a place in memory
	addr ir.Expr   // its address
	off  int       // cells to add to it
	held bool      // it is a place, so that leaf i depends on nothing but leaf i

	fn    *function  // a function
	entry *mapEntry  // a place that is an entry of a map, if it is assigned to
	check *lateCheck // of a place that is assigned to

	dyn types.Type // an interface value's dynamic type, if known; lay is its layout

	table *ast.CompositeLit // a map that is only ranged over: see table.go
}

// scalarValue makes e a value of type t.
func (l *lowerer) scalarValue(t types.Type, e ir.Expr) value {
	lay := l.layoutOf(t)
	if len(lay.leaves) != 1 {
		return l.zero(t)
	}
	return value{typ: t, lay: lay, x: []ir.Expr{e}, regs: []*region{nil}}
}

// zero is the zero value of type t: for an array in it, nil stands for the
// zero array.
func (l *lowerer) zero(t types.Type) value {
	v := value{typ: t, lay: l.layoutOf(t)}
	for _, f := range v.lay.leaves {
		if len(f.dims) > 0 {
			v.x = append(v.x, nil)
		} else {
			v.x = append(v.x, num(f.typ, 0))
		}
		v.regs = append(v.regs, nil)
	}
	return v
}

// region returns what pointer leaf i of v points into.
func (v *value) region(i int) *region {
	if i >= len(v.lay.leaves) || v.mem == nil && i >= len(v.regs) {
		return nil // of what was refused
	}
	switch t := v.lay.leaves[i].target; {
	case t == "":
		return nil
	case v.mem != nil:
		return v.mem.sub(t)
	}
	return v.regs[i]
}

// read returns leaf i of v, a scalar that is not inside an array.
func (v *value) read(i int) ir.Expr { return v.elem(i, nil) }

// elem returns the element of leaf i at constant indices.
func (v *value) elem(i int, idx []int) ir.Expr {
	if i >= len(v.lay.leaves) {
		return num(tInt, 0)
	}
	f := &v.lay.leaves[i]
	if v.mem != nil {
		off := v.off + f.off
		for k, n := range idx {
			off += n * f.strides[k]
		}
		return &ir.Index{X: use(v.mem.memory(f.typ)), I: add(ir.CloneExpr(v.addr), num(tAddr, int64(off-bias)))}
	}
	if i >= len(v.x) || v.x[i] == nil {
		return num(f.typ, 0)
	}
	e := ir.CloneExpr(v.x[i])
	for _, n := range idx {
		e = &ir.Index{X: e, I: num(tInt, int64(n))}
	}
	return e
}

// field returns field i of v, a struct of type t.
func (b *body) field(v value, t *types.Struct, i int) value {
	from, to, off := b.fieldRange(t, i)
	w := v
	w.typ = t.Field(i).Type()
	w.lay = b.layoutOf(w.typ)
	if v.mem != nil {
		w.off += off
		return w
	}
	if to > len(v.x) {
		return b.zero(w.typ)
	}
	w.x, w.regs = v.x[from:to], v.regs[from:to]
	return w
}

// index returns the element of v, an array of type t, at i. In memory the
// bounds are checked by the address.
func (b *body) index(v value, t *types.Array, i ir.Expr) value {
	w := v
	w.typ = t.Elem()
	w.lay = b.layoutOf(w.typ)
	n := int(t.Len())
	if len(w.lay.leaves) == 0 || n == 0 {
		b.demand(ir.CheckBounds, b.within64(i, num(tInt, int64(n))), i.Span(), "")
		return b.zero(w.typ)
	}
	switch {
	case len(w.lay.leaves) > 1 || b.guards:
		i = b.frozen(i)
	case v.mem != nil:
		i = b.steady(i)
	}
	b.guard(ir.CheckBounds, i.Span(), func() ir.Expr { return b.within64(i, num(tInt, int64(n))) })
	if v.mem != nil {
		w.addr = b.element(add(v.addr, num(tAddr, int64(v.off))), i, num(tInt, int64(n)), w.lay.size)
		w.off = 0
		return w
	}
	w.x = make([]ir.Expr, len(w.lay.leaves))
	for k, x := range v.x {
		if x == nil { // of a zero array
			b.demand(ir.CheckBounds, b.within64(i, num(tInt, int64(n))), i.Span(), "")
			return b.zero(w.typ)
		}
		w.x[k] = &ir.Index{X: ir.CloneExpr(x), I: ir.CloneExpr(i)}
	}
	return w
}

// nested reports whether e, an index, holds an element itself whose address
// is checked: it is written twice, so that expressions would grow
// exponentially.
func nested(e ir.Expr) bool {
	if _, ok := e.(*ir.Cond); ok {
		return true
	}
	for _, o := range e.Operands(nil) {
		if nested(*o) {
			return true
		}
	}
	return false
}

// within64 is 0 <= i < n.
func (b *body) within64(i, n ir.Expr) ir.Expr {
	if k, ok := plain(i); ok && k < 0 {
		return truth(false)
	}
	return compare(ir.Lt, unsigned(ir.CloneExpr(i)), unsigned(ir.CloneExpr(n)))
}

// unsigned is i as an unsigned number of 64 bits, huge if it is negative.
func unsigned(i ir.Expr) ir.Expr {
	if ir.Signed(i.Type()) {
		i = convert(i, tInt)
	}
	return convert(i, tU64)
}

// element is the address of element i of n at base, 0 (which is nowhere) if
// i is out of bounds.
func (b *body) element(base, i, n ir.Expr, stride int) ir.Expr {
	in := b.within64(i, n)
	at := add(ir.CloneExpr(base), mul(convert(ir.CloneExpr(i), tAddr), stride))
	if k, ok := plain(in); ok && k == 1 {
		return at
	}
	return &ir.Cond{C: in, X: at, Y: num(tAddr, 0)}
}

// deref returns what the pointer in leaf 0 of v points to, of type t.
func (b *body) deref(v value, t types.Type) value {
	w := value{typ: t, lay: b.layoutOf(t), mem: v.region(0), addr: v.read(0), held: true}
	if b.guards {
		w.addr = b.frozen(w.addr)
	}
	if w.mem == nil { // always nil
		w.mem, w.addr = b.region("nil"), num(tAddr, 0)
	}
	b.guard(ir.CheckBounds, b.Span(), func() ir.Expr { return &ir.Binary{Op: ir.Ne, X: ir.CloneExpr(w.addr), Y: num(tAddr, 0)} })
	return w
}

// each calls visit for each constant index into the arrays dims.
func each(dims []int, visit func(idx []int)) {
	idx := make([]int, len(dims))
	for {
		visit(idx)
		k := len(dims) - 1
		for ; k >= 0; k-- {
			if idx[k]++; idx[k] < dims[k] {
				break
			}
			idx[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// store emits to = v, for places to. If the current location is not claimed
// the first assignment stands for it, with the text at span.
func (b *body) store(span ir.Span, to, v value) {
	if to.fn != nil {
		return // refused
	}
	if v.fn != nil || to.dyn == nil {
		v = b.data(v)
	}
	if to.check != nil {
		v = b.snapshot(v)
		to.check.emit()
	}
	if to.entry != nil {
		v = b.snapshot(v)
		to = to.entry.place()
	}
	if len(to.lay.leaves) > 1 || to.lay.size > 1 {
		b.freezePlace(&to)
		if v.held {
			b.freezePlace(&v)
		} else {
			b.freezeLeaves(&v)
		}
	}
	if len(v.lay.leaves) != len(to.lay.leaves) {
		return // refused
	}
	for i := range to.lay.leaves {
		b.unify(to.region(i), v.region(i))
		each(to.lay.leaves[i].dims, func(idx []int) {
			b.put(span, to.elem(i, idx), convert(v.elem(i, idx), to.lay.leaves[i].typ))
		})
	}
}

// put emits to = e: as what stands for the location if nothing does yet.
func (b *body) put(span ir.Span, to, e ir.Expr) {
	a := &ir.Assign{LHS: to, RHS: e}
	if b.Stands() {
		b.Derive(&a.StmtInfo)
		a.Pos = span
	} else {
		b.Stand(&a.StmtInfo, span)
	}
	b.Emit(a)
}

// freezePlace evaluates the address and indices of v once, now.
func (b *body) freezePlace(v *value) {
	if v.mem != nil {
		v.addr = b.frozen(v.addr)
	}
}

// freezeLeaves makes the leaves of v constants or temporaries.
func (b *body) freezeLeaves(v *value) {
	if v.mem != nil {
		b.freezePlace(v)
		return
	}
	x := make([]ir.Expr, len(v.x))
	for i, e := range v.x {
		x[i] = e
		if e != nil && len(v.lay.leaves[i].dims) == 0 {
			x[i] = b.frozen(e)
		}
	}
	v.x = x
}

// snapshot returns v as it is now, in temporaries.
func (b *body) snapshot(v value) value {
	if v.fn != nil {
		return v
	}
	w := v
	w.mem, w.held, w.x, w.regs = nil, false, nil, nil
	b.freezePlace(&v)
	for i := range v.lay.leaves {
		f := &v.lay.leaves[i]
		w.regs = append(w.regs, v.region(i))
		switch {
		case len(f.dims) == 0:
			w.x = append(w.x, b.frozen(v.elem(i, nil)))
		case v.mem == nil && v.x[i] == nil:
			w.x = append(w.x, nil)
		default:
			t := b.Temp("a", f.varType())
			w.x = append(w.x, use(t))
			each(f.dims, func(idx []int) { b.Set(w.elem(i, idx), v.elem(i, idx)) })
		}
	}
	return w
}

// clear emits to = the zero value.
func (b *body) clear(span ir.Span, to value) { b.store(span, to, b.zero(to.typ)) }

// slice parts: a slice has leaves ptr, len and cap; a string ptr and len.
func (v *value) ptr() ir.Expr    { return v.read(0) }
func (v *value) length() ir.Expr { return v.read(1) }
func (v *value) capacity() ir.Expr {
	if len(v.lay.leaves) < 3 {
		return v.read(1)
	}
	return v.read(2)
}

// sliceOf makes a slice or string of type t.
func (b *body) sliceOf(t types.Type, r *region, ptr, n, capacity ir.Expr) value {
	v := value{typ: t, lay: b.layoutOf(t), x: []ir.Expr{ptr, n, capacity}, regs: []*region{r, nil, nil}}
	if len(v.lay.leaves) == 2 {
		v.x, v.regs = v.x[:2], v.regs[:2]
	}
	return v
}

// elementOf returns the element of the slice or string v at i, of type t.
func (b *body) elementOf(v value, i ir.Expr, t types.Type) value {
	lay := b.layoutOf(t)
	w := value{typ: t, lay: lay, mem: v.region(0), held: true}
	if w.mem == nil { // always nil
		w.mem = b.region("nil")
	}
	if len(lay.leaves) == 0 {
		b.demand(ir.CheckBounds, b.within64(i, v.length()), i.Span(), "")
		return b.zero(t)
	}
	if len(lay.leaves) > 1 || b.guards {
		i = b.frozen(i)
	}
	i = b.steady(i)
	if b.guards {
		v = b.snapshot(v)
	}
	b.guard(ir.CheckBounds, i.Span(), func() ir.Expr { return b.within64(i, v.length()) })
	w.addr = b.element(v.ptr(), i, v.length(), max(lay.size, 1))
	return w
}

// raw is elementOf for an index that is known to be in bounds.
func (b *body) raw(v value, i ir.Expr, t types.Type) value {
	lay := b.layoutOf(t)
	w := value{typ: t, lay: lay, mem: v.region(0), held: true}
	if w.mem == nil {
		w.mem = b.region("nil")
	}
	w.addr = add(v.ptr(), mul(convert(ir.CloneExpr(i), tAddr), lay.size))
	return w
}

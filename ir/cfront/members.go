package cfront

// Parts of places: members of structs and unions, elements of arrays.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// fieldPath is the member of t called name, after the ones without a name that
// it is in. It is nil if there is none.
func fieldPath(t record, name string) []*cc.Field {
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		if f.Name() == name {
			return []*cc.Field{f}
		}
		inner, ok := f.Type().Undecay().(record)
		if f.Name() != "" || !ok {
			continue
		}
		if path := fieldPath(inner, name); path != nil {
			return append([]*cc.Field{f}, path...)
		}
	}
	return nil
}

// member is the member f of p, a struct or union. It reports false after
// failing.
func (b *body) member(e cc.Node, p place, f *cc.Field) (place, bool) {
	if f.IsBitfield() && b.threaded {
		b.unsupported(e, "bit-field in a program with threads", "use a member of its own")
		return p, false
	}
	if _, bad := bitLeaf(f); f.IsBitfield() && bad != nil {
		b.unsupported(e, bad.construct, bad.hint)
		return p, false
	}
	t := p.typ.Undecay()
	ok := true
	p.options = append([]option(nil), p.options...)
	p.each(func(q *place) { ok = b.memberOf(e, q, t, f) && ok })
	p.typ, p.path = f.Type(), true
	p.last = t.Kind() == cc.Struct && f.Index() == t.(*cc.StructType).NumFields()-1
	p.konst = p.konst || f.Type().Attributes().IsConst()
	return p, ok
}

// memberOf makes the single place q, of type t, that of its member f.
func (b *body) memberOf(e cc.Node, q *place, t cc.Type, f *cc.Field) bool {
	if t.Kind() == cc.Union {
		q.inBytes()
	}
	if q.raw != nil {
		if b.u.repacked {
			b.unsupported(e, "bytes of "+t.String()+" in a file with packed types", "")
			return false
		}
		if q.raw = q.raw.field(t.(record), f); q.raw.at+q.raw.width > 64 {
			b.unsupported(e, "packed bit-field over more than 8 bytes", "use a member of its own")
			return false
		}
		q.typ, q.path = f.Type(), true
		return true
	}
	from, to := fieldRange(t.(*cc.StructType), f)
	if to > len(q.vars) {
		return false // the variable's declaration was refused
	}
	if from == to { // it has elements only if the object has bytes for them
		switch {
		case !q.stored():
			b.unsupported(e, "flexible array member of this value", "use a pointer to the struct")
		case b.objectOf(q.obj.key) == nil: // a variable that nothing points at
			b.takeVariable(e, q.obj)
		default:
			b.asBytes(e, q.obj.key)
		}
		return false
	}
	q.vars, q.from, q.typ, q.path, q.outer = q.vars[from:to], q.from+from, f.Type(), true, len(q.idx)
	return true
}

// field is where the member f of t, which is at w, lies.
func (w *window) field(t record, f *cc.Field) *window {
	bit := bitOffset(t, f)
	x := w.moved(number(uint64(bit/8), tPtr))
	if f.IsBitfield() {
		x.at, x.width = int(bit%8), int(f.ValueBits())
	}
	return x
}

// element is the element i of the array p.
func (b *body) element(p place, i ir.Expr) place {
	p = copyPlace(p)
	t := elem(p.typ)
	if p.isRaw() {
		i = b.rawIndex(&p, i)
	}
	p.each(func(q *place) {
		if q.typ = t; q.raw != nil {
			q.raw = q.raw.moved(times(ir.CloneExpr(i), uint64(sizeOf(t))))
			return
		}
		q.idx = append(q.idx[:len(q.idx):len(q.idx)], step{ir.CloneExpr(i), p.span})
	})
	p.typ, p.last = t, false
	return p
}

// rawIndex is i as a constant or temporary, an index of the raw array p, and
// notes how far it may go.
func (b *body) rawIndex(p *place, i ir.Expr) ir.Expr {
	if b.proc == nil {
		clearSites(i) // what initializes static storage is constant, without a temporary
	}
	if i = convertConst(b.narrowed(i), tPtr); !isPlainConst(i) {
		i = b.Save("i", i)
		setSpan(i, ir.Span{})
	}
	if a, ok := p.typ.Undecay().(*cc.ArrayType); ok && a.Len() > 0 && !(a.Len() == 1 && p.last && p.isAllocated()) {
		p.limits = append(p.limits[:len(p.limits):len(p.limits)], limit{i, a.Len()})
	}
	return i
}

// isAllocated reports whether malloc and its kin made all that p may be in.
func (p *place) isAllocated() bool {
	all := true
	p.each(func(q *place) { all = all && q.obj != nil && q.obj.decl == nil })
	return all
}

// narrowed is i, or something out of every object if it is a long that no int
// is: the product with a size stays within what a pointer has. Where pointers are
// no wider than an int, i counts with its sign in as many bits: p[n - m] is before p
// if n is less, whatever their signs.
func (b *body) narrowed(i ir.Expr) ir.Expr {
	if bits := b.model.pointer; bits < tPtr.Width {
		if t := i.Type(); ir.Width(t) > bits || ir.Width(t) == bits && !ir.Signed(t) {
			return convertConst(i, ir.Int{Width: bits, Signed: true})
		}
		return i
	}
	if c, ok := i.(*ir.Const); ok && c.ID == 0 || ir.Width(i.Type()) <= 32 || fitsInt(i) {
		return i
	}
	v := b.Save("i", i)
	setSpan(v, ir.Span{})
	t := v.Type().(ir.Int)
	fits := &ir.Binary{Op: ir.Eq, X: convert(convert(ir.CloneExpr(v), tInt), t), Y: ir.CloneExpr(v)}
	return &ir.Cond{C: fits, X: v, Y: number(1<<31, t)}
}

// fitsInt reports whether i is a conversion of what has no more bits than an
// int.
func fitsInt(i ir.Expr) bool {
	c, ok := i.(*ir.Convert)
	return ok && (ir.Width(c.X.Type()) < 32 || c.X.Type() == tInt)
}

func isPlainConst(e ir.Expr) bool {
	c, ok := e.(*ir.Const)
	return ok && c.ID == 0
}

// scalarsOf visits the scalars and unions that the single place p consists of.
// The bytes between them belong to none.
func (b *body) scalarsOf(p place, visit func(place)) {
	switch t := p.typ.Undecay().(type) {
	case *cc.ArrayType:
		for i := range max(t.Len(), 0) {
			b.scalarsOf(b.element(p, number(uint64(i), tInt)), visit)
		}
	case *cc.StructType:
		for i := range t.NumFields() {
			f := t.FieldByIndex(i)
			if ls, bad := fieldLeaves(f); bad != nil || len(ls) == 0 {
				continue
			}
			if q, ok := b.member(nil, p, f); ok {
				b.scalarsOf(q, visit)
			}
		}
	default:
		visit(p)
	}
}

package cfront

// Copies of structs and unions.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// copyStruct emits p = y for places of one struct or union type. Their indices
// are evaluated once, before.
func (b *body) copyStruct(span ir.Span, at cc.Node, p, y place) {
	single := !p.many && !y.many && p.raw == nil && y.raw == nil
	if !sameShape(p.typ, y.typ) || single && len(p.vars) != len(y.vars) {
		b.wrong(at, "assignment of %s to %s", y.typ, p.typ)
		return
	}
	b.flowStruct(p, y)
	b.withinLimits(p)
	b.withinLimits(y)
	if p.many {
		b.checkWrite(at, p)
	}
	if y.many && p.allRaw() && y.allRaw() {
		y = b.settleBytes(y)
	} else {
		y = b.settle(y)
	}
	b.freeze(&p)
	b.freeze(&y)
	b.onEach(p, func(p place) { b.copySingle(span, p, y) })
}

// copySingle is copyStruct for single places.
func (b *body) copySingle(span ir.Span, p, y place) {
	switch {
	case p.raw == nil && y.raw == nil:
		ls, _ := leaves(p.typ)
		for i := range p.vars {
			x, v := b.expr(copyPlace(p), i, false), b.expr(copyPlace(y), i, false)
			if ls[i].raw && b.sharesUnion(x, v) {
				b.copyAtOnce(x.Type().(ir.Array).Len, byteIn(x), byteIn(v))
			} else {
				b.copyLeaf(span, x, v)
			}
		}
	case p.raw != nil && y.raw != nil && (p.typ.Kind() == cc.Union || !b.sharesBytes(&p) && !b.sharesBytes(&y)):
		b.copyBytes(span, p, y)
	default:
		b.copyScalars(span, p, y)
	}
}

// copyScalars is copySingle where one of the places lies in bytes. What is
// between the scalars has no certain value then.
func (b *body) copyScalars(span ir.Span, p, y place) {
	ps, ys := b.scalars(p), b.scalars(y)
	for i, x := range ps {
		switch v := ys[i]; {
		case x.typ.Kind() == cc.Ptr && b.mixes(&v):
			b.write(&x, b.saved(b.loadAddress(v)))
		case x.typ.Kind() == cc.Union:
			x.inBytes()
			v.inBytes()
			b.copyBytes(span, x, v)
		case x.raw == nil:
			lhs := b.expr(copyPlace(x), 0, false)
			b.assignLeaf(span, lhs, convert(b.readAtOnce(&v, b.leaf(&v, 0)), lhs.Type()))
		default:
			b.write(&x, b.saved(b.readAtOnce(&v, b.leaf(&v, 0))))
		}
	}
	if p.raw != nil {
		b.forgetPadding(p)
	}
}

func (b *body) scalars(p place) []place {
	var list []place
	b.scalarsOf(p, func(q place) { list = append(list, q) })
	return list
}

// saved is e, which is used more than once.
func (b *body) saved(e ir.Expr) ir.Expr {
	if isPlainConst(e) {
		return e
	}
	v := b.Save("v", e)
	setSpan(v, ir.Span{})
	return v
}

// copyBytes emits p = y for raw places of one type, with what lies between
// their members.
func (b *body) copyBytes(span ir.Span, p, y place) {
	n := int(sizeOf(p.typ))
	b.copiedBlock(&p, &y, n)
	if n <= register && (b.sharesBytes(&p) || b.sharesBytes(&y)) {
		b.copyAtOnce(n, p.byteAt, y.byteAt)
		return
	}
	for k := range n {
		b.assignLeaf(span, p.byteAt(k), y.byteAt(k))
	}
}

// copiedBlock notes that n bytes of p get those of y.
func (b *body) copiedBlock(p, y *place, n int) {
	switch {
	case !p.stored():
	case y.stored():
		b.mem.copied(p.obj.key, p.constantOffset(), y.obj.key, y.constantOffset(), n)
	default:
		b.wroteBlock(p, n)
	}
}

// wroteBlock notes that n bytes of p get any values.
func (b *body) wroteBlock(p *place, n int) {
	if p.stored() {
		off := p.constantOffset()
		b.mem.touch(touch{p.obj.key, off, n, false})
		b.mem.touch(touch{p.obj.key, off, n, true})
	}
}

// forgetPadding makes the bytes of p free that belong to no member.
func (b *body) forgetPadding(p place) {
	used := make([]bool, sizeOf(p.typ))
	covered(p.typ, 0, used, true)
	for k, u := range used {
		if !u {
			h := &ir.Havoc{LHS: p.byteAt(k)}
			b.Derive(&h.StmtInfo)
			b.Emit(h)
		}
	}
}

// covered marks the bytes of a t at off that belong to a scalar, and, of a
// union, all or those of its first member.
func covered(t cc.Type, off int64, used []bool, all bool) {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		for i := range max(t.Len(), 0) {
			covered(t.Elem(), off+i*sizeOf(t.Elem()), used, all)
		}
	case record:
		if t.Kind() == cc.Union && all {
			mark(used, off, off+sizeOf(t))
			return
		}
		for i := range t.NumFields() {
			f := t.FieldByIndex(i)
			if f.IsBitfield() && f.Name() == "" {
				continue
			}
			if bit := bitOffset(t, f); f.IsBitfield() {
				mark(used, off+bit/8, off+(bit+f.ValueBits()+7)/8)
			} else {
				covered(f.Type(), off+bit/8, used, all)
			}
			if t.Kind() == cc.Union {
				return
			}
		}
	default:
		mark(used, off, off+sizeOf(t))
	}
}

func mark(used []bool, from, to int64) {
	for k := from; k < to && k < int64(len(used)); k++ {
		used[k] = true
	}
}

// freeze makes the indices of p constants or temporaries.
func (b *body) freeze(p *place) {
	for i, s := range p.idx {
		if _, ok := s.index.(*ir.Const); !ok {
			p.idx[i].index = b.Save("i", s.index)
		}
	}
}

// copyLeaf emits x = y, element by element.
func (b *body) copyLeaf(span ir.Span, x, y ir.Expr) {
	if t, ok := x.Type().(ir.Array); ok {
		for i := range t.Len {
			at := func() ir.Expr { return &ir.Const{Val: uint64(i), Typ: tInt} }
			b.copyLeaf(span, &ir.Index{X: ir.CloneExpr(x), I: at()}, &ir.Index{X: ir.CloneExpr(y), I: at()})
		}
		return
	}
	b.assignLeaf(span, x, y)
}

// assignLeaf emits x = y, of which the first of the location stands for it.
func (b *body) assignLeaf(span ir.Span, x, y ir.Expr) {
	a := &ir.Assign{LHS: x, RHS: y}
	if b.Stands() {
		b.Derive(&a.StmtInfo)
		a.Pos = span
	} else {
		b.Stand(&a.StmtInfo, span)
	}
	b.Emit(a)
}

// settle returns a single place with the value of p. It holds no pointers as
// far as the memory knows: flowStruct comes first.
func (b *body) settle(p place) place {
	switch {
	case !p.many:
		return p
	case p.isRaw():
		return b.dissolved(p)
	}
	q := b.temporaryOf(p)
	for i, t := range q.vars {
		if _, ok := t.Type.(ir.Array); !ok {
			a := &ir.Assign{LHS: use(t, ir.Span{}), RHS: b.load(p, i)}
			b.Derive(&a.StmtInfo)
			b.Emit(a)
			continue
		}
		b.onEach(p, func(o place) {
			b.Within(func() { b.copyLeaf(ir.Span{}, use(t, ir.Span{}), b.expr(copyPlace(o), i, false)) })
		})
	}
	return q
}

// allRaw reports whether all that p may be lies in bytes.
func (p *place) allRaw() bool {
	raw := true
	p.each(func(q *place) { raw = raw && q.raw != nil })
	return raw
}

// settleBytes is settle with what lies between the members, for bytes.
func (b *body) settleBytes(p place) place {
	n := int(sizeOf(p.typ))
	v := b.Temp("s", ir.Array{Elem: tByte, Len: n})
	q := place{typ: p.typ, vars: []*ir.Var{v}, span: p.span, path: true, konst: true}
	q.obj = &object{typ: p.typ, vars: q.vars, raw: true, temporary: true}
	q.inBytes()
	for k := range n {
		b.set(q.byteAt(k), b.orFree(b.chain(&p, func(o *place) ir.Expr { return o.byteAt(k) }), tByte))
	}
	return q
}

// temporaryOf is a place for the value of p, with a temporary for each leaf.
func (b *body) temporaryOf(p place) place {
	ls, _ := leaves(p.typ)
	q := place{typ: p.typ, span: p.span, path: true, konst: true}
	q.obj = &object{typ: p.typ, temporary: true}
	for _, f := range ls {
		q.obj.vars = append(q.obj.vars, b.Temp("s", f.typ))
	}
	q.vars = q.obj.vars
	return q
}

// dissolved returns a place with the value of p that is no view of bytes, but
// for the unions in it.
func (b *body) dissolved(p place) place {
	if !p.isRaw() {
		return b.settle(p)
	}
	q := b.temporaryOf(p)
	to, from := b.scalars(q), b.scalars(p)
	for i := range to {
		if b.mixes(&from[i]) {
			b.set(b.expr(to[i], 0, false), b.loadAddress(from[i]))
			continue
		}
		if to[i].typ.Kind() != cc.Union {
			v := b.chain(&from[i], func(o *place) ir.Expr { return b.leaf(o, 0) })
			b.set(b.expr(to[i], 0, false), b.orFree(v, to[i].scalar()))
			continue
		}
		to[i].inBytes()
		for k := range int(sizeOf(to[i].typ)) {
			v := b.chain(&from[i], func(o *place) ir.Expr {
				o.inBytes()
				return o.byteAt(k)
			})
			b.set(to[i].byteAt(k), b.orFree(v, tByte))
		}
	}
	return q
}

// orFree is v, or a free value if that is nil.
func (b *body) orFree(v ir.Expr, t ir.Type) ir.Expr {
	if v == nil {
		return b.freeValue(t)
	}
	return v
}

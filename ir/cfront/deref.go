package cfront

// What a pointer points at: one of several places, by the pointer's number.

import (
	"math/bits"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// An option is one of the places that a pointer may point at, the one if
// cond holds and no earlier one does. A nil cond is true.
type option struct {
	cond  ir.Expr
	place place
	is    ir.Expr // that it is this one, whatever earlier ones say
}

// each visits the single places that p may be.
func (p *place) each(visit func(*place)) {
	if !p.many {
		visit(p)
		return
	}
	for i := range p.options {
		visit(&p.options[i].place)
	}
}

// stored reports whether the single place p belongs to an object with a key.
func (p *place) stored() bool { return p.obj != nil && p.obj.key != nil }

// cell names leaf i of the single place p. All pointers in bytes are one.
func (p *place) cell(i int) cell {
	if p.raw != nil {
		i = 0
	}
	return cell{p.obj.key, p.from + i}
}

// deref is the place that v points at, at e.
func (b *body) deref(e cc.ExpressionNode, v pointer) (place, bool) { return b.derefUpTo(e, v, 0) }

// derefUpTo is deref where no more than n bytes are looked at, or all if n is 0:
// an object of bytes may have fewer than its type.
func (b *body) derefUpTo(e cc.ExpressionNode, v pointer, n int64) (place, bool) {
	if v.elem != nil && isRow(v.elem) && (v.at != nil || v.num != nil) {
		return b.rowAt(e, v)
	}
	if v.at != nil {
		return b.derefExact(e, v, n)
	}
	if v.num == nil {
		return place{}, false
	}
	if v.elem == nil {
		b.wrong(e, "dereference of null")
		return place{}, false
	}
	if v.elem.Kind() == cc.Void || v.elem.Kind() == cc.Function {
		b.unsupported(e, "dereference of a pointer to "+v.elem.String(), "convert it to the type of what it points at")
		return place{}, false
	}
	if _, bad := leaves(v.elem); bad != nil {
		b.unsupported(e, bad.construct, bad.hint)
		return place{}, false
	}
	if n == 0 {
		n = sizeOf(v.elem)
	}
	return b.pointees(e, v, uint64(n)), true
}

// pointees are the places that the number of v may be, of which w bytes are
// looked at.
func (b *body) pointees(e cc.ExpressionNode, v pointer, w uint64) place {
	n := v.num
	if _, ok := n.(*ir.Const); !ok {
		n = b.Save("p", n)
	}
	p := place{typ: v.elem, span: b.span(e), many: true, konst: v.elem.Attributes().IsConst()}
	arrays := 0
	for _, s := range v.to.list {
		r := b.region(s)
		switch {
		case r == nil:
			continue
		case s.raw:
			if arrays++; r.exactly(v.elem) {
				at := b.pointedBytes(number(r.base, tPtr), r, v.elem)
				p.options = append(p.options, option{cond: r.alive(compare(ir.Eq, ir.CloneExpr(n), r.base)), place: at})
			} else if w <= r.size {
				p.options = append(p.options, option{cond: r.alive(inBytes(n, r, w)), place: b.pointedBytes(n, r, v.elem)})
			}
			continue
		case !sameShape(v.elem, r.typ):
			b.asBytes(e, s.key)
			continue
		}
		if s.dims > s.outer {
			arrays++
		}
		p.options = append(p.options, option{cond: r.alive(inRegion(n, r)), place: b.pointed(n, s, r, v.elem)})
	}
	for i, o := range p.options {
		p.options[i].is = o.cond
	}
	b.checkPointer(e, n, &p, arrays)
	return p
}

// derefExact is deref where the text says what v points at.
func (b *body) derefExact(e cc.ExpressionNode, v pointer, n int64) (place, bool) {
	p := *v.at
	if v.first {
		p = b.element(p, &ir.Const{Typ: tInt})
	}
	if v.elem != nil && v.elem.Kind() != cc.Void && !sameShape(v.elem, p.typ) {
		num, to := b.number(e, v)
		return b.derefUpTo(e, pointer{num: num, to: to, elem: v.elem}, n)
	}
	p.span = b.span(e)
	p.each(func(q *place) {
		if k := len(q.idx); k > 0 {
			q.idx[k-1].span = p.span
		}
		q.span = p.span
	})
	return p, true
}

// inRegion is the condition that number n lies in r.
func inRegion(n ir.Expr, r *region) ir.Expr {
	if r.stride > 0 {
		end := number(r.count*r.stride, tPtr)
		if r.obj.length != nil {
			end = times(use(r.obj.length, ir.Span{}), r.stride)
		}
		in := &ir.Binary{Op: ir.Lt, X: indexIn(n, r), Y: end}
		return both(in, &ir.Binary{Op: ir.Lt, X: withinCopy(indexIn(n, r), r), Y: number(r.size, tPtr)})
	}
	if r.obj.length != nil {
		in := &ir.Binary{Op: ir.Lt, X: indexIn(n, r), Y: number(r.size, tPtr)}
		return both(in, &ir.Binary{Op: ir.Lt, X: r.outermost(indexIn(n, r)), Y: use(r.obj.length, ir.Span{})})
	}
	if r.size == 1 {
		return &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(n), Y: &ir.Const{Val: r.base, Typ: tPtr}}
	}
	return &ir.Binary{Op: ir.Lt, X: indexIn(n, r), Y: &ir.Const{Val: r.size, Typ: tPtr}}
}

// exactly reports whether r has room for one t, at its beginning.
func (r *region) exactly(t cc.Type) bool {
	return r.obj.length == nil && r.obj.blocks == nil && r.size == uint64(sizeOf(t))
}

// inBytes is the condition that w bytes from number n on lie in the bytes of r.
func inBytes(n ir.Expr, r *region, w uint64) ir.Expr {
	if r.obj.blocks != nil {
		return r.holds(indexIn(n, r), w)
	}
	in := &ir.Binary{Op: ir.Lt, X: indexIn(n, r), Y: number(r.size-w+1, tPtr)}
	if r.obj.length == nil {
		return in
	}
	end := plus(indexIn(n, r), number(w, tPtr))
	return both(in, &ir.Binary{Op: ir.Le, X: end, Y: use(r.obj.length, ir.Span{})})
}

// pointedBytes is the place of type t with number n in the bytes of r.
func (b *body) pointedBytes(n ir.Expr, r *region, t cc.Type) place {
	return place{typ: t, vars: r.obj.vars, obj: r.obj, path: true, raw: &window{off: indexIn(n, r)}}
}

// outermost is which element of the array itself index i of r lies in.
func (r *region) outermost(i ir.Expr) ir.Expr {
	k := uint64(r.obj.vars[0].Type.(ir.Array).Len)
	if r.size == k {
		return i
	}
	return &ir.Binary{Op: ir.Div, X: i, Y: number(r.size/k, tPtr)}
}

// withinCopy is the part of index i that selects within what the outer indices
// select.
func withinCopy(i ir.Expr, r *region) ir.Expr {
	return &ir.Binary{Op: ir.And, X: i, Y: number(r.stride-1, tPtr)}
}

func indexIn(n ir.Expr, r *region) ir.Expr {
	if c, ok := n.(*ir.Const); ok {
		return &ir.Const{Val: ir.Wrap(tPtr, c.Val-r.base), Typ: tPtr}
	}
	return &ir.Binary{Op: ir.Sub, X: ir.CloneExpr(n), Y: &ir.Const{Val: r.base, Typ: tPtr}}
}

// pointed is the place with number n in s, of type t.
func (b *body) pointed(n ir.Expr, s shape, r *region, t cc.Type) place {
	p := place{typ: t, vars: r.obj.vars[s.from:s.to], obj: r.obj, from: s.from, path: true, outer: s.outer}
	p.idx = make([]step, s.dims)
	flat := indexIn(n, r)
	if s.outer > 0 {
		shift := number(uint64(bits.TrailingZeros64(r.stride)), tPtr)
		spread(p.idx[:s.outer], r.obj.vars[s.from].Type, &ir.Binary{Op: ir.Shr, X: flat, Y: shift})
		flat = withinCopy(indexIn(n, r), r)
	}
	inner := r.obj.vars[s.from].Type
	for range s.outer {
		inner = inner.(ir.Array).Elem
	}
	spread(p.idx[s.outer:], inner, flat)
	return p
}

// spread makes the indices of an array of type t of the number of an element.
func spread(idx []step, t ir.Type, flat ir.Expr) {
	lens := make([]uint64, len(idx))
	for i := range idx {
		a := t.(ir.Array)
		lens[i], t = uint64(a.Len), a.Elem
	}
	for i := len(idx) - 1; i >= 0; i-- {
		idx[i].index = flat
		if i > 0 {
			k := &ir.Const{Val: lens[i], Typ: tPtr}
			idx[i].index = &ir.Binary{Op: ir.Rem, X: ir.CloneExpr(flat), Y: k}
			flat = &ir.Binary{Op: ir.Div, X: flat, Y: ir.CloneExpr(k)}
		}
	}
}

// checkPointer emits the checks of e, an access through n to p, and leaves out
// the conditions that they imply. That n is null, or points at no variable,
// violates the nil check, that it left an array the bounds check. A single
// array is indexed without a condition of its own: the index is checked.
func (b *body) checkPointer(e cc.Node, n ir.Expr, p *place, arrays int) {
	isNull := func(op ir.Op) ir.Expr {
		return &ir.Binary{Op: op, X: ir.CloneExpr(n), Y: &ir.Const{Typ: tPtr}}
	}
	checks, span := b.cfg.Checks, b.extent(e)
	last := len(p.options) - 1
	if arrays == 0 {
		if checks.Has(ir.CheckNil) {
			b.check(ir.CheckNil, b.valid(p, nil), span)
			if last >= 0 {
				p.options[last].cond = nil
			}
		}
		return
	}
	if checks.Has(ir.CheckNil) {
		b.check(ir.CheckNil, isNull(ir.Ne), span)
	}
	switch {
	case last == 0 && len(p.options[0].place.idx) == 1 && p.options[0].place.outer == 0 && p.options[0].place.obj.length == nil && p.options[0].place.obj.gone == nil:
		p.options[0].cond = nil
		if !checks.Has(ir.CheckNil) {
			p.options[0].cond = isNull(ir.Ne)
		}
	case checks.Has(ir.CheckBounds):
		b.check(ir.CheckBounds, b.valid(p, isNull(ir.Eq)), span)
		if checks.Has(ir.CheckNil) && last >= 0 {
			p.options[last].cond = nil
		}
	}
}

// constantWrite is what the check of checkWrite rules out.
const constantWrite = "write to a constant"

// checkWrite emits the check that p is no constant: a const object, or a string
// literal.
func (b *body) checkWrite(e cc.Node, p place) {
	var known ir.Expr
	for _, o := range p.options {
		if o.place.obj == nil || !o.place.obj.konst || o.is == nil {
			continue
		}
		if is := ir.CloneExpr(o.is); known == nil {
			known = is
		} else {
			known = either(known, is)
		}
	}
	if known != nil && b.cfg.Checks.Has(ir.CheckNil) {
		b.checkRule(ir.CheckNil, &ir.Unary{Op: ir.Not, X: known}, b.extent(e), constantWrite)
	}
}

// valid is the condition that one of the options of p holds, or that.
func (b *body) valid(p *place, that ir.Expr) ir.Expr {
	c := that
	for _, o := range p.options {
		if c == nil {
			c = ir.CloneExpr(o.cond)
		} else {
			c = &ir.Binary{Op: ir.LOr, X: c, Y: ir.CloneExpr(o.cond)}
		}
	}
	if c == nil {
		c = &ir.Const{Typ: tBool}
	}
	return c
}

// check emits the assertion that c holds, about the text at span. It is a
// location of its own, since nothing in assertions may change; that of the
// access defines what it says.
func (b *body) check(k ir.Kind, c ir.Expr, span ir.Span) { b.checkRule(k, c, span, "") }

// checkRule is check of something that the name of k doesn't say.
func (b *body) checkRule(k ir.Kind, c ir.Expr, span ir.Span, rule string) {
	s := &ir.Assert{Cond: b.Save("ok", c), Kind: k, Text: rule}
	b.Alone(&s.StmtInfo, span)
	b.Emit(s)
}

// chain selects by the conditions of p's options what value gives for each;
// where none holds the result is a free choice. It is nil if there is none.
func (b *body) chain(p *place, value func(*place) ir.Expr) ir.Expr {
	if !p.many {
		return value(p)
	}
	if len(p.options) == 0 {
		return nil
	}
	var vs []ir.Expr
	for i := range p.options {
		vs = append(vs, value(&p.options[i].place))
	}
	var e ir.Expr
	for i := len(vs) - 1; i >= 0; i-- {
		switch c := p.options[i].cond; {
		case c == nil:
			e = vs[i]
		default:
			if e == nil {
				e = b.freeValue(vs[i].Type())
			}
			e = &ir.Cond{C: ir.CloneExpr(c), X: vs[i], Y: e}
		}
	}
	return e
}

// freeValue is a free choice.
func (b *body) freeValue(t ir.Type) ir.Expr {
	v := b.Temp("free", t)
	h := &ir.Havoc{LHS: use(v, ir.Span{})}
	b.Derive(&h.StmtInfo)
	b.Emit(h)
	return use(v, ir.Span{})
}

// load is the value of leaf i of p, a scalar.
func (b *body) load(p place, i int) ir.Expr {
	if v, ok := b.loadEvent(p, i); ok {
		return v
	}
	b.withinLimits(p)
	if !p.many && p.raw == nil {
		return b.expr(p, i, true)
	}
	if b.mixes(&p) {
		return b.loadAddress(p)
	}
	t := leafType(p.typ, i)
	e := b.chain(&p, func(q *place) ir.Expr { return b.leaf(q, i) })
	if e == nil {
		e = b.freeValue(t)
	}
	e = b.readAtOnce(&p, e)
	setSpan(e, p.span)
	return e
}

// leaf is the value of leaf i of the single place q, no site.
func (b *body) leaf(q *place, i int) ir.Expr {
	if q.raw != nil {
		return b.loadBytes(q)
	}
	return b.expr(copyPlace(*q), i, false)
}

// leafType is the type of leaf i of t.
func leafType(t cc.Type, i int) ir.Type {
	ls, _ := leaves(t)
	return ls[i].typ
}

// onEach emits what build emits for the place that p is.
func (b *body) onEach(p place, build func(place)) {
	if !p.many {
		build(p)
		return
	}
	b.onOption(p.options, build)
}

func (b *body) onOption(os []option, build func(place)) {
	if len(os) == 0 {
		return
	}
	if os[0].cond == nil {
		build(os[0].place)
		return
	}
	s := &ir.If{Cond: ir.CloneExpr(os[0].cond)}
	b.Derive(&s.StmtInfo)
	s.Then = b.Block(func() { build(os[0].place) })
	s.Else = b.Optional(func() { b.onOption(os[1:], build) })
	b.Emit(s)
}

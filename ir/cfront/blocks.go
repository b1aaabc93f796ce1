package cfront

// memcpy, memmove, memset and memcmp of what is no array of one integer type:
// of a struct as a whole as an assignment, else byte by byte.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// maxBlock is the largest constant length of a block that is copied without a
// loop.
const maxBlock = 4096

// A block is some bytes of memory, from where a pointer leads.
type block struct {
	num   ir.Expr
	to    *targets
	place place // the options of num, each in bytes
}

// blockCall lowers the call n of one of these functions. It reports false if that is
// left to a loop: the length is computed, or large.
func (b *body) blockCall(n *cc.PostfixExpression, name string, args []cc.ExpressionNode) ([]ir.Expr, bool) {
	if len(args) != 3 {
		b.wrong(n, "%s called with %d arguments, want 3", name, len(args))
		return nil, true
	}
	k, ok := b.constantValue(args[2])
	if !ok || k > maxElems || !args[2].Pure() {
		return nil, false
	}
	size := int(k)
	if size > maxBlock && (!isWhole(args[0], size) || name != "memset" && !isWhole(args[1], size)) {
		return nil, false
	}
	d, ok := b.pointer(args[0], nil)
	if !ok {
		return nil, true
	}
	q := b.sequence()
	q.addPointer(&d)
	if name == "memset" {
		v := b.saved(convertConst(b.integer(args[1]), tByte))
		q.done()
		return nil, b.setBlock(n, d, v, size)
	}
	s, ok := b.pointer(args[1], nil)
	q.done()
	switch {
	case !ok:
		return nil, true
	case name != "memcmp" && b.copyWhole(n, d, s, size):
		return nil, true
	case size > maxBlock:
		b.unsupported(n, name+" of so many bytes", "assign structs, or copy arrays of one type")
		return nil, true
	}
	x, y := b.blockAt(n, d, size), b.blockAt(n, s, size)
	if name == "memcmp" {
		return []ir.Expr{b.compareBlocks(n, x, y, size)}, true
	}
	if name == "memcpy" {
		b.blocksApart(n, x, y, size)
	}
	b.copyBlock(n, x, y, size)
	return nil, true
}

// isWhole reports whether the type of e, a pointer or an array, says that it leads to
// one object of so many bytes.
func isWhole(e cc.ExpressionNode, size int) bool {
	t := unparen(e).Type().Undecay()
	if t.Kind() == cc.Ptr {
		t = elem(t)
	}
	return t.Kind() != cc.Void && t.Kind() != cc.Function && sizeOf(t) == int64(size)
}

// blockAt is the block of size bytes that v leads to.
func (b *body) blockAt(n *cc.PostfixExpression, v pointer, size int) block {
	num, to := b.number(n, v)
	num = b.saved(num)
	b.allBytes(n, to)
	x := block{num: num, to: to, place: place{typ: v.elem, many: true, span: b.span(n)}}
	arrays := 0
	for _, s := range to.list {
		r := b.region(s)
		if r == nil || !s.raw {
			continue
		}
		arrays++
		switch {
		case uint64(size) > r.size:
		case uint64(size) == r.size && r.obj.length == nil && r.obj.blocks == nil:
			at := b.pointedBytes(number(r.base, tPtr), r, v.elem)
			x.place.options = append(x.place.options, option{cond: r.alive(compare(ir.Eq, ir.CloneExpr(num), r.base)), place: at})
		default:
			x.place.options = append(x.place.options, option{cond: r.alive(inBytes(num, r, uint64(size))), place: b.pointedBytes(num, r, v.elem)})
		}
	}
	for i, o := range x.place.options {
		x.place.options[i].is = o.cond
	}
	if size > 0 {
		b.checkPointer(n, num, &x.place, arrays)
	}
	return x
}

// copyBlock emits that size bytes of x get those of y.
func (b *body) copyBlock(n *cc.PostfixExpression, x, y block, size int) {
	x.place.each(func(p *place) {
		y.place.each(func(q *place) {
			b.stored(p.cell(0), b.mem.holds(q.cell(0)))
			if b.mem.touched(q.obj.key, -1, 0, false) {
				b.stored(p.cell(0), &b.mem.exposed)
			}
			b.copiedBlock(p, q, size)
		})
	})
	if size > 0 {
		b.checkWrite(n, x.place)
	}
	var from []ir.Expr
	for k := range size {
		v := b.orFree(b.chain(&y.place, func(q *place) ir.Expr { return q.byteAt(k) }), tByte)
		from = append(from, b.saved(v))
	}
	b.onEach(x.place, func(p place) {
		for k, v := range from {
			b.assignLeaf(b.extent(n), p.byteAt(k), ir.CloneExpr(v))
		}
	})
}

// blocksApart emits the check that x and y don't overlap, which memcpy asks for.
func (b *body) blocksApart(n *cc.PostfixExpression, x, y block, size int) {
	shared := false
	for _, s := range x.to.list {
		shared = shared || y.to.has[s]
	}
	if !shared || size == 0 || !b.cfg.Checks.Has(ir.CheckBounds) {
		return
	}
	beyond := func(p, q ir.Expr) ir.Expr {
		d := &ir.Binary{Op: ir.Sub, X: ir.CloneExpr(p), Y: ir.CloneExpr(q)}
		return &ir.Binary{Op: ir.Ge, X: d, Y: number(uint64(size), tPtr)}
	}
	b.checkRule(ir.CheckBounds, both(beyond(x.num, y.num), beyond(y.num, x.num)), b.extent(n), overlap)
}

// compareBlocks is the result of memcmp: less than, equal to or greater than 0.
func (b *body) compareBlocks(n *cc.PostfixExpression, x, y block, size int) ir.Expr {
	read := func(p *place) { b.readBytes(p, size) }
	x.place.each(read)
	y.place.each(read)
	r := ir.Expr(number(0, tInt))
	minus := number(^uint64(0), tInt)
	for k := size - 1; k >= 0; k-- {
		at := func(z block) ir.Expr {
			return b.saved(b.orFree(b.chain(&z.place, func(q *place) ir.Expr { return q.byteAt(k) }), tByte))
		}
		u, v := at(x), at(y)
		less := &ir.Cond{C: &ir.Binary{Op: ir.Lt, X: ir.CloneExpr(u), Y: ir.CloneExpr(v)}, X: ir.CloneExpr(minus), Y: number(1, tInt)}
		r = b.saved(&ir.Cond{C: &ir.Binary{Op: ir.Eq, X: u, Y: v}, X: r, Y: less})
	}
	if b.signs[n] {
		return r
	}
	f := b.saved(b.freeValue(tInt))
	with := func(op ir.Op, none ir.Expr) ir.Expr {
		return &ir.Cond{C: compare(op, ir.CloneExpr(f), 0), X: ir.CloneExpr(f), Y: none}
	}
	return &ir.Cond{C: compare(ir.Gt, ir.CloneExpr(r), 0), X: with(ir.Gt, number(1, tInt)),
		Y: &ir.Cond{C: compare(ir.Lt, ir.CloneExpr(r), 0), X: with(ir.Lt, minus), Y: number(0, tInt)}}
}

// setBlock emits that size bytes from v on get the value c.
func (b *body) setBlock(n *cc.PostfixExpression, v pointer, c ir.Expr, size int) bool {
	k, ok := c.(*ir.Const)
	zero := ok && k.Val == 0
	if zero {
		if p, ok := b.wholeAt(n, v, size); ok {
			if size > 0 {
				b.checkWrite(n, p)
			}
			b.onEach(p, func(q place) { b.clearPlace(n, q) })
			return true
		}
	}
	if size > maxBlock {
		b.unsupported(n, "memset of so many bytes", "set an array of one type")
		return true
	}
	x := b.blockAt(n, v, size)
	if size > 0 {
		b.checkWrite(n, x.place)
	}
	b.onEach(x.place, func(p place) {
		if at := p.constantOffset(); !zero || at < 0 || at%8 != 0 || size%8 != 0 {
			b.mem.touch(touch{p.obj.key, at, size, false})
		}
		for k := range size {
			b.assignLeaf(b.extent(n), p.byteAt(k), ir.CloneExpr(c))
		}
	})
	return true
}

// wholeAt is the object of size bytes that v leads to, if its type says that it
// has as many.
func (b *body) wholeAt(n *cc.PostfixExpression, v pointer, size int) (place, bool) {
	switch {
	case v.at != nil && v.first && !v.at.many && sizeOf(v.at.typ) == int64(size):
		return *v.at, true
	case v.elem == nil || sizeOf(v.elem) != int64(size) || v.elem.Kind() == cc.Void || v.elem.Kind() == cc.Function:
		return place{}, false
	}
	return b.deref(n, v)
}

// clearPlace emits that the single place p, and what lies between its members,
// is zero.
func (b *body) clearPlace(n *cc.PostfixExpression, p place) {
	if p.raw != nil {
		for k := range int(sizeOf(p.typ)) {
			b.assignLeaf(b.extent(n), p.byteAt(k), number(0, tByte))
		}
		return
	}
	b.scalarsOf(p, func(q place) {
		if q.typ.Kind() == cc.Union {
			q.inBytes()
			b.clearPlace(n, q)
			return
		}
		lhs := b.expr(copyPlace(q), 0, false)
		b.assignLeaf(b.extent(n), lhs, number(0, lhs.Type()))
	})
}

// copyWhole emits *d = *s if size is that of their type.
func (b *body) copyWhole(n *cc.PostfixExpression, d, s pointer, size int) bool {
	if d.elem == nil || s.elem == nil || !sameShape(d.elem, s.elem) || d.elem.Kind() == cc.Void {
		return false
	}
	if _, bad := leaves(d.elem); bad != nil {
		return false
	}
	whole := func(v pointer) bool {
		return v.first && !v.at.many && sizeOf(v.at.typ) == int64(size) || sizeOf(v.elem) == int64(size)
	}
	if !whole(d) || !whole(s) {
		return false
	}
	x, ok := b.wholeAt(n, d, size)
	y, ok2 := b.wholeAt(n, s, size)
	if !ok || !ok2 {
		return true
	}
	if !sameShape(x.typ, y.typ) {
		return false
	}
	b.copyStruct(b.extent(n), n, x, y)
	return true
}

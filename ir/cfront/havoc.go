package cfront

// CBMC's statements about memory: objects, or parts of them, that become free.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// maxSlice is the length in bytes of the longest object of which a part becomes
// free whose place is computed: each byte is a statement.
const maxSlice = 4096

// readable is the function of the library that checks that its first argument
// points at as many bytes as the second says.
const readable = "__readable"

// freeMemory is SV-COMP's name for __CPROVER_havoc_slice.
const freeMemory = "__VERIFIER_nondet_memory"

// makesFree lowers the call n of such a function, or of readable.
func (b *body) makesFree(n *cc.PostfixExpression, name string) bool {
	want := map[string]int{"__CPROVER_havoc_object": 1, "__CPROVER_havoc_slice": 2, freeMemory: 2, readable: 2}[name]
	if want == 0 || name == readable && !b.u.library {
		return false
	}
	args := arguments(n)
	switch {
	case name == readable:
		b.Within(func() { b.checkReadable(n, args[0], args[1]) })
	case len(args) != want || elem(args[0].Type()) == nil:
		b.wrong(n, "%s called with other arguments than a pointer and a length", name)
	case b.threaded:
		b.unsupported(n, name+" in a program with threads", "assign free values")
	case want == 1:
		b.Within(func() { b.havocObject(n, args[0]) })
	default:
		b.Within(func() { b.havocSlice(n, args[0], args[1]) })
	}
	return true
}

// havocObject makes all of the object free that e leads into. That it leads into
// none violates the nil check.
func (b *body) havocObject(n *cc.PostfixExpression, e cc.ExpressionNode) {
	v, ok := b.pointer(e, nil)
	if !ok {
		return
	}
	num, to := b.number(e, v)
	num = b.saved(num)
	found, valid := b.changeable(num, to)
	if b.cfg.Checks.Has(ir.CheckNil) {
		b.check(ir.CheckNil, valid, b.extent(n))
	}
	for _, s := range found {
		o := b.region(s).obj
		if ls, _ := leaves(o.typ); !o.raw && holdsRaw(ls) {
			b.asBytes(n, s.key)
			continue
		}
		b.when(b.isIn(num, s), func() {
			for _, x := range o.vars {
				b.fill(x, false)
			}
		}, nil)
		if o.raw {
			p := b.whole(o)
			b.wroteBlock(&p, o.vars[0].Type.(ir.Array).Len)
		}
	}
}

// changeable lists those of to that num may lead into and that may change, and
// says when it does.
func (b *body) changeable(num ir.Expr, to *targets) (found []shape, valid ir.Expr) {
	for _, s := range to.list {
		r := b.region(s)
		if r == nil || r.obj.konst {
			continue
		}
		found = append(found, s)
		if is := b.isIn(num, s); valid == nil {
			valid = is
		} else {
			valid = either(valid, is)
		}
	}
	if valid == nil {
		valid = truth(false)
	}
	return found, valid
}

// isIn is the condition that num leads to an element, or byte, of s.
func (b *body) isIn(num ir.Expr, s shape) ir.Expr {
	r := b.region(s)
	if s.raw {
		return r.alive(inBytes(num, r, 1))
	}
	return r.alive(inRegion(num, r))
}

// havocSlice makes length bytes from e on free. That they lie in no object
// violates the bounds check.
func (b *body) havocSlice(n *cc.PostfixExpression, e, length cc.ExpressionNode) {
	v, ok := b.pointer(e, nil)
	if !ok {
		return
	}
	num, to := b.number(e, v)
	clearSites(num)
	num = b.saved(num)
	var size ir.Expr
	b.Unchanged(func() { size = b.saved(b.as(length, b.model.size)) })
	b.allBytes(e, to)
	list := b.extents(e, num, to)
	valid := ir.Expr(truth(false))
	for i := range list {
		list[i].in = both(list[i].in, list[i].hasRoom(size))
		if !list[i].region.obj.konst {
			valid = either(valid, ir.CloneExpr(list[i].in))
		}
	}
	if b.cfg.Checks.Has(ir.CheckBounds) {
		b.check(ir.CheckBounds, valid, b.extent(n))
	}
	for _, x := range list {
		if o := x.region.obj; o.raw && !o.konst {
			b.when(ir.CloneExpr(x.in), func() { b.havocBytes(n, x, size) }, nil)
		}
	}
}

// checkReadable emits the bounds check that length bytes from e on lie in an
// object, if there are any.
func (b *body) checkReadable(n *cc.PostfixExpression, e, length cc.ExpressionNode) {
	_, list, ok := b.leadsTo(e)
	if !ok || !b.cfg.Checks.Has(ir.CheckBounds) {
		return
	}
	size := b.saved(b.as(length, b.model.size))
	valid := compare(ir.Eq, ir.CloneExpr(size), 0)
	for _, x := range list {
		valid = either(valid, both(ir.CloneExpr(x.in), x.hasRoom(size)))
	}
	b.check(ir.CheckBounds, valid, b.extent(n))
}

// havocBytes makes size bytes of x free, from where the pointer leads.
func (b *body) havocBytes(n cc.Node, x extent, size ir.Expr) {
	p := b.whole(x.region.obj)
	from, ok := x.off.(*ir.Const)
	length, known := size.(*ir.Const)
	most := x.region.size
	switch {
	case ok && known:
		p.raw.off = number(from.Val, tPtr)
		most = length.Val
	case most > maxSlice:
		b.unsupported(n, "part of an object of this size", "say where it is by constants")
		return
	}
	b.wroteBlock(&p, int(most))
	for k := range int(min(most, x.region.size)) {
		if ok && known {
			b.havoc(p.byteAt(k))
			continue
		}
		at := &ir.Binary{Op: ir.Sub, X: number(uint64(k), b.model.size), Y: ir.CloneExpr(x.off)}
		inside := &ir.Binary{Op: ir.Lt, X: at, Y: ir.CloneExpr(size)}
		b.when(inside, func() { b.havoc(p.byteAt(k)) }, nil)
	}
}

// havoc makes x free.
func (b *body) havoc(x ir.Expr) {
	h := &ir.Havoc{LHS: x}
	b.Derive(&h.StmtInfo)
	b.Emit(h)
}

package cfront

// The end of what was allocated: free and realloc. An object that some pointer
// given to them may point at has a variable that says that it is gone; then it
// has no numbers.

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// isFreed reports whether what k names may be given to free.
func (l *loader) isFreed(k key) bool {
	h, ok := k.(heapKey)
	if !ok {
		return l.isHeap(k)
	}
	n, ok := h.site.(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionCall {
		return false
	}
	name := functionNamed(n.PostfixExpression).Name()
	return !onStack[name] && name != lasting
}

// free lowers the call n of free. In programs with threads nothing happens.
func (b *body) free(n *cc.PostfixExpression) {
	args := arguments(n)
	if len(args) != 1 || b.threaded || b.proc == nil {
		for _, a := range args {
			b.Within(func() { b.evaluate(a) })
		}
		return
	}
	b.Within(func() {
		if v, ok := b.pointer(args[0], nil); ok && (v.at != nil || v.num != nil) {
			num, to := b.number(args[0], v)
			b.release(n, b.saved(num), to)
		}
	})
}

// release emits that the object whose first number is num, one of to, is gone.
// That there is none, and num is not null either, violates the nil check.
func (b *body) release(n cc.Node, num ir.Expr, to *targets) {
	valid := compare(ir.Eq, ir.CloneExpr(num), 0)
	var found []*region
	for _, s := range to.list {
		r := b.region(s)
		if r == nil || !b.isFreed(s.key) {
			continue
		}
		if s.from != 0 || s.outer > 0 || !s.raw && s.to < len(r.obj.vars) {
			b.asBytes(n, s.key) // where a member begins its object may begin
			continue
		}
		if r.obj.blocks != nil {
			found = append(found, r)
			valid = either(valid, r.begins(indexIn(num, r)))
			continue
		}
		if b.mem.free(s.key); r.obj.gone == nil {
			continue
		}
		found = append(found, r)
		is := compare(ir.Eq, ir.CloneExpr(num), r.base)
		valid = either(valid, r.alive(is))
	}
	if b.cfg.Checks.Has(ir.CheckNil) {
		b.check(ir.CheckNil, valid, b.extent(n))
	}
	for _, r := range found {
		if x := r.obj.blocks; x != nil {
			i := indexIn(num, r)
			b.when(r.begins(i), func() { b.set(x.entry(x.end, i), number(0, b.model.size)) }, nil)
			continue
		}
		b.when(compare(ir.Eq, ir.CloneExpr(num), r.base), func() {
			b.set(use(r.obj.gone, ir.Span{}), number(1, tBool))
		}, nil)
	}
}

// alive is the condition c, while the object of r is there.
func (r *region) alive(c ir.Expr) ir.Expr {
	if r.obj.gone == nil {
		return c
	}
	return both(c, &ir.Unary{Op: ir.Not, X: use(r.obj.gone, ir.Span{})})
}

// free notes that k may be given to free.
func (m *memory) free(k key) {
	if !m.freed[k] {
		m.freed[k], m.grown = true, true
	}
}

// reallocation lowers the call e of realloc, whose result is to point at a
// want: a new object of bytes, with what the old one has.
func (b *body) reallocation(e *cc.PostfixExpression, want cc.Type) (pointer, bool) {
	args := arguments(e)
	if b.threaded || b.proc == nil {
		return b.noPointer(e, "realloc in a program with threads", "allocate once")
	}
	old, ok := b.pointer(args[0], nil)
	if !ok {
		return old, false
	}
	num, to := b.number(args[0], old)
	num = b.saved(num)
	b.allBytes(e, to)
	if id := (heapKey{site: e}); !b.mem.bytes[id] {
		b.mem.bytes[id], b.mem.grown = true, true
	}
	if !b.cfg.MallocMayFail {
		b.release(e, num, to)
		return b.newObject(e, args[1:], false, want, func(o *object) { b.keepBytes(o, num, to) })
	}
	fails := b.freeValue(tBool)
	b.release(e, b.saved(&ir.Cond{C: fails, X: number(0, tPtr), Y: ir.CloneExpr(num)}), to)
	v, ok := b.newObject(e, args[1:], false, want, func(o *object) {
		b.goneIf(o, fails)
		b.keepBytes(o, num, to)
	})
	if !ok {
		return v, false
	}
	return b.unlessFailing(e, v, ir.CloneExpr(fails), 0), true
}

// keepBytes emits that o has the first bytes of what num is the number of.
func (b *body) keepBytes(o *object, num ir.Expr, to *targets) {
	p := b.whole(o)
	for _, s := range to.list {
		r := b.region(s)
		if r == nil || !s.raw || r.obj == o {
			continue
		}
		y := b.whole(r.obj)
		size := min(int(r.size), o.vars[0].Type.(ir.Array).Len)
		b.stored(p.cell(0), b.mem.holds(y.cell(0)))
		b.copiedBlock(&p, &y, size)
		b.when(compare(ir.Eq, ir.CloneExpr(num), r.base), func() {
			for k := range size {
				b.set(p.byteAt(k), y.byteAt(k))
			}
		}, nil)
	}
}

// roomForFrees notes how what each pointer of the procedure points at is freed,
// for repairs that do so.
func (b *body) roomForFrees() {
	if !b.cfg.Frees || b.threaded || b.proc.Hard {
		return
	}
	at := func(d *cc.Declarator) int { return d.Position().Offset }
	for _, d := range slices.SortedFunc(maps.Keys(b.scope), func(x, y *cc.Declarator) int { return at(x) - at(y) }) {
		o := b.scope[d]
		if o == nil || o.refused || o.typ.Kind() != cc.Ptr || len(o.vars) != 1 || o.vars[0].Type != ir.Type(tPtr) {
			continue
		}
		v := b.loaded(b.whole(o))
		if !b.releasable(v.to) {
			continue
		}
		list := b.Block(func() { b.release(d, b.saved(v.num), v.to) }).List
		b.prog.Syntax.(syntax).frees[o.vars[0]] = list
	}
}

// releasable reports whether some of to may be freed, and whether release knows
// all of that without another layout.
func (b *body) releasable(to *targets) bool {
	some := false
	for _, s := range to.list {
		r := b.region(s)
		if r == nil || !b.isFreed(s.key) {
			continue
		}
		if s.from != 0 || s.outer > 0 || !s.raw && s.to < len(r.obj.vars) {
			return false
		}
		some = true
	}
	return some
}

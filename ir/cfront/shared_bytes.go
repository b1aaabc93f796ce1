package cfront

// Bytes in programs with threads: what is one access in C is one event, an atomic
// section of as many accesses as there are bytes. That would hide races, and the order
// in which bytes leave a store buffer, so neither is looked at then.

import "github.com/go-amend/amend/ir"

// hidesEvents says what is asked for that atomic sections in the place of accesses
// would hide.
func (b *body) hidesEvents() string {
	switch {
	case !b.threaded:
	case b.weak():
		return "under a weak memory model"
	case b.cfg.Checks.Has(ir.CheckRace):
		return "with the check race"
	}
	return ""
}

// sharesBytes reports whether p, or what it may be, is bytes that other threads may
// see here. It refuses p where its accesses can't be events.
func (b *body) sharesBytes(p *place) bool {
	shared := false
	p.each(func(q *place) { shared = shared || q.raw != nil && q.vars[0].Kind == ir.Global })
	if shared && b.hidesEvents() != "" {
		b.refuse(nil, "access to the bytes of a shared object in a program with threads, "+b.hidesEvents(), "use one type")
	}
	return shared && b.threaded && b.atomic == 0
}

// atOnce emits what build emits, which writes the raw place p, as one event.
func (b *body) atOnce(p *place, build func()) {
	if !b.sharesBytes(p) {
		build()
		return
	}
	b.asEvent(build)
}

// asEvent emits what build emits as one event.
func (b *body) asEvent(build func()) {
	s := &ir.Atomic{}
	b.Derive(&s.StmtInfo)
	b.atomic++
	s.Body = b.Block(build)
	b.atomic--
	b.Emit(s)
}

// readAtOnce is e, the value of p, read as one event.
func (b *body) readAtOnce(p *place, e ir.Expr) ir.Expr {
	if !b.sharesBytes(p) {
		return e
	}
	v := b.Temp("v", e.Type())
	b.atOnce(p, func() { b.set(use(v, ir.Span{}), e) })
	return use(v, ir.Span{})
}

// register is how many bytes of a union are copied at once.
const register = 8

// sharesUnion reports whether x = y copies a union that other threads may see here, and
// that fits a register.
func (b *body) sharesUnion(x, y ir.Expr) bool {
	t, ok := x.Type().(ir.Array)
	shared := ir.Root(x).Kind == ir.Global || ir.Root(y).Kind == ir.Global
	return ok && t.Elem == ir.Type(tByte) && t.Len <= register && shared &&
		b.threaded && b.atomic == 0 && b.hidesEvents() == ""
}

// copyAtOnce emits the copy of n bytes as an event that reads and one that writes.
func (b *body) copyAtOnce(n int, to, from func(k int) ir.Expr) {
	v := byteIn(use(b.Temp("s", ir.Array{Elem: tByte, Len: n}), ir.Span{}))
	b.asEvent(func() {
		for k := range n {
			b.set(v(k), from(k))
		}
	})
	b.asEvent(func() {
		for k := range n {
			b.set(to(k), v(k))
		}
	})
}

// byteIn gives the bytes of the array x.
func byteIn(x ir.Expr) func(k int) ir.Expr {
	return func(k int) ir.Expr { return &ir.Index{X: ir.CloneExpr(x), I: number(uint64(k), tPtr)} }
}

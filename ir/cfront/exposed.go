package cfront

// Addresses as integers. An object whose address becomes one, by a cast or by
// what reads the bytes of a pointer, is exposed: any integer that becomes a
// pointer may point at any of these, and at nothing else (PNVI-ae of
// Memarian and others, "Exploring C Semantics and Pointer Provenance", POPL
// 2019, without regard to order).

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A touch is a write into the bytes of an object: where, if that is a
// constant, else -1.
type touch struct {
	key     key
	off     int64
	size    int
	pointer bool
}

// touch notes t.
func (m *memory) touch(t touch) {
	if !m.touches[t] {
		m.touches[t], m.grown = true, true
	}
}

// touched reports whether a write of pointers, or of anything else, may meet
// the n bytes from off on.
func (m *memory) touched(k key, off int64, n int, pointer bool) bool {
	for t := range m.touches {
		if t.key == k && t.pointer == pointer && (t.off < 0 || off < 0 || t.off < off+int64(n) && off < t.off+int64(t.size)) {
			return true
		}
	}
	return false
}

// copied notes that the n bytes of x from xo on get those of y from yo on.
func (m *memory) copied(x key, xo int64, y key, yo int64, n int) {
	var moved []touch
	for t := range m.touches {
		switch {
		case t.key != y:
		case t.off < 0 || xo < 0 || yo < 0:
			moved = append(moved, touch{x, -1, t.size, t.pointer})
		case t.off < yo+int64(n) && yo < t.off+int64(t.size):
			moved = append(moved, touch{x, xo + t.off - yo, t.size, t.pointer})
		}
	}
	for _, t := range moved {
		m.touch(t)
	}
}

// constantOffset is where p begins, -1 if that is computed.
func (p *place) constantOffset() int64 {
	if c, ok := p.raw.off.(*ir.Const); ok && len(p.idx) == 0 {
		return int64(c.Val)
	}
	return -1
}

// wroteBytes notes a write to the raw scalar p.
func (b *body) wroteBytes(p *place) {
	if p.stored() {
		b.mem.touch(touch{p.obj.key, p.constantOffset(), p.size(), p.typ.Kind() == cc.Ptr})
	}
}

// readBytes notes that the n bytes from p on are read as what is no pointer.
func (b *body) readBytes(p *place, n int) {
	if p.stored() && b.mem.touched(p.obj.key, p.constantOffset(), n, true) {
		b.expose(nil, b.mem.holds(p.cell(0)))
	}
}

// expose notes that addresses of what is in to are integers.
func (b *body) expose(e cc.Node, to *targets) {
	b.allBytes(e, to)
	if b.mem.exposed.addAll(to) {
		b.mem.grown = true
	}
	b.outlives(nil, to)
}

// isMixed reports whether the pointer in the raw place p may have been written
// as something else.
func (b *body) isMixed(p *place) bool {
	return p.stored() && b.mem.touched(p.obj.key, p.constantOffset(), p.size(), false)
}

// mixes reports whether p is a pointer that isMixed.
func (b *body) mixes(p *place) bool {
	mixed := false
	if p.typ.Kind() == cc.Ptr {
		p.each(func(q *place) { mixed = mixed || q.raw != nil && b.isMixed(q) })
	}
	return mixed
}

// loadAddress is the value of p, a pointer that may have been written as
// something else.
func (b *body) loadAddress(p place) ir.Expr {
	n := b.chain(&p, func(q *place) ir.Expr {
		if q.raw != nil {
			return q.join(b.model.pointer / 8)
		}
		return convert(convert(b.leaf(q, 0), ir.Int{Width: tPtr.Width, Signed: true}), ir.Int{Width: b.model.pointer})
	})
	v := b.fromInteger(b.readAtOnce(&p, n))
	setSpan(v, p.span)
	return v
}

// fromInteger is the pointer that the bits of n are. Runs in which it has
// more bits than a pointer are cut; addresses of fewer bits are numbers with a
// sign, so that what lies before all objects is less than they are.
func (b *body) fromInteger(n ir.Expr) ir.Expr {
	if bits := b.model.pointer; bits < tPtr.Width {
		return convert(convert(convert(n, ir.Int{Width: bits}), ir.Int{Width: bits, Signed: true}), tPtr)
	}
	n = b.Save("address", convert(n, tULong))
	v := convert(ir.CloneExpr(n), tPtr)
	if b.proc == nil {
		return v
	}
	back := convert(convert(ir.CloneExpr(v), ir.Int{Width: tPtr.Width, Signed: true}), tULong)
	fits := &ir.Binary{Op: ir.Eq, X: back, Y: n}
	b.atMost(&ir.Cond{C: fits, X: number(0, tPtr), Y: number(2, tPtr)}, 1)
	return v
}

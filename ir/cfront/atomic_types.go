package cfront

// Objects of an _Atomic type: each read, each write and each modification of
// one is an event of its own, and no race.

import (
	"bytes"
	"regexp"

	"github.com/go-amend/amend/ir"
)

var atomicSpecifier = regexp.MustCompile(`^_Atomic[ \t]*\(([^()\[\]\n]*)\)`)

// bareAtomics returns text, of the same length, in which _Atomic(T), which is
// a specifier, is the qualifier: _Atomic T, or for pointers T* _Atomic.
func bareAtomics(text []byte) []byte {
	if !bytes.Contains(text, []byte("_Atomic")) {
		return text
	}
	out := bytes.Clone(text)
	for off := 0; off < len(text); {
		if next := skip(text, off); next > off {
			off = next
			continue
		}
		m := atomicSpecifier.FindSubmatchIndex(text[off:])
		if m == nil || off > 0 && isWord(text[off-1]) {
			off++
			continue
		}
		inner := text[off+m[2] : off+m[3]]
		with := append(bytes.Repeat([]byte(" "), m[2]-len("_Atomic")), inner...)
		if with = append([]byte("_Atomic"), append(with, ' ')...); bytes.ContainsRune(inner, '*') {
			with = append(bytes.Clone(inner), bytes.Repeat([]byte(" "), m[2]-len("_Atomic")+1)...)
			with = append(with, "_Atomic"...)
		}
		off += copy(out[off:], with)
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isAtomic reports whether p is of an _Atomic type.
func (p *place) isAtomic() bool { return p.typ.Attributes().IsVolatile() }

// isEvent reports whether an access of p must be seen to be an atomic one, in one of
// the ways that count: it is an event anyway, but a race only if it is none, and a
// write that waits for the store buffer only if it is one.
func (b *body) isEvent(p place, counts bool) bool {
	if !b.threaded || b.atomic > 0 || !counts || !p.isAtomic() {
		return false
	}
	others := false
	p.each(func(q *place) { others = others || len(q.vars) > 0 && shared(q.vars[0]) })
	return others
}

// loadEvent reads leaf i of p in an event of its own.
func (b *body) loadEvent(p place, i int) (ir.Expr, bool) {
	if !b.isEvent(p, b.cfg.Checks.Has(ir.CheckRace)) {
		return nil, false
	}
	if b.weak() { // it would wait for the store buffer
		b.fail(&ir.UnsupportedError{Span: p.span, Construct: "looking for races under a memory model with store buffers", Hint: "look for them under sequential consistency"})
	}
	p = copyPlace(p)
	b.steady(&p)
	var v ir.Expr
	b.together(p, func() { v = b.Save("v", b.load(p, i)) })
	setSpan(v, p.span)
	return v, true
}

// storeEvent is store in an event of its own.
func (b *body) storeEvent(p place, y ir.Expr, store func(p place, y ir.Expr) ir.Expr) (ir.Expr, bool) {
	if !b.isEvent(p, b.weak() || b.cfg.Checks.Has(ir.CheckRace)) {
		return nil, false
	}
	p = copyPlace(p)
	b.steady(&p)
	if readsGlobal(y) {
		y = b.saveOperand("v", y) // before the event
	}
	var v ir.Expr
	b.together(p, func() { v = store(p, y) })
	return v, true
}

// together emits what build emits, the access to p, as one event if p is
// atomic.
func (b *body) together(p place, build func()) {
	if !b.threaded || b.atomic > 0 || !p.isAtomic() {
		build()
		return
	}
	s := &ir.Atomic{}
	b.atomic++
	s.Body = b.Block(build)
	b.atomic--
	b.Derive(&s.StmtInfo)
	b.Emit(s)
}

package cfront

// The check leak: whatever was allocated is freed when the program ends, by the
// entry's return or exit. That something still points at it doesn't count. While
// it isn't allocated it is gone.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func (l *loader) checksLeaks() bool { return l.cfg.Checks.Has(ir.CheckLeak) }

// mayLeak notes that e made the object with key k.
func (b *body) mayLeak(e *cc.PostfixExpression, k heapKey) {
	if !b.checksLeaks() || !b.isFreed(k) {
		return
	}
	if b.threaded {
		b.unsupported(e, "allocation in a program with threads, with the check leak", "leave the check off")
		return
	}
	if !b.mem.allocated[k] {
		b.mem.allocated[k], b.mem.grown = true, true
		b.mem.leaky = append(b.mem.leaky, k)
	}
}

// beginAllocated emits that o, which may leak, is there.
func (b *body) beginAllocated(o *object) {
	if b.checksLeaks() {
		b.beginLocal(o)
	}
}

// goneIf emits that o, which may leak, is not there if its allocation fails, as fails says.
func (b *body) goneIf(o *object, fails ir.Expr) {
	if b.checksLeaks() && o.gone != nil {
		b.set(use(o.gone, ir.Span{}), ir.CloneExpr(fails))
	}
}

// endProgram emits what runs at exit, and then the checks of what is allocated, if the
// procedure is the entry. Each stands where the allocation does.
func (b *body) endProgram() {
	if b.f != b.entry() {
		return
	}
	b.runAtExit()
	if !b.checksLeaks() {
		return
	}
	if b.entered && len(b.mem.leaky) > 0 {
		b.unsupported(b.f.def.Declarator, "call of the entry, with the check leak", "leave the check off")
		return
	}
	for _, k := range b.mem.leaky {
		if o := b.objectOf(k); o != nil && o.gone != nil {
			b.check(ir.CheckLeak, use(o.gone, ir.Span{}), b.mem.ancestors[k].at)
		}
	}
}

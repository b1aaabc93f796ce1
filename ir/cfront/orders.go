package cfront

// The orders of C11's atomic operations under a memory model that has store
// buffers: which stores and fences wait until the buffer is empty. Loads are as
// strong as any order in these models, and so is what reads and writes at once.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// The values of memory_order.
const (
	relaxed = iota
	consume
	acquire
	release
	acquireRelease
	sequential
)

// weak reports whether threads have store buffers.
func (b *body) weak() bool { return b.threaded && b.cfg.Memory != ir.SC }

// orderOf returns the order that argument i says; without one, the strongest.
func (b *body) orderOf(args []cc.ExpressionNode, i int) uint64 {
	if i >= len(args) {
		return sequential
	}
	if n, ok := literal(args[i].Value()); ok && n <= sequential {
		return n
	}
	b.unsupported(args[i], "computed memory order", "use one of the constants memory_order_…, or -memory sc")
	return sequential
}

// releases reports an order that sorts stores but waits for none.
func (b *body) releases(n cc.Node, order uint64) {
	if b.cfg.Memory == ir.PSO && (order == release || order == acquireRelease) {
		b.unsupported(n, "release order under partial store order", "use memory_order_seq_cst, or -memory tso")
	}
}

// atomicStore is atomic_store(&x, v) and its kin.
func (b *body) atomicStore(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.storing(n, args, 2, func() []ir.Expr { return b.setObject(n, args) })
}

func (b *body) clearAtomic(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.storing(n, args, 1, func() []ir.Expr { return b.clearObject(n, args[:1]) })
}

// releaseLock is __sync_lock_release(&x).
func (b *body) releaseLock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if b.weak() {
		b.releases(n, release)
	}
	return b.clearObject(n, args)
}

// storing emits a store whose order argument i says.
func (b *body) storing(n *cc.PostfixExpression, args []cc.ExpressionNode, i int, store func() []ir.Expr) []ir.Expr {
	if !b.weak() {
		return store()
	}
	order := b.orderOf(args, i)
	b.releases(n, order)
	if order == sequential {
		defer b.wait(n)
	}
	return store()
}

// fence is atomic_thread_fence(order) and its kin.
func (b *body) fence(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if b.weak() {
		order := b.orderOf(args, 0)
		b.releases(n, order)
		if order == sequential {
			b.wait(n)
		}
	}
	return b.nothing(n, args)
}

// wait emits an event that does nothing, but with an empty buffer.
func (b *body) wait(n cc.Node) {
	if b.atomic == 0 {
		b.emitAtomic(n, nil, nil, func() {})
	}
}

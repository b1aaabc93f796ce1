package cfront

// The threads of C11's <threads.h>: those of pthread.h by other names. Only their
// functions return int, and so do joins, and there is no result that says what
// went wrong but that a mutex is held.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func c11Calls() map[string]threadFunc {
	return map[string]threadFunc{
		"thrd_create":   {3, true, (*body).createC11},
		"thrd_join":     {2, true, (*body).joinC11},
		"thrd_exit":     {1, true, (*body).exitThread},
		"thrd_current":  {0, false, (*body).self},
		"thrd_equal":    {2, false, (*body).equalThreads},
		"mtx_init":      {2, false, (*body).mutexInitC11},
		"mtx_lock":      {1, true, (*body).mutexLock},
		"mtx_trylock":   {1, false, (*body).mutexTryLockC11},
		"mtx_unlock":    {1, false, (*body).mutexUnlock},
		"mtx_destroy":   {1, false, (*body).mutexDestroy},
		"cnd_init":      {1, false, (*body).clearObject},
		"cnd_wait":      {2, true, (*body).condWait},
		"cnd_signal":    {1, false, (*body).condSignal},
		"cnd_broadcast": {1, false, (*body).condBroadcast},
		"cnd_destroy":   {1, false, (*body).nothing},
		"thrd_detach":   {1, false, (*body).nothing},
		"thrd_yield":    {0, false, (*body).nothing},
	}
}

// The values of thrd_busy and mtx_recursive.
const (
	c11Busy      = 1
	c11Recursive = 1
)

// startedBy is the argument of the call n, of a function called name, that says what
// a thread runs; nil if it starts none.
func startedBy(n *cc.PostfixExpression, name string) cc.ExpressionNode {
	switch args := arguments(n); {
	case name == "pthread_create" && len(args) == 4:
		return args[2]
	case name == "thrd_create" && len(args) == 3:
		return args[1]
	}
	return nil
}

// startNames are the functions that start threads.
var startNames = map[string]bool{"pthread_create": true, "thrd_create": true}

// createC11 is thrd_create(&t, f, arg).
func (b *body) createC11(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.create(n, []cc.ExpressionNode{args[0], nil, args[1], args[2]})
}

// joinC11 is thrd_join(t, &result), of an int.
func (b *body) joinC11(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.joinInto(n, args, func(p place, result ir.Expr) {
		b.onEach(p, func(q place) { b.write(&q, convert(ir.CloneExpr(result), q.scalar())) })
	})
}

// mutexInitC11 is mtx_init(&m, kind).
func (b *body) mutexInitC11(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if kind, ok := literal(args[1].Value()); !ok || kind&c11Recursive != 0 {
		b.unsupported(args[1], "mutex of C11 that may be recursive", "use pthread_mutex_t, or mtx_plain")
		return success()
	}
	return b.clearObject(n, args[:1])
}

func (b *body) mutexTryLockC11(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	vs := b.mutexTryLock(n, args)
	vs[0].(*ir.Cond).Y = number(c11Busy, tInt)
	return vs
}

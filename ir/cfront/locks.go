package cfront

// Mutexes, conditions, semaphores, read-write locks, barriers. A mutex and a
// condition are variables as ir has them; the others are variables and Atomic
// statements.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func lockCalls() map[string]threadFunc {
	return map[string]threadFunc{
		"pthread_mutex_init":        {2, false, (*body).mutexInit},
		"pthread_mutex_lock":        {1, true, (*body).mutexLock},
		"pthread_mutex_trylock":     {1, false, (*body).mutexTryLock},
		"pthread_mutex_unlock":      {1, false, (*body).mutexUnlock},
		"pthread_mutex_destroy":     {1, false, (*body).mutexDestroy},
		"pthread_mutexattr_init":    {1, false, (*body).clearObject},
		"pthread_mutexattr_settype": {2, false, (*body).setObject},
		"pthread_spin_init":         {2, false, (*body).clearObject},
		"pthread_spin_lock":         {1, true, (*body).mutexLock},
		"pthread_spin_trylock":      {1, false, (*body).mutexTryLock},
		"pthread_spin_unlock":       {1, false, (*body).mutexUnlock},
		"pthread_cond_init":         {2, false, (*body).clearObject},
		"pthread_cond_wait":         {2, true, (*body).condWait},
		"pthread_cond_signal":       {1, false, (*body).condSignal},
		"pthread_cond_broadcast":    {1, false, (*body).condBroadcast},
		"pthread_rwlock_init":       {2, false, (*body).clearObject},
		"pthread_rwlock_rdlock":     {1, true, (*body).readLock},
		"pthread_rwlock_wrlock":     {1, true, (*body).writeLock},
		"pthread_rwlock_tryrdlock":  {1, false, (*body).tryReadLock},
		"pthread_rwlock_trywrlock":  {1, false, (*body).tryWriteLock},
		"pthread_rwlock_unlock":     {1, false, (*body).rwUnlock},
		"pthread_barrier_init":      {3, false, (*body).barrierInit},
		"pthread_barrier_wait":      {1, true, (*body).barrierWait},
	}
}

func semaphoreCalls() map[string]threadFunc {
	return map[string]threadFunc{
		"sem_init":     {3, false, (*body).semInit},
		"sem_wait":     {1, true, (*body).semWait},
		"sem_trywait":  {1, false, (*body).semTryWait},
		"sem_post":     {1, false, (*body).semPost},
		"sem_getvalue": {2, false, (*body).semValue},
	}
}

// The errors that the functions return.
const (
	ePerm   = 1
	eAgain  = 11
	eBusy   = 16
	eDeadlk = 35
)

// onObject emits what build emits for the object that the argument e of n
// points at. build gets the object's leaves.
func (b *body) onObject(e cc.ExpressionNode, leaves int, build func(part func(int) ir.Expr)) bool {
	p, ok := b.pointee(e)
	if !ok {
		return false
	}
	if k := count(p.typ); k != leaves && leaves > 0 {
		b.wrong(e, "%s where another object is needed", p.typ)
		return false
	}
	if b.inBytesOf(e, p) {
		return false
	}
	b.onEach(p, func(q place) {
		build(func(i int) ir.Expr { return b.expr(copyPlace(q), i, false) })
	})
	return true
}

// inBytesOf refuses p, which e names and threads wait for or take, if it lies in
// bytes.
func (b *body) inBytesOf(e cc.ExpressionNode, p place) bool {
	raw := p.isRaw()
	if raw {
		b.unsupported(e, "object of threads that is looked at by bytes", "use one type")
	}
	return raw
}

// emitAtomic emits, for the call n, a wait until guard holds and what build
// emits then.
func (b *body) emitAtomic(n cc.Node, guard, holder ir.Expr, build func()) {
	if !b.threaded && guard == nil {
		build()
		return
	}
	s := &ir.Atomic{Guard: guard, Holder: holder}
	b.event(&s.StmtInfo, n)
	b.atomic++
	s.Body = b.Block(build)
	b.atomic--
	b.Emit(s)
}

// me is what a mutex that this thread holds has as its value.
func me(t ir.Type) ir.Expr {
	return convert(&ir.Binary{Op: ir.Add, X: &ir.Self{}, Y: &ir.Const{Val: 1, Typ: tInt}}, t)
}

func compare(op ir.Op, x ir.Expr, v uint64) ir.Expr {
	return &ir.Binary{Op: op, X: x, Y: &ir.Const{Val: v, Typ: x.Type()}}
}

func both(x, y ir.Expr) ir.Expr   { return &ir.Binary{Op: ir.LAnd, X: x, Y: y} }
func either(x, y ir.Expr) ir.Expr { return &ir.Binary{Op: ir.LOr, X: x, Y: y} }

// isMine is the condition that this thread holds the mutex m.
func isMine(op ir.Op, m ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: m, Y: me(m.Type())} }

func number(v uint64, t ir.Type) ir.Expr { return &ir.Const{Val: ir.Wrap(t, v), Typ: t} }

// misuse emits the check that c holds, if misuse is checked.
func (b *body) misuse(c ir.Expr, text string) {
	if b.cfg.Checks.Has(ir.CheckLocks) {
		b.check(ir.CheckLocks, c, b.Span())
		b.List[len(b.List)-1].(*ir.Assert).Text = text
	}
}

// when emits if (c) { then } else { els }.
func (b *body) when(c ir.Expr, then, els func()) {
	s := &ir.If{Cond: c}
	b.Derive(&s.StmtInfo)
	s.Then = b.Block(then)
	if els != nil {
		s.Else = b.Block(els)
	}
	b.Emit(s)
}

// status is a variable for the result of a call.
func (b *body) status(name string) *ir.Var { return b.Temp(name, tInt) }

func (b *body) result(n cc.Node, v *ir.Var) []ir.Expr { return []ir.Expr{use(v, b.span(n))} }

// hasKind reports whether mutexes have kinds.
func (b *body) hasKind(e cc.ExpressionNode) bool {
	t := elem(e.Type())
	if asked := b.asked[e]; asked != nil {
		t = asked
	}
	return t != nil && t.Kind() == cc.Struct
}

func (b *body) mutexLeaves(e cc.ExpressionNode) int {
	if b.hasKind(e) {
		return 3
	}
	return 1
}

// mutexInit is pthread_mutex_init(&m, &attr).
func (b *body) mutexInit(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if !b.hasKind(args[0]) {
		return b.clearObject(n, args)
	}
	kind := number(0, tInt)
	if !b.isZero(args[1]) {
		if p, ok := b.pointee(args[1]); ok {
			kind = b.Save("kind", b.load(p, 0))
		}
	}
	b.onObject(args[0], 3, func(part func(int) ir.Expr) {
		b.emitAtomic(n, nil, nil, func() {
			b.set(part(0), number(0, tInt))
			b.set(part(1), ir.CloneExpr(kind))
			b.set(part(2), number(0, tInt))
		})
	})
	return success()
}

// clearObject makes all of the object that the first argument points at 0.
func (b *body) clearObject(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.nothing(n, args[1:])
	p, ok := b.pointee(args[0])
	if !ok {
		return success()
	}
	if b.inBytesOf(args[0], p) {
		return success()
	}
	b.onEach(p, func(q place) {
		for i := range q.vars {
			x := b.expr(copyPlace(q), i, false)
			a := &ir.Assign{LHS: x, RHS: number(0, x.Type())}
			b.event(&a.StmtInfo, n)
			b.Emit(a)
		}
	})
	return success()
}

// setObject stores the second argument in what the first one points at.
func (b *body) setObject(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	v := b.integer(args[1])
	p, _, ok := b.atomicObject(args[0])
	if !ok {
		return success()
	}
	b.onEach(p, func(q place) {
		if q.raw != nil {
			b.emitAtomic(n, nil, nil, func() { b.write(&q, convert(ir.CloneExpr(v), q.scalar())) })
			return
		}
		x := b.expr(copyPlace(q), 0, false)
		a := &ir.Assign{LHS: x, RHS: convert(ir.CloneExpr(v), x.Type())}
		b.event(&a.StmtInfo, n)
		b.Emit(a)
	})
	return success()
}

func (b *body) mutexLock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if b.hasKind(args[0]) {
		return b.kindLock(n, args[0])
	}
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		s := &ir.Lock{Mutex: part(0)}
		b.event(&s.StmtInfo, n)
		b.Emit(s)
	})
	return success()
}

// kindLock locks a mutex that may be of any kind.
func (b *body) kindLock(n *cc.PostfixExpression, e cc.ExpressionNode) []ir.Expr {
	r := b.status("lock")
	b.onObject(e, 3, func(part func(int) ir.Expr) {
		mine := func() ir.Expr { return isMine(ir.Eq, part(0)) }
		again := mine()
		if !b.cfg.Checks.Has(ir.CheckLocks) { // a normal one waits for itself
			again = both(mine(), compare(ir.Ne, part(1), 0))
		}
		b.emitAtomic(n, either(compare(ir.Eq, part(0), 0), again), part(0), func() {
			b.misuse(either(isMine(ir.Ne, part(0)), compare(ir.Ne, part(1), 0)), "locked twice by one thread")
			b.set(use(r, ir.Span{}), number(0, tInt))
			b.when(mine(), func() {
				b.when(compare(ir.Eq, part(1), 1), func() {
					b.set(part(2), plusOne(part(2)))
				}, func() { b.set(use(r, ir.Span{}), number(eDeadlk, tInt)) })
			}, func() { b.set(part(0), me(part(0).Type())) })
		})
	})
	return b.result(n, r)
}

func plusOne(x ir.Expr) ir.Expr {
	return &ir.Binary{Op: ir.Add, X: x, Y: number(1, x.Type())}
}

func minusOne(x ir.Expr) ir.Expr {
	return &ir.Binary{Op: ir.Sub, X: x, Y: number(1, x.Type())}
}

func (b *body) mutexTryLock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if b.hasKind(args[0]) {
		return b.kindTryLock(n, args[0])
	}
	ok := b.Temp("ok", tBool)
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		s := &ir.Lock{Mutex: part(0), Try: true, OK: use(ok, ir.Span{})}
		b.event(&s.StmtInfo, n)
		b.Emit(s)
	})
	return b.busyUnless(n, ok)
}

// busyUnless is the result of a function that tries: 0 or EBUSY.
func (b *body) busyUnless(n cc.Node, ok *ir.Var) []ir.Expr {
	return []ir.Expr{&ir.Cond{ExprInfo: ir.ExprInfo{Pos: b.span(n)}, C: use(ok, ir.Span{}), X: number(0, tInt), Y: number(eBusy, tInt)}}
}

func (b *body) kindTryLock(n *cc.PostfixExpression, e cc.ExpressionNode) []ir.Expr {
	ok := b.Temp("ok", tBool)
	b.onObject(e, 3, func(part func(int) ir.Expr) {
		b.emitAtomic(n, nil, nil, func() {
			b.set(use(ok, ir.Span{}), number(1, tBool))
			b.when(compare(ir.Eq, part(0), 0), func() { b.set(part(0), me(part(0).Type())) }, func() {
				b.when(both(isMine(ir.Eq, part(0)), compare(ir.Eq, part(1), 1)),
					func() { b.set(part(2), plusOne(part(2))) },
					func() { b.set(use(ok, ir.Span{}), number(0, tBool)) })
			})
		})
	})
	return b.busyUnless(n, ok)
}

func (b *body) mutexUnlock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if b.hasKind(args[0]) {
		return b.kindUnlock(n, args[0])
	}
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		s := &ir.Unlock{Mutex: part(0)}
		b.event(&s.StmtInfo, n)
		b.Emit(s)
	})
	return success()
}

func (b *body) kindUnlock(n *cc.PostfixExpression, e cc.ExpressionNode) []ir.Expr {
	r := b.status("unlock")
	b.onObject(e, 3, func(part func(int) ir.Expr) {
		b.emitAtomic(n, nil, nil, func() {
			b.misuse(either(isMine(ir.Eq, part(0)), compare(ir.Ne, part(1), 0)), "unlocked by a thread that does not hold it")
			b.set(use(r, ir.Span{}), number(0, tInt))
			b.when(both(isMine(ir.Ne, part(0)), compare(ir.Ne, part(1), 0)),
				func() { b.set(use(r, ir.Span{}), number(ePerm, tInt)) },
				func() {
					b.when(compare(ir.Ne, part(2), 0),
						func() { b.set(part(2), minusOne(part(2))) },
						func() { b.set(part(0), number(0, part(0).Type())) })
				})
		})
	})
	return b.result(n, r)
}

// destroyed is the value of a mutex that nobody can lock any more.
const destroyed = 255

// mutexDestroy is pthread_mutex_destroy(&m).
func (b *body) mutexDestroy(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if !b.cfg.Checks.Has(ir.CheckLocks) {
		return b.nothing(n, args)
	}
	b.onObject(args[0], b.mutexLeaves(args[0]), func(part func(int) ir.Expr) {
		b.emitAtomic(n, nil, nil, func() {
			b.misuse(compare(ir.Eq, part(0), 0), "destroyed while it is locked or destroyed")
			b.set(part(0), number(destroyed, part(0).Type()))
		})
	})
	return success()
}

func (b *body) condWait(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	m, ok := b.pointee(args[1])
	if !ok {
		return nil
	}
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		b.onEach(m, func(q place) {
			s := &ir.Wait{Cond: part(0), Mutex: b.expr(copyPlace(q), 0, false)}
			b.event(&s.StmtInfo, n)
			b.Emit(s)
		})
	})
	return success()
}

func (b *body) condSignal(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		s := &ir.Signal{Cond: part(0)}
		b.event(&s.StmtInfo, n)
		b.Emit(s)
	})
	return success()
}

func (b *body) condBroadcast(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		s := &ir.Broadcast{Cond: part(0)}
		b.event(&s.StmtInfo, n)
		b.Emit(s)
	})
	return success()
}

// A read-write lock has the writer, like a mutex, and the number of readers.

func (b *body) readLock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.onObject(args[0], 2, func(part func(int) ir.Expr) {
		b.emitAtomic(n, b.freeFor(part(0)), part(0), func() {
			b.misuse(isMine(ir.Ne, part(0)), "locked for reading by its writer")
			b.set(part(1), plusOne(part(1)))
		})
	})
	return success()
}

// freeFor is the condition that no other thread holds m; that this one does
// is misuse and waits for ever if that isn't checked.
func (b *body) freeFor(m ir.Expr) ir.Expr {
	free := compare(ir.Eq, m, 0)
	if b.cfg.Checks.Has(ir.CheckLocks) {
		return either(free, isMine(ir.Eq, ir.CloneExpr(m)))
	}
	return free
}

func (b *body) writeLock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.onObject(args[0], 2, func(part func(int) ir.Expr) {
		b.emitAtomic(n, both(b.freeFor(part(0)), compare(ir.Eq, part(1), 0)), part(0), func() {
			b.misuse(isMine(ir.Ne, part(0)), "locked twice by one thread")
			b.set(part(0), me(part(0).Type()))
		})
	})
	return success()
}

func (b *body) tryReadLock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.try(n, args[0], 2, func(part func(int) ir.Expr) (ir.Expr, func()) {
		return compare(ir.Eq, part(0), 0), func() { b.set(part(1), plusOne(part(1))) }
	})
}

func (b *body) tryWriteLock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.try(n, args[0], 2, func(part func(int) ir.Expr) (ir.Expr, func()) {
		free := both(compare(ir.Eq, part(0), 0), compare(ir.Eq, part(1), 0))
		return free, func() { b.set(part(0), me(part(0).Type())) }
	})
}

// try emits an event that does something if it can.
func (b *body) try(n *cc.PostfixExpression, e cc.ExpressionNode, leaves int, how func(func(int) ir.Expr) (ir.Expr, func())) []ir.Expr {
	ok := b.Temp("ok", tBool)
	b.onObject(e, leaves, func(part func(int) ir.Expr) {
		can, do := how(part)
		b.emitAtomic(n, nil, nil, func() {
			b.set(use(ok, ir.Span{}), can)
			b.when(use(ok, ir.Span{}), do, nil)
		})
	})
	return b.busyUnless(n, ok)
}

func (b *body) rwUnlock(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.onObject(args[0], 2, func(part func(int) ir.Expr) {
		b.emitAtomic(n, nil, nil, func() {
			b.when(isMine(ir.Eq, part(0)), func() { b.set(part(0), number(0, part(0).Type())) }, func() {
				b.misuse(compare(ir.Ne, part(1), 0), "unlocked by a thread that does not hold it")
				b.set(part(1), minusOne(part(1)))
			})
		})
	})
	return success()
}

// A barrier has the number of threads it waits for, of those that wait, and
// a turn that changes when they go on.

func (b *body) barrierInit(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	v := b.integer(args[2])
	if readsGlobal(v) {
		v = b.Save("n", v)
	}
	b.onObject(args[0], 3, func(part func(int) ir.Expr) {
		b.emitAtomic(n, nil, nil, func() {
			b.set(part(0), ir.CloneExpr(v))
			b.set(part(1), number(0, tInt))
			b.set(part(2), number(0, tInt))
		})
	})
	return success()
}

func (b *body) barrierWait(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	r := b.status("barrier")
	b.onObject(args[0], 3, func(part func(int) ir.Expr) {
		turn := b.Temp("turn", part(2).Type())
		b.emitAtomic(n, nil, nil, func() {
			b.misuse(compare(ir.Ne, part(0), 0), "barrier that is not initialized")
			b.set(use(turn, ir.Span{}), part(2))
			b.set(use(r, ir.Span{}), number(0, tInt))
			b.set(part(1), plusOne(part(1)))
			b.when(&ir.Binary{Op: ir.Eq, X: part(1), Y: part(0)}, func() {
				b.set(part(1), number(0, tInt))
				b.set(part(2), plusOne(part(2)))
				b.set(use(r, ir.Span{}), number(^uint64(0), tInt))
			}, nil)
		})
		b.emitAtomic(n, &ir.Binary{Op: ir.Ne, X: part(2), Y: use(turn, ir.Span{})}, nil, func() {})
	})
	return b.result(n, r)
}

func (b *body) semInit(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.nothing(n, args[1:2])
	return b.setObject(n, []cc.ExpressionNode{args[0], args[2]})
}

func (b *body) semWait(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		b.emitAtomic(n, compare(ir.Ne, part(0), 0), nil, func() { b.set(part(0), minusOne(part(0))) })
	})
	return success()
}

func (b *body) semTryWait(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	vs := b.try(n, args[0], 1, func(part func(int) ir.Expr) (ir.Expr, func()) {
		return compare(ir.Ne, part(0), 0), func() { b.set(part(0), minusOne(part(0))) }
	})
	c := vs[0].(*ir.Cond)
	c.Y = number(^uint64(0), tInt)
	if p, ok := b.errno(); ok {
		failed := &ir.Unary{Op: ir.Not, X: ir.CloneExpr(c.C)}
		b.when(failed, func() { b.write(&p, number(eAgain, tInt)) }, nil)
	}
	return vs
}

func (b *body) semPost(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		b.emitAtomic(n, nil, nil, func() { b.set(part(0), plusOne(part(0))) })
	})
	return success()
}

func (b *body) semValue(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	v := b.status("sem")
	ok := b.onObject(args[0], 1, func(part func(int) ir.Expr) {
		a := &ir.Assign{LHS: use(v, ir.Span{}), RHS: convert(part(0), tInt)}
		b.event(&a.StmtInfo, n)
		b.Emit(a)
	})
	if ok {
		b.onObject(args[1], 1, func(part func(int) ir.Expr) { b.set(part(0), use(v, ir.Span{})) })
	}
	return success()
}

package ssa

// Statements about threads and locks, as a recorder executes them.

import (
	"maps"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/threads"
)

func (r *recorder) concurrent(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Yield:
	case *ir.Spawn:
		r.spawn(s)
	case *ir.Join:
		r.join(s)
	case *ir.Atomic:
		r.atomic(s)
	default:
		r.locks(s)
	}
	return true
}

// locks executes a statement about a mutex or a condition.
func (r *recorder) locks(s ir.Stmt) {
	list := r.p.Expand(s)
	if r.event != nil {
		for _, t := range list {
			r.concurrent(t)
		}
		return
	}
	switch s := s.(type) {
	case *ir.Lock:
		if s.Try {
			r.concurrent(list[0])
			return
		}
		r.taking(s, s.Mutex, list[0], true)
	case *ir.Unlock:
		r.taking(s, s.Mutex, list[0], false)
	case *ir.Wait:
		r.queued(s, s.Cond)
		r.taking(s, s.Mutex, list[0], false)
		r.taking(s, s.Mutex, list[1], true)
	default:
		r.concurrent(list[0])
	}
}

// taking executes t, what s does, which takes or frees the mutex m.
func (r *recorder) taking(s ir.Stmt, m ir.Expr, t ir.Stmt, takes bool) {
	k, known := r.queued(s, m)
	if known {
		r.mutex, r.takes = k+1, takes
	}
	r.concurrent(t)
	r.mutex = 0
	switch {
	case known:
		r.flag(r.held, k, takes)
	case !takes:
		for m := range r.t.Memory {
			r.flag(r.held, m, false)
		}
	}
}

// queued notes that e, in s, is a mutex or condition, and returns its index
// in shared memory, if that is known.
func (r *recorder) queued(s ir.Stmt, e ir.Expr) (int, bool) {
	base, off, ok := r.fixed(e)
	first, shared := r.index(base)
	if !shared {
		return 0, false
	}
	r.t.Memory[first+off].Queue = true
	return first + off, ok
}

// fixed returns the first cell of the variable that e names a part of, and
// the offset of e in it, if all indices are constants that need no event.
func (r *recorder) fixed(e ir.Expr) (base, off int, ok bool) {
	switch x := e.(type) {
	case *ir.Use:
		w := r.frame.vars[x.Var]
		if v, known := r.Value(w.off); w.off != 0 {
			return w.base, int(v), known
		}
		return w.base, 0, true
	case *ir.Index:
		base, off, ok = r.fixed(x.X)
		i, known := r.constant(x.I)
		_, stride := ir.Scalar(x.Type())
		n := x.X.Type().(ir.Array).Len
		if !ok || !known || n != 0 && i >= uint64(n) {
			return base, 0, false
		}
		return base, off + int(i)*stride, true
	}
	panic("ssa: not a variable")
}

// constant returns the value of e, if it is known without an event.
func (r *recorder) constant(e ir.Expr) (uint64, bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.Val, true
	case *ir.Convert:
		if _, ok := e.X.Type().(ir.Float); ok {
			return 0, false
		}
		return r.constant(e.X)
	case *ir.Use:
		w := r.frame.vars[e.Var]
		if _, shared := r.index(w.base); shared || w.off != 0 || e.Site() != 0 && r.cfg.Hook != nil {
			return 0, false
		}
		return r.Value(r.read(w.base))
	}
	return 0, false
}

// atomic executes s as one event, or as a part of the one around it.
func (r *recorder) atomic(s *ir.Atomic) {
	if r.event != nil {
		r.block(s.Body)
		return
	}
	r.begin(s)
	label := ir.Choice{At: s.ID, Path: r.at}
	r.addEvent(threads.EventAtomic, s, label, func() {
		if s.Guard != nil {
			r.guard(s)
		}
		r.block(s.Body)
	})
}

// guard translates when s can happen: where its guard holds, or evaluating
// it violates a check.
func (r *recorder) guard(s *ir.Atomic) {
	var bad []formula.Term
	r.unnamed = true
	g := r.operand(s.Guard)
	r.collected = &bad
	r.check(s.Guard)
	r.collected = nil
	if s.Holder != nil {
		r.event.Holder = r.wide(s.Holder)
	}
	r.unnamed = false
	r.event.Enabled = r.Or(g, r.OrN(bad...))
	r.event.Loc = r.origin
	r.check(s.Guard)
}

// wide returns the number e as 64 bits.
func (r *recorder) wide(e ir.Expr) formula.Term {
	x := r.operand(e)
	if ir.Signed(e.Type()) {
		return r.Sext(64, x)
	}
	return r.Zext(64, x)
}

// join waits for threads.
func (r *recorder) join(s *ir.Join) {
	r.begin(s)
	var n formula.Term
	if s.Thread != nil {
		n = r.define("join", r.wide(s.Thread))
		r.check(s.Thread)
	}
	r.addEvent(threads.EventAtomic, s, ir.Choice{At: s.ID, Path: r.at}, func() {
		ev := r.event
		ev.Loc = r.origin
		if s.Thread == nil {
			ev.Enabled = r.status(threads.AllEnded, r.Const(64, 0))
			return
		}
		ev.Holder = r.Add(n, r.Const(64, 1))
		if k, ok := r.Value(n); ok && r.thread == 0 {
			defer r.flag(r.joined, int(k), true)
		}
		ev.Enabled = r.status(threads.HasEnded, n)
		if !r.p.Checks.Has(ir.CheckLocks) {
			return
		}
		other := r.Not(r.Eq(n, r.Const(64, uint64(r.thread))))
		started := r.And(r.status(threads.HasStarted, n), other)
		ev.Enabled = r.Or(ev.Enabled, r.Not(started))
		r.claim(ir.CheckLocks, 0, r.reached(), started)
	})
}

// status returns the name of a fact about other threads.
func (r *recorder) status(k threads.StatusKind, thread formula.Term) formula.Term {
	x := r.Var(1, "ended")
	r.event.Status = append(r.event.Status, threads.Status{Kind: k, Thread: thread, Name: x})
	return x
}

func (r *recorder) hasEnded(e *ir.Ended) formula.Term {
	if !r.on {
		return r.False()
	}
	n := r.value(e.Thread)
	if ir.Signed(e.Thread.Type()) {
		n = r.Sext(64, n)
	} else {
		n = r.Zext(64, n)
	}
	if r.event != nil {
		return r.status(threads.HasEnded, n)
	}
	var x formula.Term
	r.addEvent(threads.EventRead, r.stmt, r.access(e, 0), func() {
		x = r.status(threads.HasEnded, n)
	})
	r.reads[e] = len(r.t.Threads[r.thread].Events) - 1
	r.memo[e] = x
	return x
}

func (r *recorder) self() int { return r.thread }

func (r *recorder) wakes(x formula.Term) {
	if !slices.Contains(r.form.Wakeups, x) {
		r.form.Wakeups = append(r.form.Wakeups, x)
	}
}

// spawn starts a thread.
func (r *recorder) spawn(s *ir.Spawn) {
	r.begin(s)
	f := s.Proc
	args := make([]view, len(f.Params))
	for i, v := range f.Params {
		args[i] = r.argument(v, s.Args[i])
	}
	if r.depth[f] > r.cfg.Unwind+r.cfg.Slack {
		r.cut(s)
		return
	}
	var l lvalue
	if s.Thread != nil {
		l = r.lvalue(s.Thread)
	}
	n := len(r.queue)
	r.queue = append(r.queue, &activation{f, args, maps.Clone(r.depth)})
	t := threads.Thread{Path: r.at.Call(s.ID), Spawner: r.thread, Spawn: len(r.t.Threads[r.thread].Events)}
	r.t.Threads = append(r.t.Threads, t)
	r.addEvent(threads.EventSpawn, s, ir.Choice{At: s.ID, Path: r.at}, func() {
		if s.Thread != nil {
			w := ir.Width(s.Thread.Type())
			r.store(l, r.Const(w, uint64(n)))
		}
	})
}

// concurrentInside reports whether s holds a statement with an event.
func (r *recorder) concurrentInside(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Spawn, *ir.Join, *ir.Lock, *ir.Unlock, *ir.Wait, *ir.Signal, *ir.Broadcast, *ir.Atomic:
		return true
	case *ir.Block:
		return r.anyInside(s)
	case *ir.Call:
		h, ok := r.holds[s.Proc]
		if !ok {
			r.holds[s.Proc] = false // while it is recursive
			h = r.anyInside(s.Proc.Body)
			r.holds[s.Proc] = h
		}
		return h
	}
	return slices.ContainsFunc(s.Blocks(nil), r.anyInside)
}

func (r *recorder) anyInside(bl *ir.Block) bool {
	return slices.ContainsFunc(bl.List, r.concurrentInside)
}

package ssa

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/threads"
)

// A thread that waits in a loop goes round without an effect: it reads what others
// write, and is then where it was before. Without such a round each run is still
// a run, in which the thread gets to the loop later, and violates what it
// violated. So with Config.NoIdle a run ends after an idle round, like one whose
// assumption fails: what is left are fewer and shorter runs, and a loop that only
// waits leaves the bounds in none. Without threads it is the same: what a round
// reads from outside makes no difference if it is forgotten.
//
// A round is idle if all variables of the thread are as they were, but for those
// that the next one sets before it reads them, and if its events are harmless: see
// recorder.harmless.

// A head is the state at the beginning of a round.
type head struct {
	mark, cells int // lengths of trail and cells
	events      int // of the thread
}

// mostCompared limits how many variables of a round are compared.
const mostCompared = 64

// begins reports whether some run begins the n-th round: the one before was not
// idle.
func (u *unwinding) begins(n int) bool {
	events, ok := u.mem.position()
	if !ok || !u.cfg.NoIdle {
		return true
	}
	idle := u.False()
	if n > 1 && u.head.events >= 0 {
		idle = u.idle()
	}
	if idle != u.False() {
		u.mem.waits()
		u.mem.stop(idle)
		u.set(u.ok, u.And(u.read(u.ok), u.Not(idle)))
	}
	u.head = head{len(u.trail), len(u.cells), events}
	return idle != u.True()
}

// idle returns the proposition that the round that ends here was.
func (u *unwinding) idle() formula.Term {
	if !u.mem.mayIdle(u.head.events) {
		return u.False()
	}
	idle := u.same()
	if idle == u.False() {
		return idle
	}
	return u.And(idle, u.mem.harmless(u.head.events, u.head.cells))
}

// same returns the proposition that the variables are as they were at the head.
func (u *unwinding) same() formula.Term {
	ignored := u.ignored()
	seen := make(map[int]bool)
	same := u.True()
	for _, x := range u.trail[u.head.mark:] {
		if x.cell >= u.head.cells || seen[x.cell] || ignored[x.cell] {
			continue
		}
		seen[x.cell] = true
		now := u.cells[x.cell].term
		if x.old == 0 || len(seen) > mostCompared || u.Width(x.old) != u.Width(now) {
			return u.False()
		}
		if same = u.And(same, u.Eq(x.old, now)); same == u.False() {
			return same
		}
	}
	return same
}

// ignored returns the cells that don't count: flags of jumps, none of which is on
// its way at a head, whether the run goes on, and what is overwritten.
func (u *unwinding) ignored() map[int]bool {
	out := map[int]bool{u.ok: true, u.frame.returned: true}
	for _, t := range u.frame.targets {
		out[t.left] = true
		if t.loop {
			out[t.continued] = true
		}
	}
	for v := range overwritten(u.s) {
		if w := u.frame.vars[v]; w.size == 1 {
			out[w.base] = true
		}
	}
	return out
}

// overwritten returns the variables that every round of s assigns to before it
// reads them and before it can leave the loop.
func overwritten(s *ir.Loop) map[*ir.Var]bool {
	o := &overwriting{read: make(map[*ir.Var]bool), set: make(map[*ir.Var]bool)}
	if !s.TestLast {
		o.block(s.Head)
		return o.set
	}
	_ = o.block(s.Body) && o.block(s.Post) && o.block(s.Head)
	return o.set
}

// An overwriting follows the statements at the beginning of a round that are
// always executed.
type overwriting struct{ read, set map[*ir.Var]bool }

// block reports whether all of b, which may be nil, is straight-line.
func (o *overwriting) block(b *ir.Block) bool {
	return b == nil || !slices.ContainsFunc(b.List, func(s ir.Stmt) bool { return !o.stmt(s) })
}

func (o *overwriting) stmt(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Assert:
		o.reads(s, nil)
		return true
	case *ir.Atomic:
		return s.Guard == nil && o.block(s.Body)
	case *ir.Assign:
		target, whole := s.LHS.(*ir.Use)
		if o.reads(s, target); whole && !o.read[target.Var] {
			o.set[target.Var] = true
		}
		return true
	}
	return false
}

// reads notes what s reads, but for target, once.
func (o *overwriting) reads(s ir.Stmt, target *ir.Use) {
	ir.EachExpr(s, func(e *ir.Expr) {
		x, ok := (*e).(*ir.Use)
		switch {
		case ok && x == target:
			target = nil
		case ok:
			o.read[x.Var] = true
		}
	})
}

func (r *recorder) waits() { r.t.Waits, r.form.Idle = true, true }

// mayIdle reports whether there have been events since the one with number from:
// loops without any end by themselves, or are cut.
func (r *recorder) mayIdle(from int) bool { return len(r.t.Threads[r.thread].Events) != from }

func (r *recorder) position() (int, bool) {
	return len(r.t.Threads[r.thread].Events), r.on && r.event == nil
}

// harmless returns the proposition that the thread's events since the one with
// number from, when there were so many cells, change nothing for others. They
// read, or write what was there before; take and free mutexes that nobody tries to
// lock; or wait for a condition and wake up without a signal.
func (r *recorder) harmless(from, cells int) formula.Term {
	ok := r.True()
	for m := range r.t.Memory { // what was taken must be free, or be held as before
		if k, taken := r.held[m]; taken && k >= cells {
			ok = r.And(ok, r.Not(r.read(k)))
		}
	}
	events := r.t.Threads[r.thread].Events
	for i := from; i < len(events) && ok != r.False(); i++ {
		ev := &events[i]
		effect := r.False()
		if ev.Kind == threads.EventSpawn {
			effect = r.True()
		}
		for _, w := range ev.Writes {
			effect = r.Or(effect, r.And(w.When, r.Not(r.unnoticed(ev, w))))
		}
		effect = r.AndN(ev.Guard, ev.OK, effect)
		if r.certain(effect) {
			return r.False()
		}
		ok = r.And(ok, r.Not(effect))
	}
	return ok
}

// unnoticed returns the proposition that ev, if it writes w, changes nothing for
// others, given that the round leaves mutexes as they were.
func (r *recorder) unnoticed(ev *threads.Event, w threads.Write) formula.Term {
	mutex := ev.Mutex == w.Cell+1 && r.known != nil && r.known.paired[w.Cell]
	switch waits := ev.Mutex != 0 && ev.Mutex != w.Cell+1; {
	case mutex, waits && ev.Unlock: // see below for the end of the wait
		return r.True()
	case ev.Kind != threads.EventAtomic:
		return r.False()
	default:
		same := r.False()
		for _, x := range ev.Reads {
			if x.Cell == w.Cell {
				same = r.Eq(w.Value, r.Zext(r.Width(w.Value), x.Name))
			}
		}
		if waits { // it is still among those that wait
			return r.Not(same)
		}
		return same
	}
}

package sequentialize

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/threads"
)

// conflicts adds the claims about the state in which a schedule ends. As
// every reachable state is one, they cover deadlocks and races at any time.
func (w *encoder) conflicts() {
	checks := w.Form.Program.Checks
	if checks.Has(ir.CheckDeadlock) {
		w.deadlocks()
	}
	if checks.Has(ir.CheckRace) {
		w.races()
	}
}

// next returns the proposition that event i is what thread t does next.
func (w *encoder) next(t, i int) formula.Term {
	ev := &w.Threads.Threads[t].Events[i]
	at := w.AndN(w.Not(w.past[t][i]), ev.Guard, ev.OK)
	if i > 0 {
		at = w.And(at, w.past[t][i-1])
	}
	return at
}

// deadlocks adds the claims that some thread can move and that none wait for
// each other in a cycle. A spurious wakeup rules out deadlocks: it would hide
// some and invent others.
func (w *encoder) deadlocks() {
	guard := w.alive
	for _, x := range w.Form.Wakeups {
		guard = w.And(guard, w.Not(x))
	}
	guard = w.AndN(append(w.drained, guard)...)
	n := len(w.Threads.Threads)
	waits := make([][]formula.Term, n)
	moves, cyclic := w.False(), false
	for t := range w.Threads.Threads {
		waits[t] = make([]formula.Term, n)
		for u := range waits[t] {
			waits[t][u] = w.False()
		}
		for i := range w.Threads.Threads[t].Events {
			ev := &w.Threads.Threads[t].Events[i]
			at := w.next(t, i)
			can := w.enabled(ev, t)
			moves = w.Or(moves, w.And(at, can))
			if ev.Holder != 0 {
				cyclic = true
				w.waiting(waits[t], w.And(at, w.Not(can)), w.current(ev, t).Replace(ev.Holder))
			}
		}
	}
	w.claim(ir.CheckDeadlock, guard, moves)
	if cyclic {
		w.waits = waits
		w.claim(ir.CheckDeadlock, guard, w.Not(w.cycle(waits)))
	}
}

// waiting adds to waits, by thread, that a thread waits for the one that
// holder names where blocked holds.
func (w *encoder) waiting(waits []formula.Term, blocked, holder formula.Term) {
	for u := range waits {
		is := w.Eq(holder, w.Const(64, uint64(u)+1))
		on := w.AndN(blocked, is, w.started(u), w.Not(w.ended(u)))
		waits[u] = w.define("waits", w.Or(waits[u], on), 0, false)
	}
}

// cycle returns the proposition that there is a cycle of waiting threads:
// that, of a set of threads that is a part of the inputs, each waits for
// another in the set.
func (w *encoder) cycle(waits [][]formula.Term) formula.Term {
	in := make([]formula.Term, len(waits))
	some, all := w.False(), w.True()
	for t := range waits {
		in[t] = w.Form.Inputs.Choice(ir.Choice{Round: -1, Elem: int32(t)}, ir.Bool{}, "member")
		some = w.Or(some, in[t])
	}
	for t := range waits {
		other := w.False()
		for u := range waits {
			other = w.Or(other, w.And(waits[t][u], in[u]))
		}
		all = w.And(all, w.Implies(in[t], other))
	}
	return w.And(some, all)
}

// claim adds the claim that cond holds where guard does.
func (w *encoder) claim(k ir.Kind, guard, cond formula.Term) {
	if w.And(guard, w.Not(cond)) != w.False() {
		w.Form.Claims = append(w.Form.Claims, ssa.Claim{Guard: guard, Cond: cond, Kind: k})
	}
}

// races adds the claims that no two threads are about to access one scalar,
// one of them to write it, both outside atomic statements.
func (w *encoder) races() {
	for t := range w.Threads.Threads {
		for i := range w.Threads.Threads[t].Events {
			x := &w.Threads.Threads[t].Events[i]
			if x.Cell == 0 {
				continue
			}
			race := w.False()
			for u := t + 1; u < len(w.Threads.Threads); u++ {
				for j := range w.Threads.Threads[u].Events {
					y := &w.Threads.Threads[u].Events[j]
					if y.Cell != 0 && (x.Kind == threads.EventWrite || y.Kind == threads.EventWrite) {
						same := w.AndN(w.Eq(x.Cell, y.Cell), x.Valid, y.Valid)
						race = w.Or(race, w.And(same, w.next(u, j)))
					}
				}
			}
			if race == w.False() {
				continue
			}
			w.claim(ir.CheckRace, w.AndN(w.alive, w.next(t, i)), w.Not(race))
			if n := len(w.Form.Claims); n > 0 {
				w.Form.Claims[n-1].At, w.Form.Claims[n-1].Path = x.Stmt.Key(), x.Path
			}
		}
	}
}

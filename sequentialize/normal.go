package sequentialize

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ssa/threads"
)

// An event that begins a visit in the second round or later could have
// happened at the end of the thread's visit before, unless something that
// other threads did in between conflicts with it. So every schedule has an
// equal one, of no more rounds, in which each such event has a conflict:
// the symmetry breaking of Lazy-PO. It shrinks what a solver has to refute.

// accesses is what happens to a scalar of shared memory during a visit.
type accesses struct{ read, written formula.Term }

// normalize computes e.normal.
func (w *encoder) normalize() {
	all := make([][]accesses, len(w.visits))
	for k := range w.visits {
		all[k] = w.accesses(&w.visits[k])
	}
	for _, v := range w.visits { // implied, but not found by unit propagation
		for i := 1; i < len(v.after); i++ {
			if v.after[i] != v.after[i-1] {
				w.normal = append(w.normal, w.Implies(v.after[i], v.after[i-1]))
			}
		}
	}
	last := make(map[int]int) // by thread: its visit before
	for k := range w.visits {
		v := &w.visits[k]
		if from, ok := last[v.thread]; ok {
			w.begins(v, w.between(all[from+1:k]), w.others(w.visits[from+1:k]))
		}
		last[v.thread] = k
	}
}

// accesses returns what v does to memory.
func (w *encoder) accesses(v *visit) []accesses {
	out := make([]accesses, len(w.memory))
	for m := range out {
		out[m] = accesses{w.False(), w.False()}
	}
	for i, now := range v.happens {
		if now == 0 {
			continue
		}
		ev := &w.Threads.Threads[v.thread].Events[i]
		each(ev, func(m int, write bool) {
			if write {
				out[m].written = w.Or(out[m].written, now)
			} else {
				out[m].read = w.Or(out[m].read, now)
			}
		})
	}
	for m := range out {
		out[m].read, out[m].written = w.define("read", out[m].read, 0, false), w.define("written", out[m].written, 0, false)
	}
	return out
}

// between returns what several visits do to memory.
func (w *encoder) between(visits [][]accesses) []accesses {
	out := make([]accesses, len(w.memory))
	for m := range out {
		out[m] = accesses{w.False(), w.False()}
		for _, v := range visits {
			out[m].read, out[m].written = w.Or(out[m].read, v[m].read), w.Or(out[m].written, v[m].written)
		}
	}
	return out
}

// others returns the proposition that a thread starts or ends in one of the
// visits.
func (w *encoder) others(visits []visit) formula.Term {
	x := w.False()
	for _, v := range visits {
		events := w.Threads.Threads[v.thread].Events
		for i, now := range v.happens {
			if now != 0 && events[i].Kind == threads.EventSpawn {
				x = w.Or(x, now)
			}
		}
		n := len(events) - 1
		x = w.Or(x, w.And(v.after[n], w.Not(v.before[n])))
	}
	return x
}

// begins adds that what happens first in v conflicts with what happened
// since the thread's visit before.
func (w *encoder) begins(v *visit, since []accesses, status formula.Term) {
	events := w.Threads.Threads[v.thread].Events
	for i, now := range v.happens {
		if now == 0 || !w.schedulingPoints[v.thread][i] {
			continue
		}
		ev := &events[i]
		if !w.pauses(ev, v.thread) || ev.Kind == threads.EventReturn || ev.Kind == threads.EventStart {
			continue
		}
		first := now
		if i > 0 {
			first = w.And(now, v.before[i-1])
		}
		conflict := w.Or(w.Not(ev.Live), w.stopsAfter(v.thread, i))
		if len(ev.Status) > 0 || ev.Kind == threads.EventSpawn {
			conflict = w.Or(conflict, status)
		}
		each(ev, func(m int, write bool) {
			conflict = w.Or(conflict, since[m].written)
			if write {
				conflict = w.Or(conflict, since[m].read)
			}
		})
		w.normal = append(w.normal, w.Implies(first, conflict))
	}
}

// stopsAfter returns the proposition that the run stops right after event i
// of thread t.
func (w *encoder) stopsAfter(t, i int) formula.Term {
	x := w.False()
	for _, s := range w.Threads.Stops {
		if s.Thread == t && s.Event == i {
			x = w.Or(x, s.When)
		}
	}
	return x
}

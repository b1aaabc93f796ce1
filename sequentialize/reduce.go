package sequentialize

import (
	"slices"

	"github.com/go-amend/amend/ssa/threads"
)

// Not every event needs a switch before it. One that could as well happen
// earlier, whatever other threads did in between (a left mover; Lipton,
// "Reduction", CACM 1975), is done together with the event before it of its
// thread. It never waits, and no run stops right after it, so that every
// schedule has an equal one, of no more rounds, with fewer switches; in the
// states in which threads wait or race it doesn't show.
//
// Left movers are: what only one thread writes, read by that thread; what
// only one thread accesses; what is accessed under one mutex only; freeing a
// mutex; starting a thread; and what is done when all other threads have
// ended.

// A usage is how threads use one scalar of shared memory.
type usage struct {
	readers, writers []int // threads, but for when one is alone
	owners           []int // threads that write, ever
	held             []int // mutexes held at each access
	accessed         bool
	mutex            bool // only ever taken and freed, in pairs
}

// reduction computes where switches are needed.
type reduction struct {
	t     *threads.Program
	uses  []usage
	stops map[[2]int]bool // thread and event
	asks  map[int]bool    // threads that ask about the status of others

	nested bool // threads start threads, so that the entry can't know all
}

func newReduction(t *threads.Program) *reduction {
	r := &reduction{t: t, uses: make([]usage, len(t.Memory)), stops: make(map[[2]int]bool), asks: make(map[int]bool)}
	for m := range r.uses {
		r.uses[m].mutex = true
	}
	for _, s := range t.Stops {
		r.stops[[2]int{s.Thread, s.Event}] = true
	}
	for i := range t.Threads {
		r.nested = r.nested || t.Threads[i].Spawner != 0
	}
	for i := range t.Threads {
		for k := range t.Threads[i].Events {
			r.add(i, &t.Threads[i].Events[k])
		}
	}
	return r
}

// schedulingPoints returns, by thread and event, whether a switch may be needed before
// the event.
func (r *reduction) schedulingPoints() [][]bool {
	t := r.t
	out := make([][]bool, len(t.Threads))
	for i := range t.Threads {
		out[i] = make([]bool, len(t.Threads[i].Events))
		for k := range out[i] {
			out[i][k] = k == 0 || r.stops[[2]int{i, k}] || !r.leftMover(i, &t.Threads[i].Events[k])
		}
	}
	return out
}

// add notes how ev, an event of thread i, uses memory.
func (r *reduction) add(i int, ev *threads.Event) {
	r.asks[i] = r.asks[i] || len(ev.Status) > 0
	for _, x := range ev.Writes {
		u := &r.uses[x.Cell]
		u.owners = with(u.owners, i)
	}
	if r.alone(ev) {
		return
	}
	each(ev, func(m int, write bool) {
		u := &r.uses[m]
		if write {
			u.writers = with(u.writers, i)
		} else {
			u.readers = with(u.readers, i)
		}
		if !u.accessed {
			u.held = ev.Held
		} else {
			u.held = common(u.held, ev.Held)
		}
		u.accessed = true
		if ev.Mutex != m+1 || ev.Unlock && !slices.Contains(ev.Held, m) {
			u.mutex = false
		}
	})
}

// alone reports whether ev happens when all other threads have ended.
func (r *reduction) alone(ev *threads.Event) bool { return ev.Alone && !r.nested }

// each calls visit for each scalar that ev reads or writes.
func each(ev *threads.Event, visit func(m int, write bool)) {
	for _, x := range ev.Reads {
		visit(x.Cell, false)
	}
	for _, x := range ev.Writes {
		visit(x.Cell, true)
	}
}

// leftMover reports whether ev, an event of thread i, needs no switch before
// it.
func (r *reduction) leftMover(i int, ev *threads.Event) bool {
	switch {
	case ev.Enabled != 0, ev.Kind == threads.EventReturn, ev.Kind == threads.EventStart, len(ev.Status) > 0:
		return false
	case r.alone(ev):
		return true
	case ev.Kind == threads.EventSpawn && r.asked(i):
		return false
	}
	ok := true
	each(ev, func(m int, write bool) { ok = ok && r.private(i, ev, m, write) })
	return ok
}

// asked reports whether a thread other than i asks about others.
func (r *reduction) asked(i int) bool {
	for t := range r.t.Threads {
		if t != i && r.asks[t] {
			return true
		}
	}
	return false
}

// private reports whether the access of ev, an event of thread i, to m could
// as well happen earlier.
func (r *reduction) private(i int, ev *threads.Event, m int, write bool) bool {
	u := &r.uses[m]
	if ev.Unlock && ev.Mutex == m+1 && u.mutex {
		return true
	}
	if slices.ContainsFunc(u.held, func(l int) bool { return r.uses[l].mutex }) {
		return true
	}
	return only(u.writers, i) && (!write || only(u.readers, i))
}

// only reports whether list holds nothing but i.
func only(list []int, i int) bool { return len(list) == 0 || len(list) == 1 && list[0] == i }

// with returns list with i in it.
func with(list []int, i int) []int {
	if slices.Contains(list, i) {
		return list
	}
	return append(list, i)
}

// common returns what is in both lists.
func common(a, b []int) []int {
	var out []int
	for _, x := range a {
		if slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

package ssa

import (
	"math/bits"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/threads"
)

// What is known about shared memory in all schedules makes formulas smaller:
// how large values get, and which scalars only the thread that starts others
// writes, before it starts them. A first translation finds it out and a
// second one uses it.

// facts are what a translation of the threads says about memory.
type facts struct {
	widths []int   // bits that hold every value, by index into Memory
	owners [][]int // threads that write, likewise
	paired []bool  // it is a mutex that is only ever taken and freed, likewise
}

// maxStates limits how many states of the threads' positions are followed
// one by one, and maxSteps for how long values grow before they are given
// up.
const (
	maxStates = 4096
	maxSteps  = 64
)

func newFacts(st *formula.Store, t *threads.Program, memory ir.Memory) *facts {
	f := &facts{owners: make([][]int, len(t.Memory))}
	for i := range t.Threads {
		for k := range t.Threads[i].Events {
			for _, w := range t.Threads[i].Events[k].Writes {
				if n := len(f.owners[w.Cell]); n == 0 || f.owners[w.Cell][n-1] != i {
					f.owners[w.Cell] = append(f.owners[w.Cell], i)
				}
			}
		}
	}
	f.paired = t.Mutexes()
	r := &ranging{t: t, st: st, names: make(map[formula.Term]int)}
	r.start()
	var most []formula.Interval
	if memory == ir.SC && r.states() <= maxStates { // what is followed are runs without buffers
		most = r.follow()
	} else {
		most = r.grow()
	}
	for m, x := range most {
		f.widths = append(f.widths, min(t.Memory[m].Width, max(1, bits.Len64(x.Hi))))
	}
	return f
}

// ranging computes the intervals in which the values of memory lie.
type ranging struct {
	t       *threads.Program
	st      *formula.Store
	names   map[formula.Term]int // of reads: an index into a state, after memory
	initial []formula.Interval   // of memory and names
}

// start sets the state before the first event.
func (r *ranging) start() {
	free := formula.NewRanges(r.st, func(v formula.Term) formula.Interval { return formula.AnyOf(r.st.Width(v)) })
	for _, m := range r.t.Memory {
		r.initial = append(r.initial, free.Of(m.Start))
	}
	for i := range r.t.Threads {
		for k := range r.t.Threads[i].Events {
			for _, x := range r.t.Threads[i].Events[k].Reads {
				r.names[x.Name] = len(r.initial)
				r.initial = append(r.initial, formula.Exactly(0))
			}
		}
	}
}

// within computes intervals in state s.
func (r *ranging) within(s []formula.Interval) *formula.Ranges {
	return formula.NewRanges(r.st, func(v formula.Term) formula.Interval {
		if i, ok := r.names[v]; ok {
			return s[i]
		}
		return formula.AnyOf(r.st.Width(v))
	})
}

// states returns how many combinations of positions the threads have, or
// more than maxStates.
func (r *ranging) states() int {
	n := 1
	for i := range r.t.Threads {
		if n *= len(r.t.Threads[i].Events) + 1; n > maxStates {
			break
		}
	}
	return n
}

// follow lets the threads take all ways through their events, and joins the
// states of equal positions.
func (r *ranging) follow() []formula.Interval {
	n := r.states()
	at := make([][]formula.Interval, n)
	at[0] = r.initial
	most := append([]formula.Interval(nil), r.initial[:len(r.t.Memory)]...)
	for pos := range at {
		s := at[pos]
		for m := range most {
			most[m] = most[m].Join(s[m])
		}
		rest, step := pos, 1
		for i := range r.t.Threads {
			events := r.t.Threads[i].Events
			if k := rest % (len(events) + 1); k < len(events) {
				at[pos+step] = joined(at[pos+step], r.after(s, &events[k]))
			}
			rest, step = rest/(len(events)+1), step*(len(events)+1)
		}
		at[pos] = nil
	}
	return most
}

// joined returns what holds both s, which may be missing, and t.
func joined(s, t []formula.Interval) []formula.Interval {
	if s == nil {
		return t
	}
	for i := range s {
		s[i] = s[i].Join(t[i])
	}
	return s
}

// after returns the state after ev, which happens in s or is skipped.
func (r *ranging) after(s []formula.Interval, ev *threads.Event) []formula.Interval {
	out := append([]formula.Interval(nil), s...)
	for _, x := range ev.Reads {
		out[r.names[x.Name]] = s[x.Cell]
	}
	in := r.within(out)
	goes := in.Of(ev.Guard)
	for _, x := range ev.Writes {
		when := formula.If(goes, in.Of(x.When), formula.Exactly(0))
		out[x.Cell] = formula.If(when, in.Of(x.Value), out[x.Cell])
	}
	return out
}

// grow lets all events happen in any order, each of them once.
func (r *ranging) grow() []formula.Interval {
	s := append([]formula.Interval(nil), r.initial...)
	writes := 0
	for i := range r.t.Threads {
		writes += len(r.t.Threads[i].Events)
	}
	for step := 0; step < writes; step++ {
		next, changed := append([]formula.Interval(nil), s...), false
		in := r.within(s)
		for i := range r.t.Threads {
			for k := range r.t.Threads[i].Events {
				ev := &r.t.Threads[i].Events[k]
				for _, x := range ev.Writes {
					next[x.Cell] = next[x.Cell].Join(in.Of(x.Value))
				}
				for _, x := range ev.Reads {
					next[r.names[x.Name]] = s[x.Cell]
				}
			}
		}
		for m := range next {
			if next[m] == s[m] {
				continue
			}
			if changed = true; step >= maxSteps && m < len(r.t.Memory) {
				next[m] = formula.AnyOf(r.t.Memory[m].Width)
			}
		}
		if s = next; !changed {
			break
		}
	}
	return s[:len(r.t.Memory)]
}

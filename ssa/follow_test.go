package ssa_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/threads"
)

// A follower plays a run of the interpreter on threads: it gives the names
// that events read the values of its memory, the names of facts about other
// threads what has happened, and stores what events write. Nothing but the
// order of threads comes from the interpreter.
type follower struct {
	*testing.T
	th     *translated
	st     *formula.Store
	ev     *formula.Evaluator
	vars   []uint64 // by Term: inputs, names of events, definitions
	stale  bool     // definitions are to be computed again
	memory []uint64 // by index into th.Memory
	at     []int    // by thread: its next event
	begun  []bool   // by thread
	checks ir.Checks
}

// A translated program is what BuildThreads returns.
type translated struct {
	*threads.Program
	Form *ssa.Form
}

func translate(st *formula.Store, p *ir.Program, cfg ssa.Config) (*translated, error) {
	form, th, err := ssa.BuildThreads(st, p, cfg)
	return &translated{th, form}, err
}

// follow compares a random run on random inputs, and returns how it ends.
func follow(t *testing.T, th *translated, seed uint64) string {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("run %d of\n%s", seed, th.Form.Program)
		}
	}()
	rng := rand.New(rand.NewPCG(seed, 3))
	model := make(ssa.Model)
	for _, in := range th.Form.Inputs.All() {
		model[in.Choice] = ir.Wrap(in.Type, gen.Input(seed)(in.Choice))
		if rng.IntN(2) == 0 {
			model[in.Choice] &= 3 // others are rarely indices
		}
	}
	pause := 1 << 30
	if rng.IntN(4) == 0 {
		pause = rng.IntN(20)
	}
	var able [][]int
	x, err := interp.Run(t.Context(), th.Form.Program, interp.Config{
		Unwind: 3, Input: model.Input,
		Schedule: &ir.Schedule{Threads: th.Form.Threads},
		Scheduler: func(can []int, _ func(int) interp.Event) int {
			able = append(able, slices.Clone(can))
			if len(able) > pause {
				return -1
			}
			return can[rng.IntN(len(can))]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	f := newFollower(t, th, model)
	for k := range x.Events {
		f.goesOn()
		if got := f.able(); !slices.Equal(got, able[k]) {
			t.Errorf("event %d: threads %v can move, %v in the interpreter", k, got, able[k])
		}
		f.happens(&x.Events[k])
		if t.Failed() {
			return ""
		}
	}
	f.ends(x)
	if x.Outcome == interp.Violated {
		return "violated " + x.Kind.String()
	}
	return x.Outcome.String()
}

func newFollower(t *testing.T, th *translated, m ssa.Model) *follower {
	n := len(th.Threads)
	f := &follower{
		T: t, th: th, st: th.Form.Store, vars: make([]uint64, th.Form.Store.Len()), stale: true,
		at: make([]int, n), begun: make([]bool, n), checks: th.Form.Program.Checks,
	}
	f.ev = formula.NewEvaluator(f.st, func(v formula.Term) uint64 { return f.vars[v] })
	for _, in := range th.Form.Inputs.All() {
		f.set(in.Term, m[in.Choice])
	}
	for _, x := range th.Memory {
		f.memory = append(f.memory, f.eval(x.Start))
	}
	f.begun[0] = true
	f.skip(0)
	return f
}

// set gives name v the value x.
func (f *follower) set(v formula.Term, x uint64) { f.vars[v], f.stale = x, true }

func (f *follower) eval(x formula.Term) uint64 {
	if f.stale {
		f.ev.Reset()
		for _, d := range f.th.Form.Defs {
			f.vars[d.Name] = f.ev.Eval(d.Value)
		}
		f.stale = false
	}
	return f.ev.Eval(x)
}

// skip lets thread i pass the events that it doesn't get to, and those that
// happen before there are other threads.
func (f *follower) skip(i int) {
	for ev := f.next(i); ev != nil; ev = f.next(i) {
		if f.eval(ev.Guard) == 1 {
			if f.eval(ev.Live) == 1 || f.eval(ev.OK) == 0 {
				return
			}
			f.reads(ev)
			f.writes(ev)
		}
		f.at[i]++
		f.set(ev.Passed, 1)
	}
}

// next returns the next event of thread i, nil if there is none.
func (f *follower) next(i int) *threads.Event {
	if !f.begun[i] || f.at[i] == len(f.th.Threads[i].Events) {
		return nil
	}
	return &f.th.Threads[i].Events[f.at[i]]
}

// ended reports whether thread i was started and has ended.
func (f *follower) ended(i uint64) bool {
	if i == 0 || i >= uint64(len(f.begun)) || !f.begun[i] {
		return false
	}
	return f.next(int(i)) == nil && f.eval(f.th.Threads[i].Done) == 1
}

// reads gives the names of ev, an event of thread i, their values before it.
func (f *follower) reads(ev *threads.Event) {
	for _, r := range ev.Reads {
		f.set(r.Name, f.memory[r.Cell])
	}
	for _, s := range ev.Status {
		fact := false
		switch n := f.eval(s.Thread); s.Kind {
		case threads.HasStarted:
			fact = n < uint64(len(f.begun)) && f.begun[n]
		case threads.HasEnded:
			fact = f.ended(n)
		case threads.AllEnded:
			fact = f.alone(0) // only the entry asks
		}
		f.set(s.Name, 0)
		if fact {
			f.set(s.Name, 1)
		}
	}
}

// alone reports whether all threads but i have ended, as far as they began.
func (f *follower) alone(i int) bool {
	for k := range f.begun {
		if k != i && f.begun[k] && !f.ended(uint64(k)) {
			return false
		}
	}
	return true
}

// writes stores what ev does. Memory must hold it.
func (f *follower) writes(ev *threads.Event) {
	after := slices.Clone(f.memory)
	for _, w := range ev.Writes {
		if f.eval(w.When) == 0 {
			continue
		}
		m := f.th.Memory[w.Cell]
		if after[w.Cell] = f.eval(w.Value); after[w.Cell]>>m.Width != 0 {
			f.Errorf("%s[%d] has %d bits and becomes %d", m.Var.Name, m.Elem, m.Width, after[w.Cell])
		}
	}
	f.memory = after
}

// can reports whether the next event of thread i can happen.
func (f *follower) can(i int) bool {
	ev := f.next(i)
	if ev == nil || ev.Enabled == 0 {
		return ev != nil
	}
	f.reads(ev)
	return f.eval(ev.Enabled) == 1
}

func (f *follower) able() (list []int) {
	for i := range f.begun {
		if f.can(i) {
			list = append(list, i)
		}
	}
	return list
}

// happens lets e happen.
func (f *follower) happens(e *interp.Event) {
	ev := f.next(e.Thread)
	if ev == nil || f.eval(ev.OK) == 0 {
		f.Fatalf("thread %d has no event left, but %v in the interpreter", e.Thread, e)
	}
	f.same(ev, e)
	f.circumstances(ev, e.Thread)
	f.reads(ev)
	f.value(ev, e, false)
	f.at[e.Thread]++
	f.set(ev.Passed, 1)
	f.writes(ev)
	f.value(ev, e, true)
	if f.violated() == nil {
		f.locks(ev, e.Thread)
	}
	for u, x := range f.th.Threads {
		if u > 0 && x.Spawner == e.Thread && x.Spawn == f.at[e.Thread]-1 {
			f.begun[u] = true
			f.skip(u)
		}
	}
	f.skip(e.Thread)
}

// same checks that ev is the event e.
func (f *follower) same(ev *threads.Event, e *interp.Event) {
	if (ev.Stmt == nil) != (e.Stmt == nil) || ev.Stmt != nil && ev.Stmt.Key() != e.Stmt.Key() || ev.Path != e.Path {
		f.Fatalf("%v on %q is next in thread %d, %v on %q in the interpreter", ev.Stmt, ev.Path, e.Thread, e.Stmt, e.Path)
	}
	if l := e.Label(); l != ev.Label {
		f.Fatalf("%v has the label %v, %v in the interpreter", ev.Stmt, ev.Label, l)
	}
	access := ev.Kind == threads.EventRead && len(ev.Status) == 0 || ev.Kind == threads.EventWrite
	if access != (e.Var != nil) || e.Write && ev.Kind != threads.EventWrite {
		f.Fatalf("event kind %d of %v, %v in the interpreter", ev.Kind, ev.Stmt, e)
	}
	if c, ok := f.cell(ev); ok && (f.th.Memory[c].Var != e.Var || f.th.Memory[c].Elem != e.Elem) {
		f.Fatalf("%v accesses %s[%d], %s[%d] in the interpreter", ev.Stmt, f.th.Memory[c].Var.Name, f.th.Memory[c].Elem, e.Var.Name, e.Elem)
	}
}

// cell returns the cell that ev reads or writes, if it is one.
func (f *follower) cell(ev *threads.Event) (int, bool) {
	if ev.Cell == 0 || f.eval(ev.Valid) == 0 {
		return 0, false
	}
	return int(f.eval(ev.Cell)), true
}

// value compares what e read or wrote, after the event or before.
func (f *follower) value(ev *threads.Event, e *interp.Event, after bool) {
	if (ev.Kind == threads.EventWrite) != after || f.violated() != nil {
		return
	}
	if c, ok := f.cell(ev); ok && f.memory[c] != e.Value {
		f.Errorf("%v: %d, in the interpreter %d", ev.Stmt, f.memory[c], e.Value)
	}
	if _, ok := e.Expr.(*ir.Ended); ok && f.eval(ev.Status[0].Name) != e.Value {
		f.Errorf("%v: not %d, as in the interpreter", ev.Stmt, e.Value)
	}
}

// circumstances checks what ev says of thread i before it.
func (f *follower) circumstances(ev *threads.Event, i int) {
	for _, m := range ev.Held {
		if f.memory[m] != uint64(i+1) && f.owned(m) {
			f.Errorf("%v: %s is %d, and held by thread %d", ev.Stmt, f.th.Memory[m].Var.Name, f.memory[m], i)
		}
	}
	if ev.Alone && (i != 0 || !f.alone(i)) {
		f.Errorf("%v: thread %d is not alone", ev.Stmt, i)
	}
}

// owned reports whether only those who have taken mutex m free it.
func (f *follower) owned(m int) bool {
	for _, x := range f.th.Threads {
		for _, ev := range x.Events {
			if ev.Unlock && ev.Mutex == m+1 && !slices.Contains(ev.Held, m) {
				return f.checks.Has(ir.CheckLocks)
			}
		}
	}
	return true
}

// locks checks what ev, which has happened, says about a mutex.
func (f *follower) locks(ev *threads.Event, i int) {
	if ev.Mutex == 0 {
		return
	}
	m := f.th.Memory[ev.Mutex-1]
	want := uint64(0)
	if ev.Lock {
		want = uint64(i + 1)
	}
	if got := f.memory[ev.Mutex-1]; !m.Queue || ev.Lock == ev.Unlock || got != want {
		f.Errorf("%v: thread %d leaves %d in mutex %s", ev.Stmt, i, got, m.Var.Name)
	}
}

// violated returns the first claim that is violated, nil if none is.
func (f *follower) violated() *ssa.Claim {
	for i := range f.th.Form.Claims {
		c := &f.th.Form.Claims[i]
		if f.eval(c.Guard) == 1 && f.eval(c.Cond) == 0 {
			return c
		}
	}
	return nil
}

// stopped reports whether an assumption or a cut has stopped the run.
func (f *follower) stopped() bool {
	return slices.ContainsFunc(f.th.Stops, func(s threads.Stop) bool {
		return f.begun[s.Thread] && s.Event < f.at[s.Thread] && f.eval(s.When) == 1
	})
}

// goesOn checks that nothing has ended the run.
func (f *follower) goesOn() {
	if c := f.violated(); c != nil {
		f.Errorf("violated: %v at %d, but not in the interpreter", c.Kind, c.At)
	}
	if f.stopped() {
		f.Error("stopped, but not in the interpreter")
	}
	if f.checks.Has(ir.CheckRace) && f.race() {
		f.Error("a race, but not in the interpreter")
	}
	if f.deadlocks() && f.cycle() {
		f.Error("a cycle of waiting threads, but not in the interpreter")
	}
}

// deadlocks reports whether a deadlock is a violation: nobody may have woken
// up without a signal.
func (f *follower) deadlocks() bool {
	return f.checks.Has(ir.CheckDeadlock) && len(f.th.Form.Wakeups) == 0
}

// race reports whether two threads access a scalar next, one to write it.
func (f *follower) race() bool {
	for i := range f.begun {
		x := f.next(i)
		for u := range i {
			y := f.next(u)
			if x == nil || y == nil || x.Kind != threads.EventWrite && y.Kind != threads.EventWrite {
				continue
			}
			f.reads(x)
			f.reads(y)
			a, ok := f.cell(x)
			b, ok2 := f.cell(y)
			if ok && ok2 && a == b {
				return true
			}
		}
	}
	return false
}

// cycle reports whether threads wait for each other.
func (f *follower) cycle() bool {
	for i := range f.begun {
		u := i
		for range f.begun {
			if u = f.waitsFor(u); u < 0 {
				break
			}
			if u == i {
				return true
			}
		}
	}
	return false
}

// waitsFor returns the thread that must move before i can, or -1.
func (f *follower) waitsFor(i int) int {
	ev := f.next(i)
	if ev == nil || ev.Holder == 0 || f.can(i) {
		return -1
	}
	u := int(f.eval(ev.Holder)) - 1
	if u < 0 || u >= len(f.begun) || f.next(u) == nil {
		return -1
	}
	return u
}

// finish lets the thread that violated a check read what is left of the
// expression: the interpreter ends at once, but a claim is about all of it.
func (f *follower) finish(x *interp.Trace) {
	if x.Outcome != interp.Violated {
		return
	}
	for ev := f.next(x.Thread); f.violated() == nil && ev != nil; ev = f.next(x.Thread) {
		if ev.Kind != threads.EventRead || ev.Stmt.Key() != x.Failed.Key() || ev.Path != x.Path || x.Site == 0 {
			return
		}
		f.reads(ev)
		f.at[x.Thread]++
		f.set(ev.Passed, 1)
		f.skip(x.Thread)
	}
}

// ends compares how the run ends.
func (f *follower) ends(x *interp.Trace) {
	f.finish(x)
	c := f.violated()
	state := x.Kind == ir.CheckDeadlock || x.Kind == ir.CheckRace
	if (c != nil) != (x.Outcome == interp.Violated && !state) {
		f.Errorf("violated: %v, in the interpreter %v (%v)", c, x.Outcome, x.Kind)
	}
	switch {
	case c != nil:
		if c.Kind != x.Kind || c.Site != x.Site || c.Path != x.Path || c.At != x.Failed.Key() {
			f.Errorf("%v at %d, site %d on %q; in the interpreter %v at %d, site %d on %q",
				c.Kind, c.At, c.Site, c.Path, x.Kind, x.Failed.Key(), x.Site, x.Path)
		}
		return
	case f.stopped() != (x.Outcome == interp.Blocked || x.Outcome == interp.Cut):
		f.Errorf("stopped: %v, in the interpreter %v", f.stopped(), x.Outcome)
	case f.stopped():
		return
	}
	if ended := f.next(0) == nil; ended != (x.Outcome == interp.Ended) || ended != (f.eval(f.th.Form.End) == 1) {
		f.Errorf("ended: %v, End %d, in the interpreter %v", ended, f.eval(f.th.Form.End), x.Outcome)
	} else if ended {
		f.results(x.Results)
		return
	}
	f.waiting(x)
}

func (f *follower) results(want []uint64) {
	for i, r := range f.th.Form.Results {
		if got := f.eval(r); got != want[i] {
			f.Errorf("the result is %d, in the interpreter %d", got, want[i])
		}
	}
}

// waiting compares the state that a run ends in that doesn't end by itself.
func (f *follower) waiting(x *interp.Trace) {
	for i := range f.begun {
		k := slices.IndexFunc(x.Next, func(e interp.Event) bool { return e.Thread == i })
		if (k >= 0) != (f.next(i) != nil) {
			f.Fatalf("thread %d: next is %v, of %v in the interpreter", i, f.next(i), x.Next)
		}
		if k < 0 {
			continue
		}
		if f.next(i).Kind != threads.EventStart { // an unstarted thread has no event in the interpreter
			f.reads(f.next(i))
			f.same(f.next(i), &x.Next[k])
		}
		if f.can(i) == x.Next[k].Waits {
			f.Errorf("thread %d waits: %v in the interpreter", i, x.Next[k].Waits)
		}
	}
	if race := f.checks.Has(ir.CheckRace) && f.race(); race != (x.Kind == ir.CheckRace) {
		f.Errorf("race: %v, in the interpreter %v", race, x.Kind)
	} else if race {
		return
	}
	stuck := len(f.able()) == 0
	if stuck != (x.Outcome == interp.Stuck || x.Kind == ir.CheckDeadlock) && !(x.Kind == ir.CheckDeadlock && f.cycle()) {
		f.Errorf("stuck: %v, in the interpreter %v %v", stuck, x.Outcome, x.Kind)
	}
	if f.deadlocks() && (stuck || f.cycle()) != (x.Kind == ir.CheckDeadlock) {
		f.Errorf("deadlock: %v, %v; in the interpreter %v", stuck, f.cycle(), x.Kind)
	}
}

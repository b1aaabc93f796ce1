package ssa

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/threads"
)

// A recorder is the memory of a program with threads, of which it executes
// one after the other: what a thread reads from shared cells gets a name of its
// own, and what it writes there is noted, both as events of the thread.
type recorder struct {
	*builder
	t         *threads.Program
	on        bool             // accesses to shared memory are events
	shared    []int32          // by cell: index into t.Memory plus 1
	loaded    []*threads.Event // by index into t.Memory: the event that a cell's term belongs to
	holds     map[any]bool     // whether a statement or procedure holds events
	queue     []*activation
	thread    int
	last      formula.Term // the name Passed of the thread's last event
	live      int          // cell
	event     *threads.Event
	plain     bool            // the event stores only
	unnamed   bool            // no definitions
	collected *[]formula.Term // violations, instead of claims
	reads     map[ir.Expr]int // events of the current statement
	labels    map[ir.Choice]bool
	held      map[int]int // by mutex, an index into t.Memory: cell
	joined    map[int]int // by thread: cell
	mutex     int         // of the Lock, Unlock or Wait that is executed, plus 1
	takes     bool        // it takes the mutex
	known     *facts      // of an earlier translation, or nil
}

// An activation is a thread to be translated.
type activation struct {
	proc  *ir.Proc
	args  []view
	depth map[*ir.Proc]int
}

// translate builds the threads, given what is known.
func translate(st *formula.Store, p *ir.Program, cfg Config, known *facts) (form *Form, t *threads.Program, err error) {
	b := newBuilder(st, p, cfg)
	r := &recorder{
		builder: b,
		t:       &threads.Program{Threads: []threads.Thread{{}}},
		holds:   make(map[any]bool),
		queue:   []*activation{nil},
		reads:   make(map[ir.Expr]int),
		labels:  make(map[ir.Choice]bool),
		held:    make(map[int]int),
		joined:  make(map[int]int),
		known:   known,
	}
	b.mem = r
	defer r.recover(&err)
	r.program()
	r.threads()
	for i := range r.t.Threads {
		r.form.Threads = append(r.form.Threads, r.t.Threads[i].Path)
	}
	return r.form, r.t, nil
}

// threads translates the threads that the entry and others start.
func (r *recorder) threads() {
	globals := r.frame.vars
	for i := 1; i < len(r.queue); i++ {
		a := r.queue[i]
		r.thread, r.last = i, 0
		r.path, r.ok, r.depth = r.True(), r.newCell(r.True()), a.depth
		clear(r.held)
		first := len(r.form.Choices)
		r.enter(a.proc, globals, r.t.Threads[i].Path)
		for k, v := range a.proc.Params {
			r.frame.vars[v] = a.args[k]
		}
		r.depth[a.proc]++
		r.skipped(threads.EventStart, nil)
		for k := range r.form.Choices[first:] {
			r.form.Choices[first+k].Guard = r.reached() // only now
		}
		r.block(a.proc.Body)
		r.t.Threads[i].Done = r.And(r.path, r.read(r.ok))
	}
}

func (r *recorder) began() { clear(r.reads) }

func (r *recorder) next(s ir.Stmt) {
	if !r.on && r.concurrentInside(s) {
		r.share()
	}
}

func (r *recorder) here() formula.Term {
	if r.last == 0 {
		return r.True()
	}
	return r.last
}

func (r *recorder) silent() bool { return r.unnamed }

func (r *recorder) violations() *[]formula.Term { return r.collected }

func (r *recorder) events() bool { return len(r.reads) > 0 }

// ended adds the end of the entry.
func (r *recorder) ended() {
	if !r.on {
		r.share() // there is nothing to share, but an end to pass
	}
	r.t.Threads[0].Done = r.And(r.path, r.read(r.ok))
	r.skipped(threads.EventReturn, nil)
}

// skipped adds an event without effect.
func (r *recorder) skipped(k threads.EventKind, s ir.Stmt) {
	r.addEvent(k, s, ir.Choice{At: -1, Path: r.at}, func() {})
}

// share turns events on.
func (r *recorder) share() {
	r.on = true
	r.live = r.newCell(r.False())
	shared := ir.Shared(r.p)
	for v := range r.cfg.Shared {
		shared[v] = shared[v] || r.cfg.Shared[v]
	}
	r.shared = make([]int32, len(r.cells))
	for _, v := range r.p.Globals {
		if !shared[v.ID] {
			continue
		}
		w := r.frame.vars[v]
		elem, _ := ir.Scalar(v.Type)
		for k := range w.size {
			start, width := r.read(w.base+k), ir.Width(elem)
			if r.known != nil {
				width = r.known.widths[len(r.t.Memory)]
				start = r.Extract(start, width-1, 0)
			}
			r.t.Memory = append(r.t.Memory, threads.Shared{Var: v, Elem: k, Width: width, Start: start})
			r.shared[w.base+k] = int32(len(r.t.Memory))
		}
	}
	r.loaded = make([]*threads.Event, len(r.t.Memory))
}

// index returns the index of cell k in shared memory, if it is there.
func (r *recorder) index(k int) (int, bool) {
	if k >= len(r.shared) || r.shared[k] == 0 {
		return 0, false
	}
	return int(r.shared[k] - 1), true
}

func (r *recorder) shares(w view) bool {
	_, ok := r.index(w.base)
	return ok && r.event == nil
}

// addEvent adds an event, whose effect body executes, as the thread's last.
func (r *recorder) addEvent(k threads.EventKind, s ir.Stmt, label ir.Choice, body func()) {
	events := &r.t.Threads[r.thread].Events
	ev := &threads.Event{
		Kind: k, Stmt: s, Path: r.at, Label: r.label(label),
		Guard: r.path, OK: r.read(r.ok), Live: r.True(), Passed: r.Var(1, "passed"),
	}
	waits := k == threads.EventSpawn || k == threads.EventStart || k == threads.EventAtomic && waiting(s)
	if waits && r.thread == 0 {
		r.set(r.live, r.True())
	}
	if r.thread == 0 {
		ev.Live = r.read(r.live)
	}
	r.circumstances(ev)
	r.event, r.last = ev, ev.Passed
	r.plain = k != threads.EventAtomic
	mark := len(r.trail)
	body()
	r.stored(mark)
	*events = append(*events, *ev)
	r.event = nil
}

// circumstances notes what is known about the thread at ev.
func (r *recorder) circumstances(ev *threads.Event) {
	for m := range r.t.Memory {
		if k, ok := r.held[m]; ok && r.certain(r.read(k)) {
			ev.Held = append(ev.Held, m)
		}
	}
	ev.Mutex, ev.Lock, ev.Unlock = r.mutex, r.mutex != 0 && r.takes, r.mutex != 0 && !r.takes
	ev.Alone = r.thread == 0
	for i := 1; i < len(r.queue); i++ {
		k, ok := r.joined[i]
		ev.Alone = ev.Alone && ok && r.certain(r.read(k))
	}
}

// certain reports whether x is known to hold here: in runs that didn't leave a
// section early, a mutex is held.
func (r *recorder) certain(x formula.Term) bool {
	return x == r.True() || r.And(r.path, x) == r.path || r.And(r.path, r.Not(x)) == r.False()
}

// flag makes the flag of i in flags, which starts as false, what v says.
func (r *recorder) flag(flags map[int]int, i int, v bool) {
	k, ok := flags[i]
	if !ok {
		if !v {
			return
		}
		k = r.newCell(r.False())
		flags[i] = k
	}
	x := r.False()
	if v {
		x = r.True()
	}
	r.set(k, x)
}

// waiting reports whether s may have to wait.
func waiting(s ir.Stmt) bool {
	a, ok := s.(*ir.Atomic)
	return !ok || a.Guard != nil
}

// label returns a name for an event that no other has.
func (r *recorder) label(l ir.Choice) ir.Choice {
	for r.labels[l] {
		l.Elem++
	}
	r.labels[l] = true
	return l
}

// stored takes what the event left in shared cells out of the state, since
// mark, and notes it.
func (r *recorder) stored(mark int) {
	rest := r.trail[:mark]
	seen := make(map[int]bool)
	for _, u := range r.trail[mark:] {
		m, ok := r.index(u.cell)
		if !ok {
			rest = append(rest, u)
			continue
		}
		if !seen[m] {
			seen[m] = true
			r.event.Writes = append(r.event.Writes, threads.Write{Cell: m, When: r.True(), Value: r.cells[u.cell].term})
		}
	}
	r.trail = rest
	slices.SortStableFunc(r.event.Writes, func(x, y threads.Write) int { return x.Cell - y.Cell })
}

// fetch makes cell k, if it is shared, hold the name of its value before the
// event. Like an input it is the same in every branch.
func (r *recorder) fetch(k int) {
	m, ok := r.index(k)
	if !ok {
		return
	}
	if r.event == nil {
		panic("ssa: shared memory is read outside an event")
	}
	if r.loaded[m] == r.event {
		return
	}
	r.loaded[m] = r.event
	if v, ok := r.settled(m); ok {
		elem, _ := ir.Scalar(r.t.Memory[m].Var.Type)
		r.cells[k].term = r.Const(ir.Width(elem), v)
		return
	}
	x := r.Var(r.t.Memory[m].Width, r.t.Memory[m].Var.Name)
	r.event.Reads = append(r.event.Reads, threads.Read{Cell: m, Name: x})
	elem, _ := ir.Scalar(r.t.Memory[m].Var.Type)
	r.cells[k].term = r.Zext(ir.Width(elem), x)
}

func (r *recorder) update(k int, when, x formula.Term) {
	if m, ok := r.index(k); ok && r.plain {
		r.event.Writes = append(r.event.Writes, threads.Write{Cell: m, When: when, Value: x})
		return
	}
	r.set(k, r.choose(when, x, k))
}

func (r *recorder) sharedValue(e ir.Expr, w view) formula.Term {
	var x formula.Term
	r.addEvent(threads.EventRead, r.stmt, r.access(e, r.variable(w)), func() {
		r.locate(w)
		x = r.load(w)
	})
	r.reads[e] = len(r.t.Threads[r.thread].Events) - 1
	r.memo[e] = x
	return x
}

func (r *recorder) demanded(e ir.Expr, d formula.Term) {
	if i, ok := r.reads[e]; ok {
		ev := &r.t.Threads[r.thread].Events[i]
		ev.Guard = r.And(ev.Guard, d)
	}
}

// variable returns the number of the variable that w is a part of.
func (r *recorder) variable(w view) ir.VarID {
	m, _ := r.index(w.base)
	return r.t.Memory[m].Var.ID
}

// access returns the name of the event that reads e, which is a part of v.
func (r *recorder) access(e ir.Expr, v ir.VarID) ir.Choice {
	l := ir.Choice{Var: v, At: r.stmt.Key(), Path: r.at}
	if n := r.naming; n != nil {
		n.reads++
		l.Nth, l.Elem = n.site, (n.name+1)<<8+n.reads
		return l
	}
	if l.Nth = r.places[e]; l.Nth == 0 {
		l.Nth, l.Elem = ir.ReadOf(r.stmt, e)
	}
	return l
}

func (r *recorder) storing(w view, body func()) {
	r.addEvent(threads.EventWrite, r.stmt, ir.Choice{Var: r.variable(w), At: r.stmt.Key(), Path: r.at}, func() {
		r.locate(w)
		body()
	})
}

// locate notes which scalar the event reads or writes.
func (r *recorder) locate(w view) {
	if _, ok := w.typ.(ir.Array); ok {
		return
	}
	m, _ := r.index(w.base)
	ev := r.event
	ev.Cell, ev.Valid = r.Const(offsetWidth, uint64(m)), r.True()
	if w.off != 0 {
		ev.Cell, ev.Valid = r.Add(ev.Cell, w.off), w.valid
	}
}

// assumes adds an event without effect: other threads may go on for ever where
// this one is stopped.
func (r *recorder) assumes(s ir.Stmt) {
	if r.on && r.event == nil {
		r.addEvent(threads.EventAssume, s, ir.Choice{At: s.Key(), Path: r.at}, func() {})
	}
}

func (r *recorder) stop(cond formula.Term) {
	n := len(r.t.Threads[r.thread].Events) - 1
	if r.event != nil {
		n++
	}
	when := r.AndN(r.path, r.read(r.ok), cond)
	r.t.Stops = append(r.t.Stops, threads.Stop{Thread: r.thread, Event: n, When: when})
}

// settled returns the value of memory m in the thread that is translated, if
// it is a constant: only the thread's spawner writes m, before the thread
// starts.
func (r *recorder) settled(m int) (uint64, bool) {
	if r.known == nil || r.thread == 0 {
		return 0, false
	}
	t := &r.t.Threads[r.thread]
	if o := r.known.owners[m]; len(o) > 1 || len(o) == 1 && o[0] != t.Spawner {
		return 0, false
	}
	x := r.t.Memory[m].Start
	for k := range r.t.Threads[t.Spawner].Events {
		ev := &r.t.Threads[t.Spawner].Events[k]
		for _, w := range ev.Writes {
			if w.Cell != m || w.When == r.False() {
				continue
			}
			if k >= t.Spawn {
				return 0, false
			}
			x = r.Ite(r.AndN(ev.Guard, ev.OK, w.When), r.Extract(w.Value, r.t.Memory[m].Width-1, 0), x)
		}
	}
	return r.Value(x)
}

package ssa

import (
	"errors"
	"maps"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A program with threads is translated in two steps. BuildThreads executes
// each thread once, by itself: what it reads from shared memory gets a name
// of its own, and what it writes is noted. Package sequentialize then says,
// for every schedule, which write a read sees.

// Threads is the constraint set of the threads of a program, each by itself.
// Its Form lacks the definitions of the names that events have: the values
// that they read, and that they were passed.
type Threads struct {
	Form    *Form
	Threads []Thread // by number; the entry first
	Memory  []Shared
	Stops   []Stop
}

// A Thread is one thread within the bounds. Every copy of a Spawn has its
// own, which may never be started.
type Thread struct {
	Path    ir.Path // of its statements
	Spawner int     // the thread that starts it; 0 for the entry too
	Spawn   int     // the event of the spawner that does
	Events  []Event
	Done    formula.Term // it ends, if it passes its last event
}

// Shared is a scalar of shared memory: one with events.
type Shared struct {
	Var   *ir.Var
	Elem  int          // flat index
	Width int          // in bits, which hold all its values, without sign
	Start formula.Term // its value before the first event
	Queue bool         // it is a mutex or a condition
}

// An Event is one copy of what a thread does without a switch to another
// thread in between.
type Event struct {
	Kind  EventKind
	Stmt  ir.Stmt // nil for Start and Return
	Path  ir.Path
	Loc   ir.LocID     // the location that decides Enabled; 0 for none
	Label ir.Choice    // names the event; Round is 0
	Guard formula.Term // the thread gets to it; elsewhere it is skipped
	OK    formula.Term // the assumptions before it hold
	Live  formula.Term // other threads may move before it

	// Enabled is the proposition that it can happen, over the names in
	// Reads and Status. 0: it always can. Holder is 1 plus the number of
	// the thread that has to move first, if it can't, or 0.
	Enabled, Holder formula.Term

	// Held are the mutexes, indices into Memory, that the thread is known to
	// hold. Mutex is 1 plus the index of the mutex that a Lock, Unlock or
	// Wait is about, or 0. Alone says that all other threads have ended.
	Held         []int
	Mutex        int
	Lock, Unlock bool // it takes or frees Mutex
	Alone        bool

	// Cell is the index into Memory, of 32 bits, of the scalar that a read
	// or write is about; 0 in other events. Valid is the proposition that
	// its indices are in bounds.
	Cell, Valid formula.Term

	Passed formula.Term // a name: it has happened, or was skipped
	Reads  []Read
	Status []Status
	Writes []Write
}

// EventKind says what an Event is.
type EventKind uint8

const (
	EventRead   EventKind = iota // of one scalar
	EventWrite                   // of one scalar, or of a whole array by Havoc
	EventAtomic                  // and what waits
	EventSpawn
	EventStart  // of a thread
	EventReturn // of the entry
)

// A Read says that Name is the value of a cell of memory before the event.
type Read struct {
	Cell int
	Name formula.Term
}

// A Write says that the event stores Value in a cell where When holds.
type Write struct {
	Cell        int
	When, Value formula.Term
}

// Status says that Name is a fact about other threads before the event.
type Status struct {
	Kind   StatusKind
	Thread formula.Term // the number of a thread, of 64 bits
	Name   formula.Term
}

// StatusKind says what a Status is about.
type StatusKind uint8

const (
	HasEnded   StatusKind = iota // the thread was started and has ended
	HasStarted                   // it was started
	AllEnded                     // all others that were started have ended
)

// A Stop says that the run stops, by an assumption or a cut, right after an
// event of a thread (-1: before the first) was passed, where When holds.
type Stop struct {
	Thread, Event int
	When          formula.Term
}

// concurrency is the part of a builder that deals with threads.
type concurrency struct {
	t      *Threads
	on     bool         // accesses to shared memory are events
	shared []int32      // by cell: index into t.Memory plus 1
	loaded []*Event     // by index into t.Memory: the event that a cell's term belongs to
	holds  map[any]bool // whether a statement or procedure holds events
	queue  []*activation
	thread int
	last   formula.Term // the name Passed of the thread's last event
	live   int          // cell
	event  *Event
	plain  bool            // the event stores only
	quiet  bool            // no definitions
	caught *[]formula.Term // violations, instead of claims
	reads  map[ir.Expr]int // events of the current statement
	labels map[ir.Choice]bool
	held   map[int]int // by mutex, an index into t.Memory: cell
	joined map[int]int // by thread: cell
	mutex  int         // of the Lock, Unlock or Wait that is executed, plus 1
	takes  bool        // it takes the mutex
	known  *facts      // of an earlier translation, or nil
}

// An activation is a thread to be translated.
type activation struct {
	proc  *ir.Proc
	args  []view
	depth map[*ir.Proc]int
}

// BuildThreads is the first step of the translation of p, a program with
// threads. See Build. If there are no alternatives it translates twice, to
// use what is known about memory.
func BuildThreads(st *formula.Store, p *ir.Program, cfg Config) (t *Threads, err error) {
	if cfg.Unwind < 0 || cfg.Slack < 0 {
		return nil, errors.New("ssa: negative bound")
	}
	if cfg.Hook != nil || cfg.Inputs != nil {
		return translate(st, p, cfg, nil)
	}
	if t, err = translate(st, p, cfg, nil); err != nil {
		return nil, err
	}
	return translate(st, p, cfg, newFacts(t))
}

// translate builds the threads, given what is known.
func translate(st *formula.Store, p *ir.Program, cfg Config, known *facts) (t *Threads, err error) {
	b := newBuilder(st, p, cfg)
	b.conc = &concurrency{
		t:      &Threads{Form: b.form, Threads: []Thread{{}}},
		holds:  make(map[any]bool),
		queue:  []*activation{nil},
		reads:  make(map[ir.Expr]int),
		labels: make(map[ir.Choice]bool),
		held:   make(map[int]int),
		joined: make(map[int]int),
		known:  known,
	}
	defer b.recover(&err)
	b.program()
	b.threads()
	return b.conc.t, nil
}

// threads translates the threads that the entry and others start.
func (b *builder) threads() {
	c := b.conc
	globals := b.frame.vars
	for i := 1; i < len(c.queue); i++ {
		a := c.queue[i]
		c.thread, c.last = i, 0
		b.path, b.ok, b.depth = b.True(), b.newCell(b.True()), a.depth
		clear(c.held)
		first := len(b.form.Choices)
		b.enter(a.proc, globals, c.t.Threads[i].Path)
		for k, v := range a.proc.Params {
			b.frame.vars[v] = a.args[k]
		}
		b.depth[a.proc]++
		b.skipped(EventStart, nil)
		for k := range b.form.Choices[first:] {
			b.form.Choices[first+k].Guard = b.reached() // only now
		}
		b.block(a.proc.Body)
		c.t.Threads[i].Done = b.And(b.path, b.read(b.ok))
	}
}

// threadEnd adds the end of the entry.
func (b *builder) threadEnd() {
	if !b.conc.on {
		b.share() // there is nothing to share, but an end to pass
	}
	b.conc.t.Threads[0].Done = b.And(b.path, b.read(b.ok))
	b.skipped(EventReturn, nil)
}

// skipped adds an event without effect.
func (b *builder) skipped(k EventKind, s ir.Stmt) {
	b.happen(k, s, ir.Choice{At: -1, Path: b.at}, func() {})
}

// share turns events on.
func (b *builder) share() {
	c := b.conc
	c.on = true
	c.live = b.newCell(b.False())
	shared := ir.Shared(b.p)
	for v := range b.cfg.Shared {
		shared[v] = shared[v] || b.cfg.Shared[v]
	}
	c.shared = make([]int32, len(b.cells))
	for _, v := range b.p.Globals {
		if !shared[v.ID] {
			continue
		}
		w := b.frame.vars[v]
		elem, _ := ir.Scalar(v.Type)
		for k := range w.size {
			start, width := b.read(w.base+k), ir.Width(elem)
			if c.known != nil {
				width = c.known.widths[len(c.t.Memory)]
				start = b.Extract(start, width-1, 0)
			}
			c.t.Memory = append(c.t.Memory, Shared{Var: v, Elem: k, Width: width, Start: start})
			c.shared[w.base+k] = int32(len(c.t.Memory))
		}
	}
	c.loaded = make([]*Event, len(c.t.Memory))
}

// memory returns the index of cell k in shared memory, if it is there.
func (b *builder) memory(k int) (int, bool) {
	c := b.conc
	if c == nil || k >= len(c.shared) || c.shared[k] == 0 {
		return 0, false
	}
	return int(c.shared[k] - 1), true
}

// accesses reports whether reading or writing w is an event of its own.
func (b *builder) accesses(w view) bool {
	_, ok := b.memory(w.base)
	return ok && b.conc.event == nil
}

// happen adds an event, whose effect body executes, as the thread's last.
func (b *builder) happen(k EventKind, s ir.Stmt, label ir.Choice, body func()) {
	c := b.conc
	events := &c.t.Threads[c.thread].Events
	ev := &Event{
		Kind: k, Stmt: s, Path: b.at, Label: b.label(label),
		Guard: b.path, OK: b.read(b.ok), Live: b.True(), Passed: b.Var(1, "passed"),
	}
	waits := k == EventSpawn || k == EventStart || k == EventAtomic && waiting(s)
	if waits && c.thread == 0 {
		b.set(c.live, b.True())
	}
	if c.thread == 0 {
		ev.Live = b.read(c.live)
	}
	b.circumstances(ev)
	c.event, c.last = ev, ev.Passed
	c.plain = k != EventAtomic
	mark := len(b.trail)
	body()
	b.stored(mark)
	*events = append(*events, *ev)
	c.event = nil
}

// circumstances notes what is known about the thread at ev.
func (b *builder) circumstances(ev *Event) {
	c := b.conc
	for m := range c.t.Memory {
		if k, ok := c.held[m]; ok && b.read(k) == b.True() {
			ev.Held = append(ev.Held, m)
		}
	}
	ev.Mutex, ev.Lock, ev.Unlock = c.mutex, c.mutex != 0 && c.takes, c.mutex != 0 && !c.takes
	ev.Alone = c.thread == 0
	for i := 1; i < len(c.queue); i++ {
		k, ok := c.joined[i]
		ev.Alone = ev.Alone && ok && b.read(k) == b.True()
	}
}

// flag makes the flag of i in flags, which starts as false, what v says.
func (b *builder) flag(flags map[int]int, i int, v bool) {
	k, ok := flags[i]
	if !ok {
		if !v {
			return
		}
		k = b.newCell(b.False())
		flags[i] = k
	}
	x := b.False()
	if v {
		x = b.True()
	}
	b.set(k, x)
}

// waiting reports whether s may have to wait.
func waiting(s ir.Stmt) bool {
	a, ok := s.(*ir.Atomic)
	return !ok || a.Guard != nil
}

// label returns a name for an event that no other has.
func (b *builder) label(l ir.Choice) ir.Choice {
	for b.conc.labels[l] {
		l.Elem++
	}
	b.conc.labels[l] = true
	return l
}

// stored takes what the event left in shared cells out of the state, since
// mark, and notes it.
func (b *builder) stored(mark int) {
	c, rest := b.conc, b.trail[:mark]
	seen := make(map[int]bool)
	for _, u := range b.trail[mark:] {
		m, ok := b.memory(u.cell)
		if !ok {
			rest = append(rest, u)
			continue
		}
		if !seen[m] {
			seen[m] = true
			c.event.Writes = append(c.event.Writes, Write{m, b.True(), b.cells[u.cell].term})
		}
	}
	b.trail = rest
	slices.SortStableFunc(c.event.Writes, func(x, y Write) int { return x.Cell - y.Cell })
}

// fetch makes cell k, shared cell m, hold the name of its value before the
// event. Like an input it is the same in every branch.
func (b *builder) fetch(k, m int) {
	c := b.conc
	if c.event == nil {
		panic("ssa: shared memory is read outside an event")
	}
	if c.loaded[m] == c.event {
		return
	}
	c.loaded[m] = c.event
	if v, ok := b.settled(m); ok {
		elem, _ := ir.Scalar(c.t.Memory[m].Var.Type)
		b.cells[k].term = b.Const(ir.Width(elem), v)
		return
	}
	x := b.Var(c.t.Memory[m].Width, c.t.Memory[m].Var.Name)
	c.event.Reads = append(c.event.Reads, Read{m, x})
	elem, _ := ir.Scalar(c.t.Memory[m].Var.Type)
	b.cells[k].term = b.Zext(ir.Width(elem), x)
}

// update makes x the new version of cell k where when holds.
func (b *builder) update(k int, when, x formula.Term) {
	if m, ok := b.memory(k); ok && b.conc.plain {
		b.conc.event.Writes = append(b.conc.event.Writes, Write{m, when, x})
		return
	}
	b.set(k, b.choose(when, x, k))
}

// sharedValue returns the value of e, which names w, by an event of its own.
func (b *builder) sharedValue(e ir.Expr, w view) formula.Term {
	c := b.conc
	var x formula.Term
	b.happen(EventRead, b.stmt, b.access(e, rootOf(e)), func() {
		b.locate(w)
		x = b.load(w)
	})
	c.reads[e] = len(c.t.Threads[c.thread].Events) - 1
	b.memo[e] = x
	return x
}

// demanded notes that the event that e takes, if any, happens only where d
// holds.
func (b *builder) demanded(e ir.Expr, d formula.Term) {
	c := b.conc
	if i, ok := c.reads[e]; ok {
		ev := &c.t.Threads[c.thread].Events[i]
		ev.Guard = b.And(ev.Guard, d)
	}
}

// access returns the name of the event that reads e, which is a part of v.
func (b *builder) access(e ir.Expr, v *ir.Var) ir.Choice {
	l := ir.Choice{Var: v.ID, At: b.stmt.Key(), Path: b.at}
	if n := b.naming; n != nil {
		n.reads++
		l.Nth, l.Elem = n.site, (n.name+1)<<8+n.reads
		return l
	}
	l.Nth = b.placeOf(e)
	return l
}

// A naming is an alternative that is translated, by its site and name, and
// the events that it has had.
type naming struct {
	site        ir.SiteID
	name, reads int32
}

// placeOf returns the site of e in the current statement, or another number
// that tells where it is.
func (b *builder) placeOf(e ir.Expr) ir.SiteID {
	nth := b.places[e]
	if nth == 0 {
		nth = e.Site()
	}
	if nth == 0 {
		n := ir.SiteID(0)
		ir.EachExpr(b.stmt, func(x *ir.Expr) {
			if n--; *x == e {
				nth = n
			}
		})
	}
	return nth
}

// storing executes body, which stores in w: an event of its own if w is
// shared.
func (b *builder) storing(w view, v *ir.Var, body func()) {
	if !b.accesses(w) {
		body()
		return
	}
	b.happen(EventWrite, b.stmt, ir.Choice{Var: v.ID, At: b.stmt.Key(), Path: b.at}, func() {
		b.locate(w)
		body()
	})
}

// locate notes which scalar the event reads or writes.
func (b *builder) locate(w view) {
	if _, ok := w.typ.(ir.Array); ok {
		return
	}
	m, _ := b.memory(w.base)
	ev := b.conc.event
	ev.Cell, ev.Valid = b.Const(offsetWidth, uint64(m)), b.True()
	if w.off != 0 {
		ev.Cell, ev.Valid = b.Add(ev.Cell, w.off), w.valid
	}
}

// stop notes that runs for which cond holds stop here.
func (b *builder) stop(cond formula.Term) {
	c := b.conc
	if c == nil {
		return
	}
	n := len(c.t.Threads[c.thread].Events) - 1
	if c.event != nil {
		n++
	}
	when := b.AndN(b.path, b.read(b.ok), cond)
	c.t.Stops = append(c.t.Stops, Stop{c.thread, n, when})
}

// concurrent executes a statement about threads.
func (b *builder) concurrent(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Yield:
	case *ir.Spawn:
		b.spawn(s)
	case *ir.Join:
		b.join(s)
	case *ir.Atomic:
		b.atomic(s)
	default:
		b.locks(s)
	}
}

// locks executes a statement about a mutex or a condition.
func (b *builder) locks(s ir.Stmt) {
	c, list := b.conc, b.p.Expand(s)
	if c.event != nil {
		for _, t := range list {
			b.concurrent(t)
		}
		return
	}
	switch s := s.(type) {
	case *ir.Lock:
		if s.Try {
			b.concurrent(list[0])
			return
		}
		b.taking(s, s.Mutex, list[0], true)
	case *ir.Unlock:
		b.taking(s, s.Mutex, list[0], false)
	case *ir.Wait:
		b.queued(s, s.Cond)
		b.taking(s, s.Mutex, list[0], false)
		b.taking(s, s.Mutex, list[1], true)
	default:
		b.concurrent(list[0])
	}
}

// taking executes t, what s does, which takes or frees the mutex m.
func (b *builder) taking(s ir.Stmt, m ir.Expr, t ir.Stmt, takes bool) {
	c := b.conc
	k, known := b.queued(s, m)
	if known {
		c.mutex, c.takes = k+1, takes
	}
	b.concurrent(t)
	c.mutex = 0
	switch {
	case known:
		b.flag(c.held, k, takes)
	case !takes:
		for m := range c.t.Memory {
			b.flag(c.held, m, false)
		}
	}
}

// queued notes that e, in s, is a mutex or condition, and returns its index
// in shared memory, if that is known.
func (b *builder) queued(s ir.Stmt, e ir.Expr) (int, bool) {
	base, off, ok := b.fixed(e)
	first, shared := b.memory(base)
	if !shared {
		return 0, false
	}
	b.conc.t.Memory[first+off].Queue = true
	return first + off, ok
}

// fixed returns the first cell of the variable that e names a part of, and
// the offset of e in it, if all indices are constants that need no event.
func (b *builder) fixed(e ir.Expr) (base, off int, ok bool) {
	switch x := e.(type) {
	case *ir.Use:
		w := b.frame.vars[x.Var]
		if v, known := b.Value(w.off); w.off != 0 {
			return w.base, int(v), known
		}
		return w.base, 0, true
	case *ir.Index:
		base, off, ok = b.fixed(x.X)
		i, known := b.constant(x.I)
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
func (b *builder) constant(e ir.Expr) (uint64, bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.Val, true
	case *ir.Convert:
		return b.constant(e.X)
	case *ir.Use:
		w := b.frame.vars[e.Var]
		if _, shared := b.memory(w.base); shared || w.off != 0 || e.Site() != 0 && b.cfg.Hook != nil {
			return 0, false
		}
		return b.Value(b.read(w.base))
	}
	return 0, false
}

// atomic executes s as one event, or as a part of the one around it.
func (b *builder) atomic(s *ir.Atomic) {
	if b.conc.event != nil {
		b.block(s.Body)
		return
	}
	b.begin(s)
	label := ir.Choice{At: s.ID, Path: b.at}
	b.happen(EventAtomic, s, label, func() {
		if s.Guard != nil {
			b.guard(s)
		}
		b.block(s.Body)
	})
}

// guard translates when s can happen: where its guard holds, or evaluating
// it violates a check.
func (b *builder) guard(s *ir.Atomic) {
	c := b.conc
	var bad []formula.Term
	c.quiet = true
	g := b.operand(s.Guard)
	c.caught = &bad
	b.check(s.Guard)
	c.caught = nil
	if s.Holder != nil {
		c.event.Holder = b.wide(s.Holder)
	}
	c.quiet = false
	c.event.Enabled = b.Or(g, b.OrN(bad...))
	c.event.Loc = b.origin
	b.check(s.Guard)
}

// wide returns the number e as 64 bits.
func (b *builder) wide(e ir.Expr) formula.Term {
	x := b.operand(e)
	if ir.Signed(e.Type()) {
		return b.Sext(64, x)
	}
	return b.Zext(64, x)
}

// join waits for threads.
func (b *builder) join(s *ir.Join) {
	b.begin(s)
	var n formula.Term
	if s.Thread != nil {
		n = b.define("join", b.wide(s.Thread))
		b.check(s.Thread)
	}
	b.happen(EventAtomic, s, ir.Choice{At: s.ID, Path: b.at}, func() {
		ev := b.conc.event
		ev.Loc = b.origin
		if s.Thread == nil {
			ev.Enabled = b.status(AllEnded, b.Const(64, 0))
			return
		}
		ev.Holder = b.Add(n, b.Const(64, 1))
		if k, ok := b.Value(n); ok && b.conc.thread == 0 {
			defer b.flag(b.conc.joined, int(k), true)
		}
		ev.Enabled = b.status(HasEnded, n)
		if !b.p.Checks.Has(ir.CheckLocks) {
			return
		}
		other := b.Not(b.Eq(n, b.Const(64, uint64(b.conc.thread))))
		started := b.And(b.status(HasStarted, n), other)
		ev.Enabled = b.Or(ev.Enabled, b.Not(started))
		b.claim(ir.CheckLocks, 0, b.reached(), started)
	})
}

// status returns the name of a fact about other threads.
func (b *builder) status(k StatusKind, thread formula.Term) formula.Term {
	x := b.Var(1, "ended")
	b.conc.event.Status = append(b.conc.event.Status, Status{k, thread, x})
	return x
}

// hasEnded returns the value of e.
func (b *builder) hasEnded(e *ir.Ended) formula.Term {
	if b.conc == nil || !b.conc.on {
		return b.False()
	}
	n := b.value(e.Thread)
	if ir.Signed(e.Thread.Type()) {
		n = b.Sext(64, n)
	} else {
		n = b.Zext(64, n)
	}
	if b.conc.event != nil {
		return b.status(HasEnded, n)
	}
	c := b.conc
	var x formula.Term
	b.happen(EventRead, b.stmt, b.access(e, &ir.Var{}), func() {
		x = b.status(HasEnded, n)
	})
	c.reads[e] = len(c.t.Threads[c.thread].Events) - 1
	b.memo[e] = x
	return x
}

// self returns the number of the thread.
func (b *builder) self() formula.Term {
	if b.conc == nil {
		return b.Const(32, 0)
	}
	return b.Const(32, uint64(b.conc.thread))
}

// anything returns the choice that e is.
func (b *builder) anything(e *ir.Any) formula.Term {
	if e.Wake && !b.cfg.Spurious {
		return b.False()
	}
	x := b.unknown(e, e.Typ)
	if c := b.conc; e.Wake && c != nil && !slices.Contains(b.form.Wakeups, x) {
		b.form.Wakeups = append(b.form.Wakeups, x)
	}
	return x
}

// spawn starts a thread.
func (b *builder) spawn(s *ir.Spawn) {
	b.begin(s)
	c, f := b.conc, s.Proc
	args := make([]view, len(f.Params))
	for i, v := range f.Params {
		args[i] = b.argument(v, s.Args[i])
	}
	if b.depth[f] > b.cfg.Unwind+b.cfg.Slack {
		b.cut(s)
		return
	}
	var l lvalue
	if s.Thread != nil {
		l = b.lvalue(s.Thread)
	}
	n := len(c.queue)
	c.queue = append(c.queue, &activation{f, args, maps.Clone(b.depth)})
	t := Thread{Path: b.at.Call(s.ID), Spawner: c.thread, Spawn: len(c.t.Threads[c.thread].Events)}
	c.t.Threads = append(c.t.Threads, t)
	b.happen(EventSpawn, s, ir.Choice{At: s.ID, Path: b.at}, func() {
		if s.Thread != nil {
			w := ir.Width(s.Thread.Type())
			b.store(l, b.Const(w, uint64(n)))
		}
	})
}

// concurrentInside reports whether s holds a statement with an event.
func (b *builder) concurrentInside(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Spawn, *ir.Join, *ir.Lock, *ir.Unlock, *ir.Wait, *ir.Signal, *ir.Broadcast, *ir.Atomic:
		return true
	case *ir.Block:
		return b.anyInside(s)
	case *ir.Call:
		h, ok := b.conc.holds[s.Proc]
		if !ok {
			b.conc.holds[s.Proc] = false // while it is recursive
			h = b.anyInside(s.Proc.Body)
			b.conc.holds[s.Proc] = h
		}
		return h
	}
	return slices.ContainsFunc(s.Blocks(nil), b.anyInside)
}

func (b *builder) anyInside(bl *ir.Block) bool {
	return slices.ContainsFunc(bl.List, b.concurrentInside)
}

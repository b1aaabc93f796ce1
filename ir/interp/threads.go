package interp

import (
	"iter"
	"slices"

	"github.com/go-amend/amend/ir"
)

// A program with threads runs as coroutines, one for each thread. A thread
// pauses before each event; the scheduler asks which of the pending events
// can happen and resumes one thread. What a thread computes after an event,
// up to the next, belongs to that event.

// pending is an event that a thread is about to do.
type pending struct {
	stmt   ir.Stmt
	guard  ir.Expr     // nil: it can happen now
	holder ir.Expr     // who has to move first; may be nil
	ready  func() bool // instead of guard
	x      place       // what is accessed, if v is not nil
	v      *ir.Var
	write  bool
	expr   ir.Expr // that reads, or nil
	part   int32   // of several events of stmt
}

// killed unwinds a thread whose run has ended.
type killed struct{}

// start runs the program.
func (m *machine) start() {
	if m.single {
		m.program()
		return
	}
	m.expanded = make(map[ir.Stmt][]ir.Stmt)
	m.trace.Threads = []ir.Path{""}
	if s := m.cfg.Schedule; s != nil && len(s.Threads) > 0 {
		m.trace.Threads = slices.Clone(s.Threads)
	}
	m.coroutine(m.program)
	m.schedule()
}

// coroutine makes body what the thread does.
func (m *machine) coroutine(body func()) {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(killed); !ok {
					panic(r)
				}
			}
		}()
		m.pause = func() bool { return yield(struct{}{}) }
		body()
	})
	m.resume = func() bool { _, more := next(); return more }
	m.kill = stop
	for len(m.threads) <= m.thread {
		m.threads = append(m.threads, nil)
	}
	m.threads[m.thread] = m
}

// release ends all threads.
func (w *world) release() {
	for _, t := range w.threads {
		if t != nil {
			t.kill()
		}
	}
}

// schedule runs threads until the entry has returned.
func (w *world) schedule() {
	main := w.threads[0]
	if !main.resume() {
		return
	}
	last := 0
	var can []int
	for {
		can = can[:0]
		drains := w.drains()
		for i := range drains {
			can = append(can, -1-i)
		}
		slices.Reverse(can)
		for i, t := range w.threads {
			if t != nil && !t.ended && t.can() {
				can = append(can, i)
			}
		}
		w.stuck(can)
		i := w.next(can, last, drains)
		if !slices.Contains(can, i) {
			w.finish(Paused)
			return
		}
		if i < 0 {
			w.empty(drains[-1-i])
			continue
		}
		last = i
		t := w.threads[i]
		more := t.resume()
		if t.ended = !more; t.ended && i == 0 {
			return
		}
	}
}

// finish ends the run from outside its threads.
func (w *world) finish(o Outcome) {
	w.trace.Outcome = o
	for _, t := range w.threads {
		if t != nil && !t.ended {
			e := t.ahead()
			w.trace.ahead = append(w.trace.ahead, e)
			e.Waits = !t.can()
			w.trace.Next = append(w.trace.Next, e)
		}
	}
}

// leave notes what other threads would do next when m ends the run.
func (m *machine) leave() {
	for _, t := range m.threads {
		if t != nil && t != m && !t.ended {
			m.trace.ahead = append(m.trace.ahead, t.ahead())
		}
	}
}

// stuck ends the run if it is in a deadlock, or in a race.
func (w *world) stuck(can []int) {
	if w.p.Checks.Has(ir.CheckRace) {
		if t := w.race(); t != nil {
			w.fail(ir.CheckRace, t)
		}
	}
	t := w.cycle()
	switch checked := w.p.Checks.Has(ir.CheckDeadlock) && !w.wakeups; {
	case checked && t != nil:
		w.fail(ir.CheckDeadlock, t)
	case len(can) > 0:
	case checked:
		w.fail(ir.CheckDeadlock, w.threads[0])
	default:
		w.finish(Stuck)
		w.trace.Failed, w.trace.Path = w.threads[0].event.stmt, w.text(w.threads[0].at)
		panic(stop{})
	}
}

// fail ends the run with a violation at the next event of t.
func (w *world) fail(k ir.Kind, t *machine) {
	w.finish(Violated)
	w.trace.Kind, w.trace.Failed, w.trace.Path, w.trace.Thread = k, t.event.stmt, w.text(t.at), t.thread
	panic(stop{})
}

// cycle returns a thread of a cycle of threads that wait for each other, or
// nil.
func (w *world) cycle() *machine {
	for _, t := range w.threads {
		u := t
		for range w.threads {
			if u = u.waitsFor(); u == nil {
				break
			}
			if u == t {
				return t
			}
		}
	}
	return nil
}

// waitsFor returns the thread that has to move before t can, if it is known.
func (t *machine) waitsFor() *machine {
	if t == nil || t.ended || t.event.holder == nil || t.can() {
		return nil
	}
	v, _ := t.try(t.event.holder)
	if v == 0 || v > uint64(len(t.threads)) {
		return nil
	}
	u := t.threads[v-1]
	if u == nil || u.ended {
		return nil
	}
	return u
}

// race returns a thread whose next event conflicts with that of another.
func (w *world) race() *machine {
	for i, t := range w.threads {
		for _, u := range w.threads[i+1:] {
			if t.accesses() && u.accesses() && t.event.x.base == u.event.x.base && (t.event.write || u.event.write) {
				return t
			}
		}
	}
	return nil
}

// accesses reports whether t's next event reads or writes a scalar.
func (t *machine) accesses() bool {
	if t == nil || t.ended || t.event.v == nil || !t.event.x.valid {
		return false
	}
	_, array := t.event.x.typ.(ir.Array)
	return !array
}

// can reports whether t's next event can happen. A guard whose evaluation
// violates a check holds, so that the violation can happen.
func (t *machine) can() bool {
	e := &t.event
	if len(t.buffer) > 0 && t.ordered() {
		return false
	}
	if e.ready != nil {
		return e.ready()
	}
	if e.guard == nil {
		return true
	}
	v, ok := t.try(e.guard)
	return v == 1 || !ok
}

// try evaluates e, an expression of t's next event. It reports false if that
// violates a check.
func (t *machine) try(e ir.Expr) (v uint64, ok bool) {
	before := *t.trace
	t.stmt = t.event.stmt
	t.atomic++
	defer func() {
		t.atomic--
		switch r := recover().(type) {
		case nil:
		case stop:
			inputs := t.trace.Inputs
			*t.trace = before
			t.trace.Inputs = inputs
		default:
			panic(r)
		}
	}()
	v, _ = t.eval(e)
	return v, true
}

// before lets other threads move before the event e happens.
func (m *machine) before(e pending) {
	if m.pause == nil || m.atomic > 0 {
		return
	}
	waits := e.guard != nil || e.ready != nil
	_, spawns := e.stmt.(*ir.Spawn)
	if m.shared == nil && !waits && !spawns {
		return // nobody else is there
	}
	m.live()
	stmt := m.stmt
	m.event = e
	if !m.pause() {
		panic(killed{})
	}
	m.stmt = stmt
	m.happens(&e)
}

// live makes events of accesses to shared variables.
func (m *machine) live() {
	if m.shared != nil {
		return
	}
	shared := ir.Shared(m.p)
	m.world.shared = make([]*ir.Var, len(m.globals)+1)
	for _, v := range m.p.Globals {
		_, n := ir.Scalar(v.Type)
		for i := range n {
			if shared[v.ID] {
				m.shared[m.vars[v.ID].base+i] = v
			}
		}
	}
}

// happens records the event e.
func (m *machine) happens(e *pending) {
	if m.cfg.NoSteps {
		return
	}
	ev := Event{Thread: m.thread, Stmt: e.stmt, Path: m.text(m.at), Var: e.v, Elem: m.elem(), Write: e.write, Expr: e.expr, part: e.part}
	if e.v != nil && !e.write && e.x.valid {
		ev.Value = m.load(e.x.base) // which may be a choice that nobody has read
	}
	m.trace.Events = append(m.trace.Events, ev)
}

// elem returns the element of its variable that the next event accesses.
func (m *machine) elem() int {
	if m.event.v == nil {
		return 0
	}
	return m.event.x.base - m.vars[m.event.v.ID].base
}

// access lets other threads move before x is read or written, if it is
// shared.
func (m *machine) access(x *place, write bool) {
	if m.shared == nil || x.base >= len(m.globals) || m.shared[x.base] == nil {
		return
	}
	e := pending{stmt: m.stmt, x: *x, v: m.shared[x.base], write: write}
	if write {
		e.part = m.part
	} else {
		e.expr = m.reading
	}
	m.before(e)
}

// wrote completes the record of a write event.
func (m *machine) wrote(x *place, v uint64) {
	if m.shared == nil || m.cfg.NoSteps || m.atomic > 0 || x.base >= len(m.globals) || m.shared[x.base] == nil {
		return
	}
	if n := len(m.trace.Events); n > 0 {
		m.trace.Events[n-1].Value = v
	}
}

// fetch returns the value of the scalar x, which is in bounds.
func (m *machine) fetch(x *place) uint64 {
	m.access(x, false)
	return m.load(x.base)
}

// concurrent executes a statement about threads.
func (m *machine) concurrent(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Yield:
	case *ir.Spawn:
		m.spawn(s)
	case *ir.Join:
		m.join(s)
	case *ir.Atomic:
		m.isolated(s)
	default:
		list, ok := m.expanded[s]
		if !ok {
			list = m.p.Expand(s)
			m.expanded[s] = list
		}
		for i, t := range list {
			m.stmt, m.part = t, int32(i)
			m.concurrent(t)
		}
		m.part = 0
	}
}

// isolated executes an atomic statement.
func (m *machine) isolated(s *ir.Atomic) {
	m.before(pending{stmt: s, guard: s.Guard, holder: s.Holder, part: m.part})
	m.atomic++
	m.stmt = s
	if s.Guard != nil {
		m.eval(s.Guard) // for its checks
	}
	m.block(s.Body)
	m.atomic--
}

// spawn starts a thread.
func (m *machine) spawn(s *ir.Spawn) {
	f := s.Proc
	args, values := m.evaluated(f, s.Args)
	m.limit(f)
	at := m.extend(m.at, s.ID, 0)
	t := &machine{
		world: m.world, at: at, vars: make([]place, len(m.vars)), active: make(map[*ir.Proc]int),
	}
	for g, n := range m.active {
		t.active[g] = n
	}
	var x place
	if s.Thread != nil {
		x = m.place(s.Thread)
	}
	m.before(pending{stmt: s})
	t.thread = m.number(m.text(at))
	copy(t.vars, m.vars) // the globals among them
	for i, v := range f.Params {
		if _, ok := v.Type.(ir.Array); ok {
			t.vars[v.ID] = args[i]
		} else {
			t.cell(t.bind(v).base).value = values[i]
		}
	}
	t.coroutine(func() {
		t.happens(&pending{})
		t.activate(f)
	})
	if s.Thread != nil {
		m.atomic++ // one event
		m.store(&x, uint64(t.thread)&mask(asScalar(x.typ)))
		m.atomic--
	}
}

// evaluated returns the values of arguments.
func (m *machine) evaluated(f *ir.Proc, list []ir.Expr) ([]place, []uint64) {
	args, values := make([]place, len(list)), make([]uint64, len(list))
	for i, e := range list {
		if _, ok := f.Params[i].Type.(ir.Array); ok {
			args[i] = m.place(e)
		} else {
			values[i] = m.operand(e)
		}
	}
	return args, values
}

// join waits for a thread, or for all.
func (m *machine) join(s *ir.Join) {
	if s.Thread == nil {
		m.before(pending{stmt: s, ready: m.alone})
		return
	}
	n, t := m.eval(s.Thread)
	if t.Signed {
		n = uint64(signed(t, n))
	}
	started := func() *machine {
		if n < uint64(len(m.threads)) {
			return m.threads[n]
		}
		return nil
	}
	locks := m.p.Checks.Has(ir.CheckLocks)
	e := pending{stmt: s, ready: func() bool {
		u := started()
		return u != nil && u.over() || (u == nil || u == m) && locks
	}}
	if u := started(); u != nil {
		e.holder = &ir.Const{Val: uint64(u.thread + 1), Typ: ir.Int{Width: 32}}
	}
	m.before(e)
	if u := started(); u == nil || u == m {
		m.violate(ir.CheckLocks, 0)
	}
}

// alone reports whether all other threads have ended.
func (m *machine) alone() bool {
	for _, t := range m.threads {
		if t != nil && t != m && !t.over() {
			return false
		}
	}
	return true
}

// hasEnded evaluates e.
func (m *machine) hasEnded(e *ir.Ended) uint64 {
	n, t := m.eval(e.Thread)
	if t.Signed {
		n = uint64(signed(t, n))
	}
	m.before(pending{stmt: m.stmt, expr: e})
	v := truth(n < uint64(len(m.threads)) && m.threads[n] != nil && m.threads[n].over())
	if k := len(m.trace.Events); k > 0 && m.trace.Events[k-1].Expr == ir.Expr(e) {
		m.trace.Events[k-1].Value = v
	}
	return v
}

// choose returns a free choice of the current statement.
func (m *machine) choose(e *ir.Any) uint64 {
	v := m.unknown(e, e.Typ)
	m.wakeups = m.wakeups || e.Wake && v == 1
	return v
}

package sequentialize

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/threads"
)

// An Encoding is the constraint set of a program with threads over all
// schedules of up to a number of rounds.
type Encoding struct {
	Form    *ssa.Form
	Threads *threads.Program

	rounds           int
	unwind           int
	loops            map[ir.LocID]int
	schedulingPoints [][]bool // by thread and event: a switch may be needed before it
	visits           []visit
	normal           []formula.Term   // of the schedules that need to be looked at
	waits            [][]formula.Term // by two threads: the first waits for the second in the end; nil if nobody does
}

// A visit is a context of a schedule: a round's part for one thread.
type visit struct {
	thread, round int
	happens       []formula.Term // by event; 0 if it can't
	before        []formula.Term // by event: it was passed before
	after         []formula.Term // likewise, after the visit
}

// A state is what is true between two visits.
type state struct {
	memory []formula.Term   // by shared cell
	past   [][]formula.Term // by thread and event: it happened, or was skipped
	alive  formula.Term     // the run goes on

	drained []formula.Term // by thread: what it wrote is in memory; nil: always
}

// Builder returns the builder of p over all schedules of up to c.Rounds rounds;
// of a program without threads, ssa.For(p). With Run it makes a Config a
// [bmc.Semantics] of all programs, for packages slice and mutate: of what else
// is in c only Strict counts, the rest they say themselves.
func (c Config) Builder(p *ir.Program) ssa.Builder {
	if !ir.Concurrent(p) {
		return ssa.For(p)
	}
	c = c.complete()
	return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
		cfg.Spurious = !c.Strict
		if cfg.Hook != nil {
			cfg.Shared = ir.Written(p)
		}
		e, err := Encode(st, p, c.Rounds, cfg)
		if err != nil {
			return nil, err
		}
		e.Form.Normal = e.normal
		return e.Form, nil
	}
}

// AllRounds reports whether c.Rounds rounds make all schedules of p within
// c.Unwind: a program without threads has one. The error is that of Encode, or
// ctx's cause.
func (c Config) AllRounds(ctx context.Context, p *ir.Program) (bool, error) {
	if !ir.Concurrent(p) {
		return true, nil
	}
	c = c.complete()
	e, err := Encode(formula.NewStore(), p, c.Rounds, ssa.Config{
		Unwind: ssa.Bound(c.Unwind), Loops: c.Loops, Flat: true, Spurious: !c.Strict,
		Stop: func() error { return context.Cause(ctx) },
	})
	return err == nil && e.MaxRounds() <= c.Rounds, err
}

// Encode translates p, which must be well-formed, over all schedules of up
// to rounds rounds. The schedule is a part of the inputs: each event has a
// choice for each round, that its thread stops before it. A run in which no
// choice is made lets each thread go as far as it can.
//
// Size and time are linear in the number of events times rounds, beyond what
// ssa.BuildThreads takes. cfg.Stop and cfg.MaxTerms hold for both steps, each
// by itself.
func Encode(st *formula.Store, p *ir.Program, rounds int, cfg ssa.Config) (*Encoding, error) {
	if rounds < 1 {
		return nil, errors.New("sequentialize: a schedule has at least one round")
	}
	form, t, err := ssa.BuildThreads(st, p, cfg)
	if err != nil {
		return nil, err
	}
	e := &Encoding{Form: form, Threads: t, rounds: rounds, unwind: cfg.Unwind + cfg.Slack, loops: cfg.Loops}
	if cfg.MaxTerms == 0 {
		cfg.MaxTerms = ssa.DefaultMaxTerms
	}
	w := &encoder{Encoding: e, Store: st, flat: cfg.Flat, reads: make(map[formula.Term]*ssa.Def), cfg: &cfg, from: st.Len()}
	if err := w.run(); err != nil {
		return nil, err
	}
	return e, nil
}

// An encoder says which write each read sees.
type encoder struct {
	*Encoding
	*formula.Store
	state
	parts [][]*block // by thread
	reads map[formula.Term]*ssa.Def
	order []*ssa.Def // the values of reads
	flat  bool       // no definitions but late ones

	later func(thread, event int) bool // its writes are not of its block; nil: none are

	cfg   *ssa.Config
	from  int // terms in the store at the start
	asked int // and when cfg.Stop was asked last
}

// poll is called for each block of events in each visit, and returns why the
// translation ends.
func (w *encoder) poll() error {
	const every = 4096
	if w.Len()-w.asked < every {
		return nil
	}
	w.asked = w.Len()
	if w.cfg.MaxTerms > 0 && w.Len()-w.from > w.cfg.MaxTerms {
		return ssa.ErrTooLarge
	}
	if w.cfg.Stop != nil {
		return w.cfg.Stop()
	}
	return nil
}

func (w *encoder) run() error {
	w.alive = w.True()
	for _, m := range w.Threads.Memory {
		w.memory = append(w.memory, m.Start)
	}
	r := newReduction(w.Threads)
	w.schedulingPoints = r.schedulingPoints()
	for i := range w.Threads.Threads {
		past := make([]formula.Term, len(w.Threads.Threads[i].Events))
		for k := range past {
			past[k] = w.False()
		}
		w.past = append(w.past, past)
		w.parts = append(w.parts, w.blocks(i, r))
	}
	w.stops(0, nil)
	for r := 1; r <= w.rounds; r++ {
		for t := range w.Threads.Threads {
			if err := w.visit(t, r); err != nil {
				return err
			}
		}
	}
	if err := w.visit(0, w.rounds+1); err != nil {
		return err
	}
	w.finish()
	return nil
}

// define gives x a name in the form.
func (w *encoder) define(name string, x formula.Term, origin ir.LocID, phi bool) formula.Term {
	if _, ok := w.Value(x); ok || w.flat || w.Op(x) == formula.OpVar {
		return x
	}
	y := w.Var(w.Width(x), name)
	w.Form.Defs = append(w.Form.Defs, ssa.Def{Name: y, Value: x, Guard: w.True(), Origin: origin, Phi: phi})
	return y
}

// visit lets thread t move in round r.
func (w *encoder) visit(t, r int) error {
	events := w.Threads.Threads[t].Events
	v := visit{thread: t, round: r, happens: make([]formula.Term, len(events))}
	before := append([]formula.Term(nil), w.past[t]...)
	w.past[t] = append([]formula.Term(nil), before...)
	v.before = before
	prev := w.True()
	for _, b := range w.parts[t] {
		if err := w.poll(); err != nil {
			return err
		}
		ev := &events[b.first]
		now := w.happens(ev, t, r, prev, before[b.first])
		past := w.define("past", w.Or(before[b.first], w.Or(w.And(prev, w.Not(ev.Guard)), now)), 0, false)
		goes := w.define("goes", w.AndN(past, w.Not(before[b.first]), w.alive), 0, false)
		for i := b.first; i < b.end; i++ {
			w.past[t][i] = past
			x := w.define("now", w.AndN(goes, events[i].Guard, events[i].OK), 0, false)
			if x == w.False() {
				continue
			}
			v.happens[i] = x
			for _, s := range events[i].Status {
				w.sees(s.Name, x, w.current(&events[i], t).Replace(s.Name))
			}
		}
		w.effect(b, goes)
		prev = past
	}
	v.after = w.past[t]
	w.visits = append(w.visits, v)
	w.stops(t, before)
	if t == 0 {
		n := len(events) - 1
		w.alive = w.And(w.alive, w.Not(w.past[0][n]))
	}
	w.alive = w.define("alive", w.alive, 0, false)
	return nil
}

// happens returns the proposition that ev happens in round r: the thread has
// passed the events before it, prev, but not this one, before.
func (w *encoder) happens(ev *threads.Event, t, r int, prev, before formula.Term) formula.Term {
	now := w.AndN(prev, w.Not(before), w.alive, ev.Guard, ev.OK)
	if now == w.False() {
		return now
	}
	if w.pauses(ev, t) {
		label := ev.Label
		label.Round = int32(r)
		stop := w.Form.Inputs.Choice(label, ir.Bool{}, "stop")
		now = w.And(now, w.Not(w.And(ev.Live, stop)))
	}
	now = w.And(now, w.enabled(ev, t))
	return w.define("now", now, 0, false)
}

// pauses reports whether thread t may stop before ev. The start of a thread
// moves left as far as it can happen.
func (w *encoder) pauses(ev *threads.Event, t int) bool {
	if ev.Live == w.False() {
		return false
	}
	return ev.Kind != threads.EventStart || slices.ContainsFunc(w.Threads.Stops, func(s threads.Stop) bool { return s.Thread == t && s.Event == 0 })
}

// enabled returns the proposition that ev, an event of thread t, can happen
// in the current state.
func (w *encoder) enabled(ev *threads.Event, t int) formula.Term {
	if ev.Kind == threads.EventStart {
		return w.started(t)
	}
	if ev.Enabled == 0 {
		return w.True()
	}
	return w.define("enabled", w.current(ev, t).Replace(ev.Enabled), ev.Loc, false)
}

// current returns what replaces the names of what ev reads by its values in
// the current state.
func (w *encoder) current(ev *threads.Event, t int) *formula.Replacer {
	values := make(map[formula.Term]formula.Term)
	for _, r := range ev.Reads {
		values[r.Name] = w.memory[r.Cell]
	}
	r := formula.NewReplacer(w.Store, func(v formula.Term) formula.Term {
		if x, ok := values[v]; ok {
			return x
		}
		return v
	})
	for _, s := range ev.Status {
		values[s.Name] = w.status(s.Kind, r.Replace(s.Thread), t)
	}
	return r
}

// status returns the fact k about thread n, which thread t asks.
func (w *encoder) status(k threads.StatusKind, n formula.Term, t int) formula.Term {
	x := w.False()
	if k == threads.AllEnded {
		x = w.True()
	}
	for u := range w.Threads.Threads {
		is := w.Eq(n, w.Const(64, uint64(u)))
		switch {
		case k == threads.HasStarted:
			x = w.Or(x, w.And(is, w.started(u)))
		case k == threads.HasEnded:
			x = w.Or(x, w.And(is, w.ended(u)))
		case u != t:
			x = w.And(x, w.Or(w.Not(w.started(u)), w.ended(u)))
		}
	}
	return x
}

// started returns the proposition that thread u was started.
func (w *encoder) started(u int) formula.Term {
	if u == 0 {
		return w.True()
	}
	t := &w.Threads.Threads[u]
	return w.And(w.past[t.Spawner][t.Spawn], w.Threads.Threads[t.Spawner].Events[t.Spawn].Guard)
}

// ended returns the proposition that thread u was started and has ended.
func (w *encoder) ended(u int) formula.Term {
	if u == 0 {
		return w.False() // it would have ended the run
	}
	past := w.past[u]
	ended := w.And(past[len(past)-1], w.Threads.Threads[u].Done)
	if w.drained != nil {
		ended = w.And(ended, w.drained[u])
	}
	return ended
}

// effect adds what b does where goes holds.
func (w *encoder) effect(b *block, goes formula.Term) {
	if goes == w.False() {
		return
	}
	for m := range w.memory {
		if name, ok := b.entry[m]; ok {
			w.sees(name, goes, w.memory[m])
		}
	}
	w.memory = append([]formula.Term(nil), w.memory...)
	for _, m := range b.cells {
		w.memory[m] = w.define(w.Threads.Memory[m].Var.Name, w.Ite(w.And(goes, b.wrote[m]), b.value[m], w.memory[m]), 0, true)
	}
}

// sees makes value the value of name where when holds.
func (w *encoder) sees(name, when, value formula.Term) {
	d := w.reads[name]
	d.When, d.Values = append(d.When, when), append(d.Values, value)
	d.Value = w.Ite(when, value, d.Value)
}

// stops ends the runs that an assumption or a cut stops in a visit of thread
// t, before which it had passed the events in before. A nil before stands
// for what the entry does before its first event.
func (w *encoder) stops(t int, before []formula.Term) {
	for _, s := range w.Threads.Stops {
		if s.Thread != t || (s.Event < 0) != (before == nil) {
			continue
		}
		when := s.When
		if s.Event >= 0 {
			when = w.AndN(when, w.past[t][s.Event], w.Not(before[s.Event]))
		}
		w.alive = w.And(w.alive, w.Not(when))
	}
}

// finish adds the definitions of the events' names, and the claims about the
// state at the end.
func (w *encoder) finish() {
	for t := range w.Threads.Threads {
		for i := range w.Threads.Threads[t].Events {
			w.Form.Defs = append(w.Form.Defs, ssa.Def{
				Name: w.Threads.Threads[t].Events[i].Passed, Value: w.past[t][i], Guard: w.True(),
			})
		}
	}
	w.conflicts()
	w.normalize()
	for _, d := range w.order {
		w.Form.Defs = append(w.Form.Defs, *d)
	}
	for i := range w.Form.Assumes { // their order in time depends on the schedule
		w.Form.Assumes[i].Claims = len(w.Form.Claims)
	}
}

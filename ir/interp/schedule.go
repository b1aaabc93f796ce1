package interp

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// Schedules: which thread does the next event, and what a run was scheduled
// like.

// Label names the event by its place: no other of its run has the name, and in
// a changed program the event of the same place has it.
func (e *Event) Label() ir.Choice {
	l := ir.Choice{At: -1, Path: e.Path}
	if e.Stmt == nil {
		return l
	}
	l.At, l.Elem = e.Stmt.Key(), e.part
	if e.Var != nil {
		l.Var = e.Var.ID
	}
	if e.Expr != nil {
		l.Nth, l.Elem = ir.ReadOf(e.Stmt, e.Expr)
	}
	if e.Drain {
		l.Elem, l.Round = int32(e.Elem), ir.Drain
	}
	return l
}

// Schedule returns the schedule of the run, which Config.Schedule plays. That
// of a run with NoSteps has no turns.
func (t *Trace) Schedule() *ir.Schedule {
	s := &ir.Schedule{Threads: t.Threads}
	last := make(map[int]int) // by thread: its last turn
	for i := range t.Events {
		e := &t.Events[i]
		from := e.Label()
		if e.Drain {
			s.Turns = append(s.Turns, ir.Turn{Thread: e.Thread, From: from})
			continue
		}
		if n := len(s.Turns) - 1; n >= 0 && s.Turns[n].Thread == e.Thread && !s.Turns[n].Drains() {
			continue
		}
		if n, ok := last[e.Thread]; ok {
			s.Turns[n].Until = from
		}
		last[e.Thread] = len(s.Turns)
		s.Turns = append(s.Turns, ir.Turn{Thread: e.Thread, From: from})
	}
	for i := range t.ahead {
		if n, ok := last[t.ahead[i].Thread]; ok {
			s.Turns[n].Until = t.ahead[i].Label()
		}
	}
	return s
}

// next returns the thread that moves.
func (w *world) next(can []int, last int, drains []drain) int {
	if w.cfg.Scheduler != nil {
		return w.cfg.Scheduler(can, func(i int) Event {
			if i < 0 {
				return w.drained(drains[-1-i])
			}
			return w.threads[i].ahead()
		})
	}
	if i, ok := w.turn(can, drains); ok {
		return i
	}
	if len(drains) > 0 {
		return -1
	}
	for _, i := range can {
		if i >= last {
			return i
		}
	}
	return can[0]
}

// turn returns the thread whose turn it is, if the schedule says that.
func (w *world) turn(can []int, drains []drain) (int, bool) {
	s := w.cfg.Schedule
	if s == nil {
		return 0, false
	}
	for ; w.turns < len(s.Turns); w.turns++ {
		switch t := &s.Turns[w.turns]; {
		case t.Drains():
			i := slices.IndexFunc(drains, func(d drain) bool {
				e := w.drained(d)
				return d.thread == t.Thread && e.Label() == t.From
			})
			if i >= 0 {
				w.turns++
				return -1 - i, true
			}
		case !slices.Contains(can, t.Thread):
		case t.Until == ir.Choice{}:
			return t.Thread, true
		default:
			if e := w.threads[t.Thread].ahead(); e.Label() != t.Until {
				return t.Thread, true
			}
		}
	}
	return 0, false
}

// ahead returns the event that t does next.
func (t *machine) ahead() Event {
	e := &t.event
	return Event{
		Thread: t.thread, Stmt: e.stmt, Path: t.text(t.at), Var: e.v, Elem: t.elem(), Write: e.write, Expr: e.expr, part: e.part,
	}
}

// number returns the number of the thread whose statements are on path at.
func (w *world) number(at ir.Path) int {
	if n := slices.Index(w.trace.Threads, at); n > 0 {
		return n
	}
	w.trace.Threads = append(w.trace.Threads, at)
	return len(w.trace.Threads) - 1
}

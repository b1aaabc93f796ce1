package replay

import (
	"maps"
	"regexp"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// This file turns events into points and entries.

// A group is what one statement, or one operation, does in the source: its events
// in all its executions.
type group struct {
	at     ir.Span
	reads  []ir.Span
	own    bool       // it reads what has no text of its own
	steps  []ir.LocID // of what is no read, in their order
	writes bool       // one of them writes a variable
	spawns bool
	first  bool // its first step does not wait
	split  bool // another thread moves between events of an execution

	apart bool // its events have a point each
	blind bool // its own read has none
}

var signalling = regexp.MustCompile(`\.Signal\(\)$`)

func signals(text string) bool { return signalling.MatchString(text) }

// statement returns the source of what does e.
func (w *writer) statement(e *interp.Event) ir.Span {
	if e.Stmt == nil {
		return ir.Span{}
	}
	return w.names.Place(e.Stmt, e.Path)
}

// same reports whether b is an event of the same execution of a statement as a.
func (w *writer) same(a, b *interp.Event) bool {
	return a.Thread == b.Thread && a.Path == b.Path && a.Stmt != nil && b.Stmt != nil && w.statement(a) == w.statement(b)
}

// collect makes the groups of the run, and of the events that come next.
func (w *writer) collect() {
	latest := map[int]int{} // by thread
	for i := range w.t.Events {
		e := &w.t.Events[i]
		before, ok := latest[e.Thread]
		w.note(e, ok && before != i-1 && w.same(&w.t.Events[before], e))
		latest[e.Thread] = i
	}
	for thread, e := range w.next() {
		before, ok := latest[thread]
		w.note(e, ok && w.same(&w.t.Events[before], e))
	}
}

func (w *writer) note(e *interp.Event, split bool) {
	if e.Stmt == nil {
		return
	}
	at := w.statement(e)
	g := w.groups[at]
	if g == nil {
		g = &group{at: at}
		w.groups[at] = g
	}
	g.split = g.split || split
	switch s := e.Stmt.(type) {
	case *ir.Spawn:
		g.spawns = true
		return
	case *ir.Atomic:
		if len(g.steps) == 0 {
			g.first = s.Guard == nil
		}
	}
	switch {
	case w.isRead(e, at):
		if !slices.Contains(g.reads, e.Expr.Span()) {
			g.reads = append(g.reads, e.Expr.Span())
		}
	case e.Expr != nil && !e.Write:
		g.own = true
	default:
		g.writes = g.writes || e.Write
		if !slices.Contains(g.steps, e.Stmt.Key()) {
			g.steps = append(g.steps, e.Stmt.Key())
		}
	}
}

// isRead reports whether e is the read of something that has a text.
func (w *writer) isRead(e *interp.Event, at ir.Span) bool {
	return e.Expr != nil && !e.Write && !e.Expr.Span().IsZero() && within(e.Expr.Span(), at)
}

func within(a, b ir.Span) bool { return a.File == b.File && b.Start <= a.Start && a.End <= b.End }

// pointOf returns the number of e's point, or -1 for none.
func (w *writer) pointOf(e *interp.Event) int {
	at := w.statement(e)
	g := w.groups[at]
	_, spawn := e.Stmt.(*ir.Spawn)
	switch {
	case g.spawns && !spawn && e.Thread > 0 && e.Path == w.t.Threads[e.Thread]:
		return w.at(point{at, ends})
	case g.spawns:
		return w.at(point{at, begins})
	case !g.apart:
		return w.at(point{at, whole})
	case w.isRead(e, at):
		return w.at(point{e.Expr.Span(), own})
	case e.Expr != nil && !e.Write:
		if g.blind {
			return -1
		}
		return w.at(point{at, own})
	case g.writes:
		return w.at(point{at, whole})
	}
	return w.at(g.step(slices.Index(g.steps, e.Stmt.Key())))
}

// step is the point of step i.
func (g *group) step(i int) point { return point{g.at, own + 1 + step(i)} }

// run makes the entries, and notes where threads would go on.
func (w *writer) run() {
	last := -1 // the index of the last event that has an entry
	type key struct {
		thread, point int
		path          ir.Path
	}
	seen := map[key]int{}
	for i := range w.t.Events {
		e := &w.t.Events[i]
		if e.Stmt == nil {
			if e.Thread != 0 {
				w.entries = append(w.entries, entry{e.Thread, threadBegins})
			}
			last = -1
			continue
		}
		n := w.pointOf(e)
		if n < 0 {
			continue
		}
		if last >= 0 && w.same(&w.t.Events[last], e) && w.entries[len(w.entries)-1].point == n {
			last = i
			continue
		}
		last = i
		w.entries = append(w.entries, entry{e.Thread, n})
		if k := (key{e.Thread, n, e.Path}); seen[k] > 0 && seen[k] < len(w.entries)-1 && w.sameExecution(i) {
			w.takenApart(e)
		} else {
			seen[k] = len(w.entries)
		}
	}
	w.goesOn()
}

// latest returns the last event of a thread, or nil.
func (w *writer) latest(thread int) *interp.Event {
	for i := len(w.t.Events) - 1; i >= 0; i-- {
		if e := &w.t.Events[i]; e.Thread == thread {
			return e
		}
	}
	return nil
}

func (w *writer) takenApart(e *interp.Event) {
	unsupported(w.statement(e), "write it as several statements", "a switch inside a statement about several numbers")
}

// sameExecution reports whether the thread of event i was in the same execution
// of its statement in its event before.
func (w *writer) sameExecution(i int) bool {
	for k := i - 1; k >= 0; k-- {
		if w.t.Events[k].Thread == w.t.Events[i].Thread {
			return w.same(&w.t.Events[k], &w.t.Events[i])
		}
	}
	return false
}

// next returns by thread the events that would have come next. Those of
// threads that had none are not among them.
func (w *writer) next() map[int]*interp.Event {
	out := map[int]*interp.Event{}
	s := w.t.Schedule()
	for i := range s.Turns {
		turn := &s.Turns[i]
		switch until := turn.Until; {
		case until == ir.Choice{}, turn.Thread == w.t.Thread && w.t.Failed != nil && len(w.t.Next) == 0:
			delete(out, turn.Thread)
		case until.At < 0:
			out[turn.Thread] = &interp.Event{Thread: turn.Thread, Path: until.Path}
		default:
			out[turn.Thread] = w.event(turn.Thread, until)
		}
	}
	for i := range w.t.Next {
		e := &w.t.Next[i]
		out[e.Thread] = e
	}
	return out
}

// event returns the event of a thread that has the label l.
func (w *writer) event(thread int, l ir.Choice) *interp.Event {
	e := &interp.Event{Thread: thread, Stmt: w.names.Stmt(l.At), Path: l.Path}
	ir.EachExpr(e.Stmt, func(x *ir.Expr) {
		if nth, before := ir.ReadOf(e.Stmt, *x); l.Nth != 0 && nth == l.Nth && before == l.Elem {
			e.Expr = *x
		}
	})
	return e
}

// goesOn notes where threads would go on: at their start if they never moved.
func (w *writer) goesOn() {
	for thread := 1; thread < len(w.t.Threads); thread++ {
		if !slices.Contains(w.entries, entry{thread, threadBegins}) {
			w.pending[thread] = threadBegins
		}
	}
	next := w.next()
	for _, thread := range slices.Sorted(maps.Keys(next)) {
		e := next[thread]
		switch {
		case e.Stmt != nil:
			n := w.pointOf(e)
			if before := w.latest(thread); before != nil && before.Stmt != nil && w.same(before, e) && n >= 0 && w.pointOf(before) == n {
				w.takenApart(e)
			}
			w.pending[thread] = n
		case thread == 0:
			w.pending[0] = entryEnds
		default:
			w.pending[thread] = threadBegins
		}
	}
}

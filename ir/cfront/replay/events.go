package replay

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// This file turns events into points and entries.

// A group is what one statement, or one operation of threads, does in the
// source: its events in all its executions.
type group struct {
	at    ir.Span
	reads map[ir.Span]bool
	own   bool   // it reads what has no text of its own, as an operator before = does
	steps []step // of what is no read of the text, in their order
	split bool   // another thread moves between events of an execution
}

// events makes the entries of the run, and the edits for their points.
func (w *writer) events() {
	groups := w.groups()
	whole := make(map[ir.Span]bool) // groups with one point
	for _, at := range slices.SortedFunc(maps.Keys(groups), bySpan) {
		whole[at] = w.edit(groups[at])
	}
	last := -1 // the index of the last event that has an entry
	passed := make(map[int]*passage)
	for i := range w.t.Events {
		e := &w.t.Events[i]
		if at := w.statement(e); e.Stmt != nil && !w.inner(e) {
			w.pass(passed, e, w.pointOf(e, whole[at]), last)
		}
		switch at := w.statement(e); {
		case e.Stmt == nil && e.Thread == 0 || w.inner(e):
		case e.Stmt == nil:
			w.entries = append(w.entries, entry{e.Thread, begins, len(w.entries)})
			last = -1
		case last >= 0 && w.same(&w.t.Events[last], e) && w.pointOf(&w.t.Events[last], whole[at]) == w.pointOf(e, whole[at]):
		default:
			from := len(w.entries)
			if last >= 0 && e.Expr != nil && w.same(&w.t.Events[last], e) {
				from = w.entries[from-1].from
			}
			last = i
			w.entries = append(w.entries, entry{e.Thread, w.pointOf(e, whole[at]), from})
		}
	}
	w.goesOn(whole, passed)
}

// A passage is what one thread has passed in one execution of a statement.
type passage struct {
	event  *interp.Event // the last
	points []int         // in order
}

// pass refuses a run that comes to one point of an execution a second time, with
// something else in between: a copy of a struct is one statement of the source,
// and an event for each member.
func (w *writer) pass(passed map[int]*passage, e *interp.Event, point, last int) {
	x := passed[e.Thread]
	if x == nil || !w.same(x.event, e) {
		passed[e.Thread] = &passage{event: e, points: []int{point}}
		return
	}
	if i := slices.Index(x.points, point); i >= 0 {
		if i != len(x.points)-1 || last < 0 || w.t.Events[last].Thread != e.Thread {
			w.takenApart(e)
		}
	} else {
		x.points = append(x.points, point)
	}
	x.event = e
}

func (w *writer) takenApart(e *interp.Event) {
	unsupported(w.statement(e), "copy the members one by one", "a switch inside a copy of several members")
}

func bySpan(a, b ir.Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) }

// same reports whether b is an event of the same execution of a statement as a.
func (w *writer) same(a, b *interp.Event) bool {
	return a.Thread == b.Thread && a.Path == b.Path && a.Stmt != nil && b.Stmt != nil && w.statement(a) == w.statement(b)
}

// inner reports whether e is nothing that the source does: new memory has
// contents, and a thread a result, that are written.
func (w *writer) inner(e *interp.Event) bool {
	if e.Stmt == nil {
		return false
	}
	switch e.Stmt.(type) {
	case *ir.Spawn, *ir.Join:
		return false
	}
	text := w.p.Text(w.statement(e))
	switch word.FindString(text) {
	case "pthread_create", "pthread_join":
		return e.Expr == nil || !within(e.Expr.Span(), w.statement(e)) || e.Expr.Span() == w.statement(e)
	}
	made, _, heap := strings.Cut(variable(e), ".")
	return e.Write && heap && regexp.MustCompile(`\b`+regexp.QuoteMeta(made)+`\s*\(`).MatchString(text)
}

// variable returns the name of the variable that e accesses.
func variable(e *interp.Event) string {
	if e.Var == nil {
		return ""
	}
	return e.Var.Name
}

func within(a, b ir.Span) bool { return a.File == b.File && b.Start <= a.Start && a.End <= b.End }

// groups collects what the statements of the run do, and those that come next.
func (w *writer) groups() map[ir.Span]*group {
	out := make(map[ir.Span]*group)
	latest := make(map[int]int) // by thread
	add := func(e *interp.Event, split func(g *group) bool) {
		if e.Stmt == nil || w.inner(e) {
			return
		}
		at := w.statement(e)
		g := out[at]
		if g == nil {
			g = &group{at: at, reads: make(map[ir.Span]bool)}
			out[at] = g
		}
		if e.Expr != nil && !e.Expr.Span().IsZero() {
			g.reads[e.Expr.Span()] = true
		} else if s := stepOf(e); !slices.Contains(g.steps, s) {
			g.own = g.own || e.Expr != nil
			g.steps = append(g.steps, s)
		}
		g.split = g.split || split(g)
	}
	for i := range w.t.Events {
		e := &w.t.Events[i]
		add(e, func(g *group) bool {
			before, ok := latest[e.Thread]
			return ok && before != i-1 && w.same(&w.t.Events[before], e)
		})
		latest[e.Thread] = i
	}
	for thread, e := range w.next() {
		add(e, func(g *group) bool {
			before, ok := latest[thread]
			return ok && w.same(&w.t.Events[before], e)
		})
	}
	return out
}

// stepOf returns which step of its statement e is, that is no read.
func stepOf(e *interp.Event) step {
	if e.Expr != nil {
		return ownRead
	}
	return step{e.Stmt.Key(), e.Label().Elem}
}

// ownRead is the read of an operator before =.
var ownRead = step{key: -1}

// statement returns the source of what does e.
func (w *writer) statement(e *interp.Event) ir.Span {
	if e.Stmt == nil {
		return ir.Span{}
	}
	return w.names.Place(e.Stmt, e.Path)
}

// editable returns at, which must be in the source and not a macro's text.
func (w *writer) editable(at ir.Span) ir.Span {
	switch {
	case at.File != w.file.Name:
		unsupported(at, "", "a failing run as a program, with an event outside %s", w.file.Name)
	case w.macro(at):
		unsupported(at, "write it out", "a failing run as a program, with an event in a macro")
	}
	return at
}

// macro reports whether at is the call of a macro that the source defines, or
// in the definition of one.
func (w *writer) macro(at ir.Span) bool {
	name := word.FindString(w.p.Text(at))
	if name != "" && regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+`+name+`\(`).Match(w.file.Content) {
		return true
	}
	line := w.file.Content[:at.Start]
	for {
		i := strings.LastIndexByte(string(line), '\n')
		if i < 1 || line[i-1] != '\\' {
			return strings.HasPrefix(strings.TrimSpace(string(line[i+1:])), "#")
		}
		line = line[:i]
	}
}

var word = regexp.MustCompile(`^[A-Za-z_]\w*`)

// pointOf returns the number of e's point, in a group with one or with more.
func (w *writer) pointOf(e *interp.Event, whole bool) int {
	switch at := w.statement(e); {
	case whole:
		return w.at(point{at: at})
	case e.Expr != nil && !e.Expr.Span().IsZero():
		return w.at(point{at: e.Expr.Span()})
	case e.Expr != nil && w.reads[at] != point{}:
		return w.at(w.reads[at])
	case w.apart[at]:
		return w.at(point{at, stepOf(e)})
	default:
		return w.at(point{at: at})
	}
}

// next returns by thread the events that would have come next. Those of
// threads that had none are not among them.
func (w *writer) next() map[int]*interp.Event {
	out := make(map[int]*interp.Event)
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
	return out
}

// event returns the event of a thread that has the label l.
func (w *writer) event(thread int, l ir.Choice) *interp.Event {
	for i := range w.t.Next {
		if e := &w.t.Next[i]; e.Thread == thread {
			return e
		}
	}
	e := &interp.Event{Thread: thread, Stmt: w.names.Stmt(l.At), Path: l.Path}
	ir.EachExpr(e.Stmt, func(x *ir.Expr) {
		if nth, before := ir.ReadOf(e.Stmt, *x); l.Nth != 0 && nth == l.Nth && before == l.Elem {
			e.Expr = *x
		}
	})
	return e
}

// goesOn notes where threads would go on: at their start if they never moved.
func (w *writer) goesOn(whole map[ir.Span]bool, passed map[int]*passage) {
	for thread := 1; thread < len(w.t.Threads); thread++ {
		if !slices.ContainsFunc(w.entries, func(e entry) bool { return e.thread == thread && e.point == begins }) {
			w.pending[thread] = begins
		}
	}
	next := w.next()
	for _, thread := range slices.Sorted(maps.Keys(next)) {
		e := next[thread]
		switch {
		case e.Stmt != nil:
			n := w.pointOf(e, whole[w.statement(e)])
			if x := passed[thread]; x != nil && w.same(x.event, e) && slices.Contains(x.points, n) {
				w.takenApart(e)
			}
			w.pending[thread] = n
		case thread == 0:
			w.pending[0] = ends
		default:
			w.pending[thread] = begins
		}
	}
}

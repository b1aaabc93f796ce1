package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// A Step is something that a run did which the source says: a value that it
// stored, a condition that it asked, or, with threads, what a thread did to
// shared memory and locks.
type Step struct {
	Thread int // 0 is the entry
	Depth  int // of calls and executions of loop bodies
	At     ir.Span
	Name   string // the source of what is stored, read or asked; or of the statement
	Value  string // "" if nothing has a value
	Kind   StepKind
	Held   []string // the locks that Thread holds then, in the order in which it took them
}

// StepKind says what a step does.
type StepKind uint8

const (
	Stores StepKind = iota
	Asks            // a condition
	Reads           // shared memory
	Acts            // on locks and threads
	Waits           // for what never comes: the last step of its thread
	Fails           // the last step of a run
)

var stepKinds = [...]string{"stores", "asks", "reads", "acts", "waits", "fails"}

func (k StepKind) String() string { return stepKinds[k] }

// RunOf returns what the run t of p did, step by step, and at last where it
// failed. Of a run with threads it has what happened from the first thread's
// start on; of the library's own code it has nothing. It takes time linear in
// the run.
func RunOf(p *ir.Program, names *ir.Names, t *interp.Trace) []Step {
	w := &walk{p: p, names: names, held: make(map[int][]string)}
	if len(t.Events) > 0 {
		w.events(t)
	} else {
		for i := range t.Steps {
			w.step(&t.Steps[i])
		}
	}
	if t.Failed != nil && !w.waits(t.Thread) {
		at := names.Place(t.Failed, t.Path)
		w.add(Step{Thread: t.Thread, Depth: t.Path.Depth(), At: at, Name: w.text(at), Kind: Fails})
	}
	return w.steps
}

// A walk goes along a run.
type walk struct {
	p     *ir.Program
	names *ir.Names
	held  map[int][]string
	steps []Step
}

// waits reports whether the last step of thread is that it waits for ever.
func (w *walk) waits(thread int) bool {
	return slices.ContainsFunc(w.steps, func(s Step) bool { return s.Thread == thread && s.Kind == Waits })
}

// add notes s, if its source is in the program's files.
func (w *walk) add(s Step) {
	if s.At.IsZero() || w.p.File(s.At.File) == nil {
		return
	}
	s.Held = w.held[s.Thread]
	w.steps = append(w.steps, s)
}

func (w *walk) step(s *interp.Step) {
	stmt := w.names.Stmt(s.At)
	if stmt == nil {
		return
	}
	out := Step{Thread: s.Thread, Depth: s.Path.Depth(), At: stmt.Span()}
	switch stmt := stmt.(type) {
	case *ir.Assign:
		out.name(w, stmt.LHS, s.Value)
	case *ir.Havoc:
		out.name(w, stmt.LHS, s.Value)
	case *ir.If:
		out.ask(w, stmt.Cond, s.Value)
	case *ir.Loop:
		out.ask(w, stmt.Cond, s.Value)
	case *ir.Return:
		if len(stmt.Values) == 1 {
			out.Name, out.Value = "result", ir.FormatValue(stmt.Values[0].Type(), s.Value)
		}
	case *ir.Call:
		if len(stmt.Results) == 1 && stmt.Results[0] != nil {
			out.name(w, stmt.Results[0], s.Value)
			if out.Name == "" {
				out.Name, out.Value = w.text(out.At), ir.FormatValue(stmt.Results[0].Type(), s.Value)
			}
		}
	}
	if out.Name != "" {
		w.add(out)
	}
}

// name says that s stores v in lhs. What the front end made for itself has no
// name that the source knows.
func (s *Step) name(w *walk, lhs ir.Expr, v uint64) {
	name := w.text(lhs.Span())
	if u, ok := lhs.(*ir.Use); ok && name == "" && !u.Var.Span.IsZero() {
		name = u.Var.Name
	}
	if _, ok := lhs.Type().(ir.Array); name == "" || ok {
		return
	}
	s.Name, s.Value = name, ir.FormatValue(lhs.Type(), v)
}

func (s *Step) ask(w *walk, cond ir.Expr, v uint64) {
	s.Kind = Asks
	if cond == nil {
		return
	}
	s.Name, s.Value = w.text(s.At), "false"
	if v != 0 {
		s.Value = "true"
	}
}

// text returns the source at s on one line.
func (w *walk) text(s ir.Span) string {
	if s.IsZero() || w.p.File(s.File) == nil {
		return ""
	}
	return strings.Join(strings.Fields(w.p.Text(s)), " ")
}

// events goes along a run with threads.
func (w *walk) events(t *interp.Trace) {
	happened := t.Events
	if n := len(happened) - 1; w.failed(&happened[n], t) {
		happened = happened[:n]
	}
	for i := range happened {
		w.event(&happened[i], Acts)
	}
	for i := range t.Next {
		if e := &t.Next[i]; e.Waits {
			w.event(e, Waits)
		}
	}
}

// failed reports whether e, the last event, is what failed.
func (w *walk) failed(e *interp.Event, t *interp.Trace) bool {
	return t.Failed != nil && e.Stmt != nil && e.Thread == t.Thread && e.Var == nil &&
		w.names.Place(e.Stmt, e.Path) == w.names.Place(t.Failed, t.Path)
}

func (w *walk) event(e *interp.Event, kind StepKind) {
	if e.Stmt == nil {
		return
	}
	at := w.names.Place(e.Stmt, e.Path)
	s := Step{Thread: e.Thread, Depth: e.Path.Depth(), At: at, Name: w.text(at), Kind: kind}
	if kind == Acts && e.Var != nil {
		s.access(e)
	}
	if kind == Acts {
		w.locks(e.Thread, w.names.Stmt(e.Stmt.Key()))
	}
	w.add(s)
}

// access says what e does to shared memory.
func (s *Step) access(e *interp.Event) {
	elem, n := ir.Scalar(e.Var.Type)
	s.Name, s.Kind = e.Var.Name, Reads
	if n > 1 {
		s.Name += "[" + strconv.Itoa(e.Elem) + "]"
	}
	if e.Write {
		s.Kind = Stores
	}
	if e.Drain {
		s.Name += " in memory"
	}
	s.Value = ir.FormatValue(elem, e.Value)
}

// locks keeps account of what thread holds. Waiting has two events: the
// mutex is freed, and taken again; of a lock that is only tried the outcome
// isn't known here.
func (w *walk) locks(thread int, s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Lock:
		if !s.Try {
			w.take(thread, w.mutex(s.Mutex))
		}
	case *ir.Unlock:
		w.drop(thread, w.mutex(s.Mutex))
	case *ir.Wait:
		if m := w.mutex(s.Mutex); !w.drop(thread, m) {
			w.take(thread, m)
		}
	}
}

// mutex returns what a mutex is called.
func (w *walk) mutex(e ir.Expr) string {
	if s := w.text(e.Span()); s != "" {
		return strings.TrimPrefix(s, "&")
	}
	if u, ok := e.(*ir.Use); ok {
		return u.Var.Name
	}
	return "a mutex"
}

func (w *walk) take(thread int, m string) {
	held := w.held[thread]
	w.held[thread] = append(held[:len(held):len(held)], m)
}

func (w *walk) drop(thread int, m string) bool {
	for i, x := range w.held[thread] {
		if x == m {
			held := w.held[thread]
			w.held[thread] = append(append([]string(nil), held[:i]...), held[i+1:]...)
			return true
		}
	}
	return false
}

// Package replay writes a failing run of a Go program with goroutines as one
// Go test file, which fails in every run of go test.
//
// The file holds the source of the package, with the schedule of the run
// enforced: each event of the run, an access to shared memory or an operation of
// packages sync and sync/atomic or on channels, becomes a point in the text, where
// a goroutine waits for its turn. Between two events a goroutine runs by itself: all
// that others can see are events. Line directives name the source.
//
// What the run failed of is what makes the test fail: an assertion or a panic by
// itself; what Go need not notice, as a data race, and a deadlock by a panic that
// says so, one second after the last event. One process plays the run once:
// go test -count=2 passes the second time.
package replay

import (
	"fmt"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// File returns the test file for the run t of p, a program of the package gofront
// that calls the function called test, of a _test.go file, or without parameters.
// What can't be written is an *ir.UnsupportedError: tests of a package p_test,
// events outside of the package, select statements, accesses that the schedule
// separates in what can't be taken apart, and inputs.
func File(p *ir.Program, t *interp.Trace, test ir.Span) (text []byte, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *ir.UnsupportedError:
			err = r
		default:
			panic(r)
		}
	}()
	w := &writer{
		p: p, t: t, names: ir.NewNames(p), number: map[point]int{}, pending: map[int]int{}, groups: map[ir.Span]*group{},
	}
	w.parse(test)
	w.collect()
	w.edit()
	w.inputs()
	w.run()
	return w.text(), nil
}

// A writer writes one file.
type writer struct {
	p     *ir.Program
	t     *interp.Trace
	names *ir.Names
	files []*file
	test  string // the function that the run calls

	groups  map[ir.Span]*group
	number  map[point]int // of points, from first
	entries []entry       // the run
	pending map[int]int   // by thread: the point where it would go on
}

// A point is a place in the text where a goroutine waits for its turn: at a
// read, or at one of the steps of a statement.
type point struct {
	at   ir.Span
	step step
}

// A step is one of several events of a statement.
type step int

// Steps. Others count from own+1 on in the order of the run.
const (
	whole  step = iota
	begins      // a call that starts a goroutine
	ends        // the last event of a goroutine that WaitGroup.Go started
	own         // the read of an operand that has no text of its own
)

// Points of each thread that are in none of its statements.
const (
	threadBegins = iota
	entryEnds
	first
)

// An entry is an event of the run.
type entry struct{ thread, point int }

func unsupported(at ir.Span, hint, format string, args ...any) {
	panic(&ir.UnsupportedError{Span: at, Construct: fmt.Sprintf(format, args...) + ", in a failing run as a test", Hint: hint})
}

// at returns the number of a point.
func (w *writer) at(p point) int {
	n, ok := w.number[p]
	if !ok {
		n = first + len(w.number)
		w.number[p] = n
	}
	return n
}

// inputs refuses runs with inputs, but for the choices among goroutines.
func (w *writer) inputs() {
	for i := range w.t.Inputs {
		in := &w.t.Inputs[i]
		at := w.names.Source(in.Choice)
		if in.Used && !signals(w.p.Text(at)) {
			unsupported(at, "", "the input %s", w.names.Label(in.Choice))
		}
	}
}

// failure says what the run failed of.
func (w *writer) failure() string {
	text := ""
	for i := range w.t.Next {
		if e := &w.t.Next[i]; e.Stmt != nil {
			at := w.names.Place(e.Stmt, e.Path)
			text += fmt.Sprintf(", goroutine %d at %s:%d", e.Thread, at.File, at.Line)
		}
	}
	if text == "" && w.t.Failed != nil {
		at := w.names.Place(w.t.Failed, w.t.Path)
		text = fmt.Sprintf(", goroutine %d at %s:%d", w.t.Thread, at.File, at.Line)
	}
	return "the run fails: " + w.t.Kind.String() + text
}

// children returns who starts which thread, in the order in which they do.
func (w *writer) children() [][2]int {
	var out [][2]int
	for i := range w.t.Events {
		e := &w.t.Events[i]
		if s, ok := e.Stmt.(*ir.Spawn); ok {
			if child := slices.Index(w.t.Threads, e.Path.Call(s.Key())); child > 0 {
				out = append(out, [2]int{e.Thread, child})
			}
		}
	}
	return out
}

// Package replay writes a failing run of a C program with threads as a C program:
// the source with its schedule and inputs fixed, which fails in every run, also
// under a debugger.
//
// Each event of the run, an access to shared memory or an operation of a thread
// on others, becomes a point in the text, where a thread waits for its turn.
// Between two events a thread runs by itself: all that others can see are
// events. Inputs are values of the run. Lines stay where they are, and a #line
// directive names the source, so that a debugger shows it as it was written.
// The text is GNU C: statement expressions, __typeof__, __auto_type.
//
// What the run failed of is what ends the program: an assertion by itself, the
// violation of a check (which C need not notice) by a message and abort, and a
// deadlock by SIGALRM after two seconds, in which a debugger can look at the
// threads that wait for each other.
package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// Program returns the program of the run t of p, whose source is one C file (.c or
// .i) and files that it includes, in which nothing happens. It takes time linear in the run and the
// text. What can't be written is an *ir.UnsupportedError: several source files,
// events inside macros, accesses that the schedule separates in an
// expression that can't be taken apart, uninitialized variables that matter.
//
// Of a run without threads only the inputs are fixed.
func Program(p *ir.Program, t *interp.Trace) (text []byte, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *ir.UnsupportedError:
			err = r
		default:
			panic(r)
		}
	}()
	w := newWriter(p, t)
	w.failure()
	w.events()
	w.order()
	w.inputs()
	return w.program(), nil
}

// A writer writes one program.
type writer struct {
	p     *ir.Program
	t     *interp.Trace
	file  *ir.File
	names *ir.Names

	number  map[point]int     // of points, from first
	entries []entry           // the run
	pending map[int]int       // by thread: the point where it would go on
	apart   map[ir.Span]bool  // statements whose steps have a point each
	reads   map[ir.Span]point // the points of the own reads of assignments
	values  []value
	fails   string // the message where the last event of the thread that fails is the end
	edits   []edit
}

// A point is a place in the text where a thread waits for its turn.
type point struct {
	at ir.Span // of what is read, or of the statement
	by step
}

// A step is one of several events that a statement does by itself, or a
// function of the library for it.
type step struct {
	key  ir.LocID
	part int32
}

// Points of each thread that are in none of its statements.
const (
	begins = iota
	ends   // of the entry
	first
)

// An entry is an event of the run. From is the index of the first of the entries
// before it that it may change places with: what one statement reads with no
// other thread between.
type entry struct{ thread, point, from int }

func newWriter(p *ir.Program, t *interp.Trace) *writer {
	return &writer{
		p: p, t: t, file: source(p), names: ir.NewNames(p),
		number: make(map[point]int), pending: make(map[int]int), apart: make(map[ir.Span]bool), reads: make(map[ir.Span]point),
	}
}

// unsupported ends the writing.
func unsupported(at ir.Span, hint, format string, args ...any) {
	panic(&ir.UnsupportedError{Span: at, Construct: fmt.Sprintf(format, args...), Hint: hint})
}

// source returns the C file of p.
func source(p *ir.Program) *ir.File {
	var files []*ir.File
	for _, f := range p.Files {
		if strings.HasSuffix(f.Name, ".c") || strings.HasSuffix(f.Name, ".i") {
			files = append(files, f)
		}
	}
	switch len(files) {
	case 0:
		unsupported(ir.Span{}, "", "a failing run as a C program, of what is not C")
	case 1:
	default:
		unsupported(ir.Span{}, "make it one", "a failing run as a program, of %d source files", len(files))
	}
	return files[0]
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

// An edit replaces a part of the source. Two are nested or disjoint. Its text
// can hold parts of what it replaces, with the edits inside them.
type edit struct {
	at   ir.Span
	text func(inner func(start, end int) string) string
}

// before makes the expression at, or the statement, follow a call.
func (w *writer) before(at ir.Span, call string) {
	w.replace(at, func(inner func(int, int) string) string {
		text := inner(at.Start, at.End)
		if strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}") {
			return call + "; " + text
		}
		return "(" + call + ", " + text + ")"
	})
}

// replace replaces the text at, which must be in the source and not in a macro.
func (w *writer) replace(at ir.Span, text func(inner func(start, end int) string) string) {
	w.edits = append(w.edits, edit{w.editable(at), text})
}

// render returns the source from start to end, with the edits in it of those
// from the n-th on.
func (w *writer) render(start, end, n int) string {
	var b strings.Builder
	for ; n < len(w.edits); n++ {
		e := &w.edits[n]
		if e.at.Start < start || e.at.End > end {
			continue
		}
		b.Write(w.file.Content[start:e.at.Start])
		b.WriteString(e.text(func(s, t int) string { return w.render(s, t, n+1) }))
		start = e.at.End
	}
	b.Write(w.file.Content[start:end])
	return b.String()
}

// sortEdits puts edits in their order in the text, and outer ones before those
// inside them.
func (w *writer) sortEdits() {
	slices.SortStableFunc(w.edits, func(a, b edit) int {
		if a.at.Start != b.at.Start {
			return a.at.Start - b.at.Start
		}
		return b.at.End - a.at.End
	})
}

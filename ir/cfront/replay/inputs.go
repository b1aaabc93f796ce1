package replay

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file fixes what the run chose.

// A value is what a call returns that the source makes of an input.
type value struct {
	thread, call int
	bits         uint64
}

// asks matches the calls whose results are inputs.
var asks = regexp.MustCompile(`^(?:\w*nondet\w*|rand|random|lrand48)\s*\(\s*\)$`)

// synchronizes matches the calls that choose among threads. The turns have
// these choices in them.
var synchronizes = regexp.MustCompile(`^(?:pthread|sem|cnd|mtx|thrd|usleep|sleep|nanosleep)_?\w*\s*\(`)

// inputs makes calls return what they did in the run.
func (w *writer) inputs() {
	calls := make(map[ir.Span]int)
	for i := range w.t.Inputs {
		in := &w.t.Inputs[i]
		at := w.names.Source(in.Choice)
		text := w.p.Text(at)
		switch {
		case asks.MatchString(text):
			if _, ok := in.Type.(ir.Float); ok {
				unsupported(at, "", "an input that is a floating-point number, in a failing run as a program")
			}
			w.editable(at)
		case !in.Used || synchronizes.MatchString(text):
			continue
		default:
			unsupported(at, "initialize it, or use a nondet function", "the input %s in a failing run as a program", w.names.Label(in.Choice))
		}
		if _, ok := calls[at]; !ok {
			n := len(calls)
			calls[at] = n
			w.edits = append(w.edits, edit{at, func(func(int, int) string) string {
				return fmt.Sprintf("((__typeof__(%s))amend_input(%d))", text, n)
			}})
		}
		w.values = append(w.values, value{w.threadOf(in.Choice.Path), calls[at], extend(in.Type, in.Value)})
	}
}

// threadOf returns the number of the thread on whose path p is.
func (w *writer) threadOf(p ir.Path) int {
	thread, longest := 0, 0
	for i, start := range w.t.Threads {
		if len(start) > longest && (p == start || strings.HasPrefix(string(p), string(start)+"/")) {
			thread, longest = i, len(start)
		}
	}
	return thread
}

// extend returns bits of type t as 64 bits.
func extend(t ir.Type, bits uint64) uint64 {
	if i, ok := t.(ir.Int); ok && i.Signed && i.Width < 64 {
		return uint64(int64(bits<<(64-i.Width)) >> (64 - i.Width))
	}
	return bits
}

// failure makes the run fail where C need not notice what is wrong: at the
// statement, or where that has the last event of its thread, after this.
func (w *writer) failure() {
	if w.t.Failed == nil || w.deadlock() || w.t.Kind == ir.CheckAssert {
		return
	}
	at := w.names.Place(w.t.Failed, w.t.Path)
	for i := range w.t.Events {
		if e := &w.t.Events[i]; e.Thread == w.t.Thread {
			w.fails = ""
			if e.Stmt != nil && w.statement(e) == at {
				w.fails = fmt.Sprintf("%s:%d: %s", at.File, at.Line, w.t.Kind)
			}
		}
	}
	if w.fails == "" {
		w.before(at, fmt.Sprintf("amend_fail(\"%s:%d: %s\")", at.File, at.Line, w.t.Kind))
	}
}

// deadlock reports whether threads wait for each other at the end.
func (w *writer) deadlock() bool { return len(w.t.Next) > 0 }

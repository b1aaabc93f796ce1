package witness

import (
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report"
)

// Of returns the violation witness of f: what each input is, in the order in
// which the run reads them, and where it fails. Of a run with threads there is
// none, and ok is false.
func Of(f *report.Failure, files []*ir.File) (w *Witness, ok bool) {
	w = &Witness{}
	add := func(x Waypoint) { w.Segments = append(w.Segments, []Waypoint{x}) }
	for i := range f.Run {
		if f.Run[i].Thread != 0 {
			return nil, false
		}
	}
	for _, in := range f.Inputs {
		switch {
		case in.At.IsZero():
			return nil, false // nobody knows where it is read
		case in.Variable:
			add(Waypoint{Type: "assumption", At: used(f, in.At), Value: in.Name + " == " + in.Number})
		default:
			add(Waypoint{Type: "function_return", At: end(in.At, files), Value: `\result == ` + in.Number})
		}
	}
	add(Waypoint{Type: "target", At: start(f.At)})
	return w, true
}

// OfProof returns the correctness witness with these invariants of loops.
func OfProof(list []report.Invariant) *Witness {
	w := &Witness{}
	for _, x := range list {
		w.Invariants = append(w.Invariants, Invariant{Loop: true, At: start(x.At), Value: x.Text})
	}
	return w
}

// used returns where the variable that is declared at s is in scope first: at
// the first step of the run after it.
func used(f *report.Failure, s ir.Span) Location {
	for _, step := range f.Run {
		if step.At.File == s.File && step.At.Start > s.Start {
			return start(step.At)
		}
	}
	return start(f.At)
}

// start returns where s begins.
func start(s ir.Span) Location { return Location{File: s.File, Line: s.Line, Column: s.Col} }

// end returns where the last character of s is: of a call its closing
// parenthesis.
func end(s ir.Span, files []*ir.File) Location {
	for _, f := range files {
		if f.Name == s.File && s.End > s.Start && s.End <= len(f.Content) {
			text := string(f.Content[:s.End-1])
			line := 1 + strings.Count(text, "\n")
			return Location{File: s.File, Line: line, Column: len(text) - strings.LastIndex(text, "\n")}
		}
	}
	return start(s)
}

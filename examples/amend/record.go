package main

// Reports: what -html and -sarif write. They are made of the same events that
// people read, when the command has ended.

import (
	"bytes"
	"io"
	"os"
	"sync"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/page"
)

// reports reports whether the command line asks for files of what was found.
func (o *options) reports() bool { return o.html != "" }

// A recorder passes events on, and keeps them for a report.
type recorder struct {
	reporter
	o      *options
	people *textReporter // says how it ended

	mu sync.Mutex // work that is given up goes on, and may report
	r  report.Report
}

func newRecorder(o *options, out reporter) *recorder {
	return &recorder{reporter: out, o: o, people: &textReporter{w: io.Discard, stderr: io.Discard, o: o}}
}

// takeOver makes r go on with what other has.
func (r *recorder) takeOver(other *recorder) {
	other.mu.Lock()
	defer other.mu.Unlock()
	r.r = other.r
}

// keep notes something.
func (r *recorder) keep(note func(r *report.Report)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	note(&r.r)
}

func (r *recorder) violation(v *violation) {
	r.people.violation(v)
	f := report.Failure{Kind: v.Kind, Rule: v.Rule, At: v.place.span, Text: oneLine(v.Text), Run: v.run, Lines: append(v.lines[:len(v.lines):len(v.lines)], v.story...)}
	for _, in := range v.Inputs {
		f.Inputs = append(f.Inputs, report.Value{Name: in.label, Value: in.shown})
	}
	r.keep(func(r *report.Report) { r.Failures = append(r.Failures, f) })
	r.reporter.violation(v)
}

func (r *recorder) location(l *location) {
	x := report.Location{At: l.place.span, Text: oneLine(l.Text), Must: l.Must, Value: l.Value}
	if l.Rank != nil {
		x.Rank, x.Score = l.Rank[0], *l.Score
	}
	r.keep(func(r *report.Report) { r.Locations = append(r.Locations, x) })
	r.reporter.location(l)
}

func (r *recorder) repair(x *repair) {
	y := report.Repair{Proof: x.Proof, Why: x.Why, Likelier: x.likelier, Diff: x.Diff}
	for i := range x.Edits {
		e := &x.Edits[i]
		y.Patch = append(y.Patch, ir.Edit{Span: e.place.span, Old: e.Old, New: e.New})
		y.Kinds = append(y.Kinds, e.Mutation+e.where()+intervals(e.Found))
	}
	r.keep(func(r *report.Report) { r.Repairs = append(r.Repairs, y) })
	r.reporter.repair(x)
}

func (r *recorder) failure(f *failure) {
	p := report.Problem{At: ir.Span{File: f.File, Line: f.Line, Col: f.Col}, Text: f.Text}
	r.keep(func(r *report.Report) { r.Problems = append(r.Problems, p) })
	r.reporter.failure(f)
}

func (r *recorder) done(d *done) {
	r.keep(func(x *report.Report) {
		x.Command, x.Status, x.Reason = d.Command, d.Status, d.Reason
		x.Verdict, x.Elapsed = r.people.verdict(d), float64(d.Elapsed)/1000
	})
	r.reporter.done(d)
}

// write writes the files that the command line asks for.
func (r *recorder) write() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.r.Status == "" {
		r.r.Command, r.r.Status, r.r.Verdict = r.o.command, "error", "the input can't be used as it is"
	}
	return writeReport("html", r.o.html, func(w io.Writer) error { return page.Write(w, &r.r) })
}

// recorded writes what files are asked for, and returns status, or that of
// wrong flags.
func (c *command) recorded(status int) int {
	if c.records == nil {
		return status
	}
	if err := c.records.write(); err != nil {
		c.complain(err)
		return 2
	}
	return status
}

// writeReport writes the file called name, if there is to be one.
func writeReport(flag, name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return &ir.InternalError{In: "amend", Err: err}
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		return &usageError{"-" + flag + " " + name + ": " + reasonOf(err)}
	}
	return nil
}

// steps returns what a run did, for reports.
func (c *command) steps(p *ir.Program, names *ir.Names, t *interp.Trace) []report.Step {
	if !c.reports() {
		return nil
	}
	return report.RunOf(p, names, t)
}

// saw notes the sources that events are about.
func (c *command) saw(files []*ir.File) {
	if c.records != nil {
		c.records.keep(func(r *report.Report) { r.Files = files })
	}
}

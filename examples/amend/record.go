package main

// Reports: what -html and -sarif write. They are made of the same events that
// people read, when the command has ended.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-amend/amend/incremental/invariant"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/lines"
	"github.com/go-amend/amend/ir/report/page"
	"github.com/go-amend/amend/ir/report/sarif"
	"github.com/go-amend/amend/mutate"
)

// reports reports whether the command line asks for files of what was found.
func (o *options) reports() bool {
	return o.html != "" || o.sarif != "" || o.junit != "" || o.writeWitness != "" || o.inLines()
}

// inLines reports whether what is found is printed at the end, as lines that
// editors and services know.
func (o *options) inLines() bool { return o.format == gccFormat || o.format == githubFormat }

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
	f := report.Failure{Kind: v.Kind, Rule: v.Rule, At: v.place.span, Text: oneLine(v.Text), Run: v.run, Lines: append(v.lines[:len(v.lines):len(v.lines)], v.story...), Pictures: v.pictures}
	for _, in := range v.Inputs {
		if v.lines != nil {
			break // they say it all
		}
		f.Inputs = append(f.Inputs, report.Value{Name: in.label, Value: in.shown, At: in.at, Variable: in.variable, Number: in.value})
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
	if x.Apart != nil {
		y.Why += "; " + x.Apart.String()
	}
	for i := range x.Edits {
		e := &x.Edits[i]
		y.Patch = append(y.Patch, ir.Edit{Span: e.place.span, Old: e.Old, New: e.New})
		y.Kinds = append(y.Kinds, e.Mutation+e.where()+intervals(e.Found))
	}
	r.keep(func(r *report.Report) { r.Repairs = append(r.Repairs, y) })
	r.reporter.repair(x)
}

func (r *recorder) test(t *test) {
	x := report.Test{
		Name: t.Name, Package: t.Package, At: ir.Span{File: t.File, Line: t.Line, Col: t.Col},
		Status: t.Status, Reason: t.Reason, Text: t.Text, Elapsed: float64(t.Elapsed) / 1000,
	}
	r.keep(func(r *report.Report) { r.Tests = append(r.Tests, x) })
	r.reporter.test(t)
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

// write writes the files that the command line asks for, and to stdout what
// is printed at the end.
func (r *recorder) write(stdout io.Writer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.r.Status == "" {
		r.r.Command, r.r.Status, r.r.Verdict = r.o.command, "error", "the input can't be used as it is"
	}
	switch r.o.format {
	case gccFormat:
		lines.GCC(stdout, &r.r)
	case githubFormat:
		lines.GitHub(stdout, &r.r)
	}
	return errors.Join(
		writeReport("html", r.o.html, &r.r, page.Write),
		writeReport("sarif", r.o.sarif, &r.r, sarif.Write),
		writeReport("junit", r.o.junit, &r.r, lines.JUnit),
		writeReport("write-witness", r.o.writeWitness, &r.r, r.o.writesWitness),
	)
}

// recorded writes what files are asked for, and returns status, or that of
// wrong flags.
func (c *command) recorded(status int) int {
	if c.records == nil {
		return status
	}
	if err := c.records.write(c.stdout); err != nil {
		f := &textReporter{stderr: c.stderr}
		f.failure(&failure{Text: err.Error()})
		return 2
	}
	return status
}

// recordFailure notes a failing run of p in the report of a repair, which has
// none of its own: what is repaired.
func (c *command) recordFailure(ctx context.Context, p *ir.Program) {
	if c.records == nil {
		return
	}
	probe := *c
	probe.records = newRecorder(c.options, silent{})
	probe.out = probe.records
	probe.writeCorpus, probe.replay = false, ""
	probe.failingRuns(ctx, p, false)
	c.records.keep(func(r *report.Report) { r.Failures = probe.records.r.Failures })
}

// recordInvariants notes what a proof says of loops. What can't be said is left
// out.
func (c *command) recordInvariants(ctx context.Context, p *ir.Program, proved, old *proof.Proof) {
	places, err := invariant.Places(ctx, p, proved, c.newSolver())
	if err != nil {
		return
	}
	c.records.keep(func(r *report.Report) {
		for _, l := range invariant.Loops(p, places) {
			r.Invariants = append(r.Invariants, report.Invariant{At: l.At, Text: l.Text})
		}
		r.States = statesOf(p, places)
		r.Reasons = reasonsOf(proved, old)
	})
}

// statesOf are the places as a report has them.
func statesOf(p *ir.Program, places []*invariant.Place) []report.State {
	number := make(map[*invariant.Place]int)
	for i, x := range places {
		number[x] = i
	}
	var out []report.State
	for _, x := range places {
		text, _, _ := strings.Cut(p.Text(x.Stmt.Span()), "\n")
		s := report.State{At: x.Stmt.Span(), Text: strings.TrimSpace(text)}
		if len(x.Cases) > 0 {
			s.Holds = x.Lines(p)
		}
		for _, y := range x.Next {
			s.Next = append(s.Next, number[y])
		}
		out = append(out, s)
	}
	return out
}

// reasonsOf are the automata of a proof, for which some of old were used again.
func reasonsOf(proved, old *proof.Proof) []report.Reason {
	var out []report.Reason
	for _, a := range proved.Automata {
		r := report.Reason{Predicates: a.Predicates, Triples: len(a.Triples)}
		r.Reused = old != nil && slices.ContainsFunc(old.Automata, func(b *proof.Automaton) bool { return slices.Equal(a.Predicates, b.Predicates) })
		out = append(out, r)
	}
	return out
}

// maxSamples is how many moments of a search a report has at most.
const maxSamples = 400

// grown notes how far a search is.
func (r *recorder) grown(s mutate.Stats, after time.Duration) {
	r.keep(func(r *report.Report) {
		if n := len(r.Growth); n >= maxSamples { // every other one says enough
			half := r.Growth[:0]
			for i := 0; i < n; i += 2 {
				half = append(half, r.Growth[i])
			}
			r.Growth = half
		}
		r.Growth = append(r.Growth, report.Sample{Seconds: after.Seconds(), Size: s.Size, Candidates: s.Candidates, Repairs: s.Repairs})
	})
}

// silent shows nothing.
type silent struct{}

func (silent) violation(*violation)  {}
func (silent) command(*commandEvent) {}
func (silent) passing(*passing)      {}
func (silent) test(*test)            {}
func (silent) location(*location)    {}
func (silent) repair(*repair)        {}
func (silent) failure(*failure)      {}
func (silent) done(*done)            {}

// writeReport writes the file called name, if there is to be one.
func writeReport(flag, name string, r *report.Report, write func(io.Writer, *report.Report) error) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		return err
	}
	if b.Len() == 0 {
		return nil // there is nothing of which it could be
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

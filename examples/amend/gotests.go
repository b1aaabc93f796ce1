package main

// All tests of Go packages, one by one.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
)

// perTest is how long one of several tests may take without -timeout.
const perTest = 10 * time.Second

// checkTests checks the tests of f, each by itself, and lists how they ended.
func (c *command) checkTests(ctx context.Context, f *front) (*done, error) {
	switch {
	case c.writeCorpus:
		return nil, &usageError{"-write-corpus: give -run a fuzz target"}
	case c.writeTest:
		return nil, &usageError{"-write-test: give -run a fuzz target"}
	case c.replay != "":
		return nil, &usageError{"-replay: give -run a test"}
	}
	d := &done{Status: "holds", Complete: true}
	for i, t := range f.tests {
		if ctx.Err() != nil {
			break
		}
		c.progress.part(i, len(f.tests))
		x := c.checkTest(ctx, f, t, c.share(ctx, len(f.tests)-i))
		d.tests = append(d.tests, x)
		d.Complete = d.Complete && x.Complete
		switch {
		case x.Status == "violated":
			d.found++
			d.Status = "violated"
		case x.Status == "unknown" && d.Status == "holds":
			d.Status, d.Reason = "unknown", x.Reason
		}
	}
	c.progress.phase("")
	c.progress.part(0, 0)
	for _, x := range d.tests {
		c.out.test(x)
	}
	if d.Status == "violated" {
		d.Reason = ""
	}
	if len(d.tests) < len(f.tests) && d.Status == "holds" {
		d.Status = "" // unknown
	}
	return d, context.Cause(ctx)
}

// share is the time for the first of n tests.
func (c *command) share(ctx context.Context, n int) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		left -= min(grace, left/10) // to list how the tests ended
		return left / time.Duration(n)
	}
	return perTest
}

// checkTest checks t.
func (c *command) checkTest(ctx context.Context, f *front, t gofront.Test, limit time.Duration) *test {
	begin := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errDeadline)
	defer cancel()
	x := &test{Name: t.Name, Package: t.Package, place: place{File: t.Span.File, Line: t.Span.Line, Col: t.Span.Col}}
	one := *c // as if this were the only test
	d, err := one.checkOnly(ctx, f, t)
	if d != nil {
		x.Status, x.Complete = d.Status, d.Complete
	}
	if x.Status == "" {
		x.Status = "unknown"
	}
	switch {
	case err == nil:
	case inputError(err):
		x.Reason, x.Text = "unsupported", split(err)[0].Error()
	default:
		x.Reason = reason(ctx, err)
	}
	x.Elapsed = time.Since(begin).Milliseconds()
	return x
}

// checkOnly is check of the program that is t.
func (c *command) checkOnly(ctx context.Context, f *front, t gofront.Test) (d *done, err error) {
	defer func() {
		if r := recover(); r != nil {
			d, err = nil, ir.Panicked("amend", r)
		}
	}()
	c.progress.phase(reading + " " + t.Name)
	cfg := f.lowering
	cfg.Run, cfg.Package = "^"+t.Name+"$", t.Package
	g, err := lowered(ctx, f.packages, cfg, f.hard)
	if err != nil {
		return nil, err
	}
	p, err := c.read(g)
	if err != nil {
		return nil, err
	}
	name := c.testKey(p)
	if d, known, err := endedBefore(name); known {
		return d, err
	}
	d, err = c.check(ctx, p)
	switch {
	case err == nil && d.Status == "holds":
		keepEnd(name, d.Complete, false)
	case c.timeout == 0 && context.Cause(ctx) == errDeadline:
		keepEnd(name, false, true)
	}
	return d, err
}

// test shows how one of several tests ended.
func (r *textReporter) test(t *test) {
	how := t.Status
	switch {
	case t.Status == "holds" && !t.Complete:
		how += fmt.Sprintf(" within -unwind %d", r.o.unwind)
	case t.Text != "":
		how = "not decided: " + oneLine(t.Text)
	case t.Status == "unknown":
		how = "not decided: " + t.Reason
	}
	fmt.Fprintf(r.w, "%s%s %s\n", t.place, t.Name, how)
}

// testsVerdict says how all tests ended.
func testsVerdict(d *done) string {
	undecided := 0
	for _, t := range d.tests {
		if t.Status == "unknown" {
			undecided++
		}
	}
	parts := []string{}
	for _, p := range []struct {
		n    int
		what string
	}{{len(d.tests) - d.found - undecided, "hold"}, {d.found, "violated"}, {undecided, "not decided"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	s := fmt.Sprintf("%s: %s: %s", d.Status, count(len(d.tests), "test"), strings.Join(parts, ", "))
	if d.Status == "unknown" && d.Reason != "" {
		s += " (" + d.Reason + ")"
	}
	return s
}

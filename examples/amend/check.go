package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// check answers whether a bounded run violates an assertion.
func (c *command) check(ctx context.Context, p *ir.Program) (*done, error) {
	if c.witness != "" {
		return c.playWitness(ctx, p)
	}
	res, err := c.failingRuns(ctx, p, c.all)
	for i := range res.Violations {
		if c.writeCorpus {
			if e := c.corpus(&res.Violations[i]); e != nil {
				return nil, e
			}
		}
	}
	if c.writeTest {
		if e := c.regression(res.Violations); e != nil {
			return nil, e
		}
	}
	d := &done{
		Complete: res.Complete, raised: res.Raised, single: res.Single, Rounds: c.covered, SATCalls: res.SATCalls,
		waits: c.idle, Endless: c.idle || res.Endless, Unasserted: c.unasserted, found: len(res.Violations),
	}
	switch {
	case len(res.Violations) > 0 && (res.Decided || !c.all):
		d.Status = "violated"
	case res.Decided:
		d.Status = "holds"
		d.Schedules = c.every
	}
	return d, err
}

// failingRuns looks for failing runs and reports them.
func (c *command) failingRuns(ctx context.Context, p *ir.Program, all bool) (*bmc.Result, error) {
	c.progress.phase("looking for a failing run")
	if ir.Concurrent(p) {
		return c.failingSchedules(ctx, p, all)
	}
	res, err := bmc.Check(ctx, p, bmc.Config{Unwind: ssa.Unwind(c.unwind), All: all, NewSolver: c.newSolver()})
	c.raised, c.single = res.Raised, res.Single
	names := ir.NewNames(p)
	for i := range res.Violations {
		c.failingRun(p, names, &res.Violations[i])
	}
	return res, err
}

// bounds returns the bounds within which a failing run was found.
func (c *command) bounds(res *bmc.Result) ssa.Config {
	if res.Raised {
		return ssa.Config{Unwind: res.Unwind, Loops: res.Loops}
	}
	return ssa.Config{Unwind: c.unwind}
}

// within says which runs were looked at.
func (c *command) within() string {
	if c.raised {
		return "within the bounds of the " + whichRun(c.single)
	}
	return fmt.Sprintf("within -unwind %d", c.unwind)
}

// failingRun reports a failing run.
func (c *command) failingRun(p *ir.Program, names *ir.Names, v *bmc.Violation) {
	x := describe(p, names, v)
	x.run = c.steps(p, names, v.Trace)
	if name := c.knownInput(v); name != "" {
		x.lines = []string{"with " + name}
	}
	c.out.violation(x)
}

// describe returns the event of v.
func describe(p *ir.Program, names *ir.Names, v *bmc.Violation) *violation {
	at := violatedAt(p, names, v)
	e := &violation{
		Kind: v.Kind.String(), place: placeOf(p, at), Text: violatedText(p, v, at), Inputs: inputsOf(names, v.Trace),
	}
	if a, ok := v.Stmt.(*ir.Assert); v.Kind == ir.CheckLocks {
		e.Rule = misuse(v)
	} else if ok && (v.Kind == ir.CheckNil || v.Kind == ir.CheckBounds) {
		e.Rule = a.Text
	}
	return e
}

// violatedAt returns the source text of what v says is false: an assertion,
// or an operation. In the library's own code it is the call of that.
func violatedAt(p *ir.Program, names *ir.Names, v *bmc.Violation) ir.Span {
	if v.Site != 0 {
		if e := *p.Sites()[v.Site-1].Occurrences[0]; inFiles(p, e.Span()) {
			return e.Span()
		}
	}
	if at, ok := onlyOperation(p, v); ok {
		return at
	}
	if v.Stmt == nil {
		return p.Entry.Span // it would return
	}
	return names.Place(v.Stmt, v.Trace.Path)
}

// violatedText returns the source text at at or, without one, what the
// assertion calls itself.
func violatedText(p *ir.Program, v *bmc.Violation, at ir.Span) string {
	if a, ok := v.Stmt.(*ir.Assert); ok && at.IsZero() {
		return a.Text
	}
	return p.Text(at)
}

// misuse says which rule of locks and threads v breaks.
func misuse(v *bmc.Violation) string {
	if a, ok := v.Stmt.(*ir.Assert); ok {
		return a.Text
	}
	return "no other thread of that number was started"
}

// onlyOperation returns the source text of the only operation of v's
// statement that can violate a check of that kind, for code without sites.
func onlyOperation(p *ir.Program, v *bmc.Violation) (at ir.Span, ok bool) {
	n := 0
	if v.Stmt == nil {
		return at, false
	}
	ir.EachExpr(v.Stmt, func(e *ir.Expr) {
		if canViolate(*e, v.Kind) {
			at = (*e).Span()
			n++
		}
	})
	return at, n == 1 && inFiles(p, at)
}

// canViolate reports whether e's own operation is what checks of kind k are
// about.
func canViolate(e ir.Expr, k ir.Kind) bool {
	switch e := e.(type) {
	case *ir.Index:
		return k == ir.CheckBounds
	case *ir.Convert:
		return k == ir.CheckConversion || k == ir.CheckFloatOverflow
	case *ir.Math:
		return k == ir.CheckFloatOverflow || k == ir.CheckNaN
	case *ir.Unary:
		return k == ir.CheckOverflow && e.Op == ir.Neg
	case *ir.Binary:
		if _, ok := e.Type().(ir.Float); ok {
			return k == ir.CheckFloatOverflow || k == ir.CheckNaN
		}
		switch e.Op {
		case ir.Div, ir.Rem:
			return k == ir.CheckDiv || k == ir.CheckOverflow
		case ir.Shl:
			return k == ir.CheckShift || k == ir.CheckOverflow
		case ir.Shr:
			return k == ir.CheckShift
		case ir.Add, ir.Sub, ir.Mul:
			return k == ir.CheckOverflow
		}
	}
	return false
}

func inFiles(p *ir.Program, s ir.Span) bool { return !s.IsZero() && p.File(s.File) != nil }

// placeOf returns where s is, with its line of source.
func placeOf(p *ir.Program, s ir.Span) place { return placeIn(p.File(s.File), s) }

// placeIn returns where s is in f, which may be nil.
func placeIn(f *ir.File, s ir.Span) place {
	at := place{File: s.File, Line: s.Line, Col: s.Col, span: s}
	if f == nil || s.IsZero() {
		return at
	}
	text := string(f.Content)
	begin := s.Start - (s.Col - 1)
	line, _, _ := strings.Cut(text[begin:], "\n")
	at.source = strings.TrimSuffix(line, "\r")
	at.length = min(s.End, begin+len(at.source)) - s.Start
	return at
}

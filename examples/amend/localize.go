package main

import (
	"context"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// A method makes a localizer; nil for one that ranks: see nearest.
type method struct {
	name string
	make func(c *command, build ssa.Builder, cfg ssa.Config) (slice.Localizer, error)
}

var methods = []method{
	{"fosfl", func(_ *command, build ssa.Builder, cfg ssa.Config) (slice.Localizer, error) {
		return slice.NewFOSFL(build, cfg)
	}},
	{"dynamic", func(_ *command, build ssa.Builder, cfg ssa.Config) (slice.Localizer, error) {
		return slice.NewDynamic(build, cfg)
	}},
	{"maxsat", func(c *command, build ssa.Builder, cfg ssa.Config) (slice.Localizer, error) {
		return slice.NewMaxSat(build, cfg, c.newSolver()), nil
	}},
	{"nearest", nil},
	{"angelic", nil},
	{"diag", func(*command, ssa.Builder, ssa.Config) (slice.Localizer, error) {
		return nil, &usageError{"-method diag is for programs with threads"}
	}},
}

func findMethod(name string) *method {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return &methods[i]
}

func methodNames() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// localize answers where a fix must touch the source, for one failing run.
func (c *command) localize(ctx context.Context, p *ir.Program) (*done, error) {
	res, err := c.failingRuns(ctx, p, false)
	d := &done{Complete: res.Complete, raised: res.Raised, single: res.Single, Rounds: c.covered, SATCalls: res.SATCalls}
	if len(res.Violations) == 0 {
		if res.Decided {
			d.Status, d.Schedules = "holds", c.every
		}
		return d, err
	}
	if err != nil && ctx.Err() == nil {
		return d, err
	}
	if c.memory != ir.SC {
		c.delayed(p, d)
		return d, nil
	}
	c.progress.phase("localizing")
	m := findMethod(c.method)
	switch {
	case c.method == "diag" && ir.Concurrent(p):
		return c.corrections(ctx, p, d)
	case c.method == "angelic":
		d.found, err = c.angelic(ctx, p, res)
		if err == nil {
			d.Status = "localized"
		}
		return d, err
	case m.make == nil:
		d.found, err = c.nearest(ctx, p, &res.Violations[0], c.bounds(res))
		if err == nil {
			d.Status = "localized"
		}
		return d, err
	}
	l, err := m.make(c, c.schedules().Builder(p).Under(ctx), c.bounds(res))
	if err != nil {
		return d, err
	}
	set, must, err := l.Localize(ctx, res.Violations[0].Model)
	d.found = c.locations(p, set, must)
	if err == nil {
		d.Status = "localized"
	}
	return d, err
}

// locations reports the locations of set and returns their number.
func (c *command) locations(p *ir.Program, set slice.Set, must bool) int {
	list := listed(p, slices.Collect(set.All()), func(l ir.LocID) ir.LocID { return l })
	for _, l := range list {
		c.out.location(&location{place: placeOf(p, l.span), Text: p.Text(l.span), Must: must})
	}
	return len(list)
}

// A spanned is something about a location that has a source text.
type spanned[T any] struct {
	of   T
	span ir.Span
}

// listed returns those of xs whose locations have a source text, each text once.
func listed[T any](p *ir.Program, xs []T, at func(T) ir.LocID) (out []spanned[T]) {
	names := ir.NewNames(p)
	seen := make(map[ir.Span]bool)
	for _, x := range xs {
		s := names.Stmt(at(x))
		switch s.(type) {
		case *ir.Assert, *ir.Assume: // what they call is no change to them
			continue
		}
		if s == nil || !inFiles(p, s.Span()) || seen[s.Span()] {
			continue
		}
		seen[s.Span()] = true
		out = append(out, spanned[T]{x, s.Span()})
	}
	return out
}

package main

// Localization by angelic values.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// angelicRuns is how many failing runs an expression must be able to repair. Each
// more takes the same time again; beyond some few they leave what they found.
const angelicRuns = 8

// angelic reports expressions, then pairs of them, that could repair the failing
// run and others by some values. It returns the number of both.
func (c *command) angelic(ctx context.Context, p *ir.Program, res *bmc.Result) (int, error) {
	within := c.bounds(res)
	l, err := slice.NewAngelic(p, within, c.newSolver())
	if err != nil {
		return 0, err
	}
	l.Hard = c.front.hard.statement
	runs, err := slice.FailingRuns(ctx, ssa.For(p), within, res.Violations[0].Model, angelicRuns, c.newSolver()())
	if err == nil {
		err = c.furtherRuns(ctx, p, runs[1:], within)
	}
	if err != nil {
		return 0, err
	}
	n := 0
	sites := p.Sites()
	seen := make(map[string]bool)
	for x, err := range l.Sets(ctx, runs, 2) {
		if err != nil {
			return n, err
		}
		if e := angelicLocation(p, sites, x); e != nil && !seen[e.spans()] {
			seen[e.spans()] = true
			e.Runs = len(runs)
			n++
			c.out.location(e)
		}
	}
	return n, nil
}

// furtherRuns replays failing runs, and reports them to programs and who asks.
func (c *command) furtherRuns(ctx context.Context, p *ir.Program, runs []ssa.Model, within ssa.Config) error {
	names := ir.NewNames(p)
	for _, m := range runs {
		v, err := bmc.Replay(ctx, p, m, nil, &bmc.Config{Unwind: ssa.Unwind(within.Unwind), Loops: within.Loops})
		if err != nil {
			return err
		}
		if c.json || c.verbose {
			c.failingRun(p, names, v)
		}
	}
	return nil
}

// angelicLocation returns the event of x, or nil if one of its sites is in no text.
func angelicLocation(p *ir.Program, sites []ir.Site, x *slice.AngelicSet) *location {
	var all []angelicPlace
	for _, id := range x.Sites {
		span := (*sites[id-1].Occurrences[0]).Span()
		if !inFiles(p, span) {
			return nil
		}
		all = append(all, angelicPlace{place: placeOf(p, span), Text: p.Text(span), Value: angelicValues(x, id)})
	}
	return &location{place: all[0].place, Text: all[0].Text, Value: all[0].Value, Angelic: true, With: all[1:]}
}

// angelicValues returns the different values that site has in x.
func angelicValues(x *slice.AngelicSet, site ir.SiteID) string {
	var out []string
	for _, run := range x.Values {
		for _, v := range run {
			if text := ir.FormatValue(v.Type, v.Bits); v.Site == site && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return strings.Join(out, ", ")
}

// spans returns what tells l from other locations.
func (l *location) spans() string {
	out := fmt.Sprint(l.span)
	for _, x := range l.With {
		out += fmt.Sprint(x.span)
	}
	return out
}

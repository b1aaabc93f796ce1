package main

// Localization by the nearest passing run.

import (
	"context"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/slice/rank"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// nearest reports the passing run nearest to a failing one, and the locations of
// a must set ranked by how they differ. It returns their number.
func (c *command) nearest(ctx context.Context, p *ir.Program, v *bmc.Violation, within ssa.Config) (int, error) {
	near, err := rank.Nearest(ctx, c.schedules().Builder(p), within, v.Model, c.newSolver()())
	if err != nil {
		return 0, err
	}
	if err := c.passingRun(ctx, p, v, near, within); err != nil {
		return 0, err
	}
	list := listed(p, near.Suspects, func(s rank.Suspect) ir.LocID { return s.At })
	for i := range list {
		s := &list[i]
		c.out.location(&location{
			place: placeOf(p, s.span), Text: p.Text(s.span), Must: true, Score: &s.of.Score, Rank: ranks(list, s.of.Score),
		})
	}
	return len(list), nil
}

// ranks returns the first and last place of a score among those listed.
func ranks(list []spanned[rank.Suspect], score float64) []int {
	r := []int{1, 0}
	for _, s := range list {
		if s.of.Score > score {
			r[0]++
		}
		if s.of.Score >= score {
			r[1]++
		}
	}
	return r
}

// passingRun replays the passing run and reports it.
func (c *command) passingRun(ctx context.Context, p *ir.Program, v *bmc.Violation, near *rank.Comparison, within ssa.Config) error {
	if near.Passing == nil {
		c.out.passing(&passing{})
		return nil
	}
	t, err := c.schedules().Run(ctx, p, interp.Config{
		Input: near.Passing.Input, Unwind: within.Unwind, Loops: within.Loops, MaxSteps: -1, Schedule: &ir.Schedule{Threads: near.Threads},
	})
	if err != nil {
		return err
	}
	if t.Outcome != interp.Ended {
		return ir.Internalf("amend", "a passing run does not replay (%v)", t.Outcome)
	}
	names := ir.NewNames(p)
	before, in := inputsOf(names, v.Trace), inputsOf(names, t)
	e := &passing{Found: true, Distance: near.Distance, Inputs: in, changed: in.without(before)}
	if ir.Concurrent(p) {
		e.schedule, e.story = scheduleOf(names, t), story(p, names, t)
	}
	c.out.passing(e)
	return nil
}

// without returns the inputs that are not in others with the same value.
func (in inputs) without(others inputs) inputs {
	return slices.DeleteFunc(slices.Clone(in), func(x input) bool {
		return slices.ContainsFunc(others, func(y input) bool { return x.name == y.name && x.value == y.value })
	})
}

package main

// Repairs under memory models other than sequential consistency.

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// fence answers what all minimal sets of fences are that make p right under
// -memory, by all schedules.
func (c *command) fence(ctx context.Context, p *ir.Program) (*done, error) {
	if !ir.Concurrent(p) {
		return nil, &usageError{fmt.Sprintf("repair -memory %v: the program has no threads", c.memory)}
	}
	if err := c.admitMemory(p); err != nil {
		return nil, err
	}
	cfg := c.searchBy(scheme.Fences())
	cfg.Decide = c.decideWeak
	search, err := mutate.New(p, cfg)
	if err != nil {
		return nil, err
	}
	c.progress.phase("searching")
	told, complete, full := 0, true, false
	for r, e := range search.Repairs(ctx) {
		if err = e; err != nil {
			break
		}
		complete = complete && r.Complete
		if c.answered != nil {
			c.answered()
		}
		out := &repair{Size: len(r.Changes), Edits: edits(p, r), Proof: r.Proof.Reach.String(), Why: c.whyFenced(r), likelier: r.Likelier}
		told++
		if err = c.announce(p, out, r.Patch, told == 1); err != nil {
			break
		}
		if full = told == c.max; full {
			break
		}
	}
	return c.fenced(search.Stats(), told, complete, full, err)
}

// fenced says how the search for fences ended.
func (c *command) fenced(st mutate.Stats, told int, complete, full bool, err error) (*done, error) {
	d := searched(st)
	d.Repairs, d.Schedules, d.Complete = told, "all", st.Complete && complete
	bare := errors.Is(err, mutate.ErrNoSites)
	switch {
	case err != nil && !bare:
		return d, err
	case full:
		d.Status, d.Reason = "repaired", "max"
	case st.Correct:
		d.Status = "correct"
	case told > 0:
		d.Status = "repaired"
	case bare:
		d.Status, d.Reason, d.Size = "none", noSitesReason, c.size
	default:
		d.Status = "none"
	}
	return d, nil
}

// decideWeak is a mutate.Config.Decide: all schedules under -memory.
func (c *command) decideWeak(ctx context.Context, p *ir.Program) (*bmc.Result, error) {
	found, err := sequentialize.Check(ctx, p, sequentialize.Config{
		Unwind: ssa.Unwind(c.unwind), Strict: !c.spurious, NewSolver: c.newSolver(), Memory: c.memory,
	})
	res := &bmc.Result{Decided: found.Decided, Complete: found.Complete && !found.Waits, SATCalls: found.SATCalls}
	for i := range found.Violations {
		res.Violations = append(res.Violations, found.Violations[i].Violation)
	}
	return res, err
}

// whyFenced says in a sentence what was proved of r.
func (c *command) whyFenced(r *mutate.Repair) string {
	s := fmt.Sprintf("no run %s, by any schedule under %v, violates an assertion; fences add no run, and those that are left end as before", c.within(), c.memory)
	if r.Complete {
		s += "; no run is longer"
	}
	return s
}

// delayed reports the statements right after which a fence would rule out the failing
// run: each repair by fences has one there, if only after the block that they end.
func (c *command) delayed(p *ir.Program, d *done) {
	for _, l := range listed(p, c.failing[0].Trace.Delayed(), func(l ir.LocID) ir.LocID { return l }) {
		d.found++
		c.out.location(&location{place: placeOf(p, l.span), Text: p.Text(l.span)})
	}
	d.Status = "localized"
}

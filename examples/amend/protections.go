package main

// What threads lack that wait for each other too little, for localize.

import (
	"context"
	"errors"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// protections reports the single changes of how threads wait for each other that
// are repairs, by the scheme locks: values say where a lost update shows, these
// what is missing. Where that takes longer than there is time, none are.
func (c *command) protections(ctx context.Context, p *ir.Program, d *done) error {
	c.schedule = max(c.schedule, c.rounds)
	every := &everySchedule{c: c, known: make(map[*mutate.Repair]bool)}
	cfg := c.searchBy(scheme.Locks())
	if !c.given["rounds"] {
		cfg.Accept = every.accept
	}
	for r, err := range mutate.Repairs(ctx, p, cfg) {
		switch {
		case errors.Is(err, mutate.ErrNoSites), ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		d.Repairs++
		out := &repair{Size: len(r.Changes), Edits: edits(p, r), Proof: r.Proof.Reach.String(), Why: c.why(r, true, every.known[r]), likelier: r.Likelier}
		if err := c.announce(p, out, r.Patch, false); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// A prover proves repairs for every bound, each with what was learned from
// those before.
type prover struct {
	c      *command
	series *incremental.Series
}

func (c *command) newProver(p *ir.Program) (*prover, error) {
	old, err := c.savedProof(p)
	if err != nil {
		return nil, err
	}
	return &prover{c, incremental.NewSeries(incremental.Config{
		Reuse: old, Strategy: strategies[c.strategy], NoCertify: c.noCertify, NewSolver: c.newSolver(),
	})}, nil
}

// prove is a mutate.Config.Prove.
func (v *prover) prove(ctx context.Context, p *ir.Program) (mutate.Proof, error) {
	v.c.progress.phase("proving")
	defer v.c.progress.phase("searching")
	short := ctx
	if d := v.c.proveTimeout; d > 0 {
		var cancel func()
		short, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	r, err := v.series.Prove(short, p)
	proof := mutate.Proof{Reason: r.Reason, SATCalls: r.Stats.SATCalls}
	unsupported, ok := errors.AsType[*ir.UnsupportedError](err)
	switch {
	case ctx.Err() != nil:
		return proof, context.Cause(ctx)
	case short.Err() != nil && r.Status == incremental.Unknown:
		return proof, nil
	case ok:
		proof.Reason = strings.TrimSuffix(unsupported.Construct, " in a proof for every bound")
		return proof, nil
	case err != nil:
		return proof, err
	case r.Status == incremental.Violated:
		proof.Reach, proof.Model = mutate.Refuted, r.Model
		v.c.logf("fails: %s", strings.Join(inputsOf(ir.NewNames(p), r.Trace).words(), " "))
	case r.Status == incremental.Proved:
		proof.Reach = mutate.EveryBound
	}
	v.c.logf("%s by %s: %d new automata, %d used again", r.Status, r.Engine, r.Stats.Refinements, r.Stats.Reused)
	return proof, nil
}

// whyProved says in a sentence what was proved of r beyond the bound.
func (c *command) whyProved(r *mutate.Repair) string {
	s := "no run of any length violates an assertion"
	if r.Proof.Reach == mutate.Bounded {
		s = fmt.Sprintf("no run %s violates an assertion, of longer ones it is unknown (%s)", c.within(), r.Proof.Reason)
	}
	if r.Vacuous {
		return s + ", but some runs that ended before are now cut or stopped"
	}
	return s + ", and all runs that ended " + c.within() + " still end"
}

// reach says to people for which bounds r is right.
func (c *command) reach(r *mutate.Repair) string {
	switch {
	case !c.options.prove:
		return ""
	case r.Proof.Reach == mutate.EveryBound:
		return "proved for every bound"
	}
	return fmt.Sprintf("only up to bound %d (%s)", c.unwind, r.Proof.Reason)
}

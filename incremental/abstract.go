package incremental

import (
	"context"

	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/ir"
)

// This file proves programs with arrays of unknown length for every length: on
// an abstraction that knows no more of an array than some elements, at any
// index. An invariant about them is one about all elements.

// abstractLimits are the budgets of an attempt on the abstraction, where those
// of Config are not smaller. Programs that need the elements it leaves out are
// proved or refuted without it.
var abstractLimits = Limits{Refinements: 16, SATCalls: 3000, Bound: 1, Steps: 1}

// notOfProgram ends such an attempt where a trace is feasible, which may be one
// of the abstraction only. It is not replayed: no run needs to follow it.
const notOfProgram = budgetError("a trace of the abstraction")

// proveAbstract tries to prove p with its arrays abstracted. It returns nil if
// that says nothing about p.
func proveAbstract(ctx context.Context, p *ir.Program, cfg Config) *Result {
	if !cfa.Allocates(p) {
		return nil
	}
	c, err := cfa.NewAbstract(p)
	if err != nil {
		return nil
	}
	l := &cfg.Limits
	l.Refinements = min(orDefault(l.Refinements, abstractLimits.Refinements), abstractLimits.Refinements)
	l.SATCalls = min(orDefault(l.SATCalls, abstractLimits.SATCalls), abstractLimits.SATCalls)
	l.Bound, l.Steps = abstractLimits.Bound, abstractLimits.Steps // these look for violations
	if cfg.Reuse != nil && !cfg.Reuse.Abstract {
		cfg.Reuse = nil
	}
	if cfg.Engine == Portfolio {
		cfg.Engine = TraceAbstraction // whose templates are about elements
	}
	res, err := newPortfolio(p, c, &cfg).run(ctx)
	if err != nil || res.Status != Proved {
		return nil
	}
	res.Proof.Abstract = true
	return res
}

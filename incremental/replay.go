package incremental

import (
	"context"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// This file has the interpreter run what the search takes for a violation.

// model returns the input with which the program executes the trace of f, of
// whose formula the trace solver holds a model.
func (e *engine) model(f *traceForm) ssa.Model {
	return e.c.Inputs(f.trace, func(v int) uint64 {
		if t := f.initial[v]; t != 0 {
			return e.traceSolver.Value(t)
		}
		return 0
	}, func(at, k int) uint64 { return e.traceSolver.Value(f.havocs[at][k]) })
}

// replay runs p on m. It returns the trace of a violation, and an error if
// there is none.
func replay(ctx context.Context, p *ir.Program, m ssa.Model) (*interp.Trace, error) {
	t, err := interp.Run(ctx, p, interp.Config{Input: m.Input, Unwind: -1, MaxSteps: -1, Accelerate: true})
	switch {
	case err != nil:
		return nil, err
	case t.Outcome == interp.Cut:
		return nil, allocTooLarge
	case t.Outcome != interp.Violated:
		return nil, ir.Internalf("incremental", "a counterexample does not replay (%v)", t.Outcome)
	}
	return t, nil
}

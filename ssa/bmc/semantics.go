package bmc

import (
	"context"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// A Semantics says what the runs of a program are, twice: as a constraint set
// and by the interpreter, which must agree. [Sequential] has those of programs
// without threads, and sequentialize.Config those of others, over all schedules
// of a number of rounds. Its methods are safe to call from several goroutines.
type Semantics interface {
	// Builder returns the builder of the constraint set of p, which must be
	// well-formed.
	Builder(p *ir.Program) ssa.Builder

	// Run runs p as cfg says, without making a constraint set. What a model of
	// one says of the schedule is part of the input that cfg.Input gives, and
	// counts where cfg.Schedule has no turns; that numbers threads as
	// Form.Threads does.
	Run(ctx context.Context, p *ir.Program, cfg interp.Config) (*interp.Trace, error)
}

// Sequential is the semantics of programs without threads.
type Sequential struct{}

// Builder returns ssa.For(p).
func (Sequential) Builder(p *ir.Program) ssa.Builder { return ssa.For(p) }

// Run is interp.Run.
func (Sequential) Run(ctx context.Context, p *ir.Program, cfg interp.Config) (*interp.Trace, error) {
	return interp.Run(ctx, p, cfg)
}

// semantics returns that of c.
func (c *Config) semantics() Semantics {
	if c.Semantics == nil {
		return Sequential{}
	}
	return c.Semantics
}

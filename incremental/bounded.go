package incremental

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// This file unwinds loops beside the proof.

// A boundedCheck looks for violations beside the proof, by unwinding: where
// a violation needs many rounds of a loop, proofs refute shorter traces one
// by one.
type boundedCheck struct {
	p     *ir.Program
	cfg   *Config
	bound int // of the next round
	from  int // refinements before it
	calls int
	meter *meter
	spent int64 // ticks
}

func newBoundedCheck(p *ir.Program, cfg *Config, m *meter) *boundedCheck {
	return &boundedCheck{p: p, cfg: cfg, bound: 16, from: 8, meter: m}
}

// maxCopies is how many copies of statements such a formula may have.
const maxCopies = 68*1024 - 1

// limited is the semantics of sequential programs whose constraint sets are
// given up where loops nest too deep for the bound.
type limited struct {
	bmc.Sequential
	ctx    context.Context
	copies int
}

func (x limited) Builder(p *ir.Program) ssa.Builder {
	return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
		cfg.MaxStatements = x.copies
		cfg.Stop = func() error { return context.Cause(x.ctx) }
		return ssa.Build(st, p, cfg)
	}
}

// boundedShare is the part of all work that unwinding may take, and
// boundedLeast how much it may take at any rate. A copy of a statement counts as so
// many ticks.
const (
	boundedShare = 4
	boundedLeast = 4_000_000
	copyTicks    = 2_000
)

// round unwinds loops further, if as many refinements as given are enough
// for that. It returns the input of a violation, or nil. What doesn't fit
// into its share of the work is put off.
func (b *boundedCheck) round(ctx context.Context, refinements int) (ssa.Model, error) {
	if refinements < b.from || b.bound > b.cfg.Limits.Bound {
		return nil, nil
	}
	share := b.meter.spent/boundedShare + boundedLeast - b.spent
	copies := int(min(maxCopies, share/copyTicks))
	if copies <= 0 {
		return nil, nil
	}
	before := b.meter.spent
	var r *bmc.Result
	late, err := b.meter.within(share, func() (err error) {
		r, err = bmc.Check(ctx, b.p, bmc.Config{Unwind: ssa.Unwind(b.bound), NewSolver: b.cfg.NewSolver, Semantics: limited{ctx: ctx, copies: copies}})
		return err
	})
	b.calls += r.SATCalls
	b.spent += b.meter.spent - before
	_, undecided := errors.AsType[*bmc.UndecidedError](err)
	switch large := errors.Is(err, ssa.ErrTooLarge); {
	case late, large && copies < maxCopies:
		b.from = refinements + 8
		return nil, nil
	case undecided, large:
		b.bound = b.cfg.Limits.Bound + 1 // no more rounds
		return nil, nil
	}
	if err == nil {
		b.from += 8
		b.bound *= 4
	}
	if err != nil || len(r.Violations) == 0 {
		return nil, err
	}
	return r.Violations[0].Model, nil
}

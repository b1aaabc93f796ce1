package bmc

// Programs without inputs: all their runs are the same, so that one, in the
// interpreter, decides them, and says which bounds it needs.

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// DefaultSteps is the meaning of a Config.MaxSteps of 0.
const DefaultSteps = 2_000_000

// An UndecidedError says that the only run of a program was not followed to
// its end, so that nothing is known of it.
type UndecidedError struct {
	Outcome interp.Outcome // Cut, by an Alloc, or OutOfSteps
	At      ir.Span        // of the statement that it had got to; may be zero
}

func (e *UndecidedError) Error() string {
	why := "it needs more memory than the program has"
	if e.Outcome == interp.OutOfSteps {
		why = "it takes too many steps"
	}
	s := "the only run is undecided: " + why
	if !e.At.IsZero() {
		s = fmt.Sprintf("%s:%d: %s", e.At.File, e.At.Line, s)
	}
	return s
}

var errInput = errors.New("bmc: an input is read")

// onlyRun runs p, without bounds but for steps. It returns nil if p reads an
// input.
func onlyRun(ctx context.Context, p *ir.Program, steps int) (*interp.Trace, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := func(ir.Choice) uint64 { cancel(errInput); return 0 }
	t, err := interp.Run(ctx, p, interp.Config{Input: stop, Unwind: -1, MaxSteps: steps, NoSteps: true})
	if len(t.Inputs) > 0 {
		return nil, nil
	}
	return t, err
}

// single is Check for a program whose only run it can follow; it returns nil
// for others, which read inputs or have threads.
func single(ctx context.Context, p *ir.Program, cfg *Config) (*Result, error) {
	if ir.Concurrent(p) {
		return nil, nil
	}
	steps := cfg.MaxSteps
	if steps == 0 {
		steps = DefaultSteps
	}
	t, err := onlyRun(ctx, p, steps)
	if t == nil || err != nil {
		return nil, err
	}
	res := &Result{Single: true, Unwind: max(cfg.Unwind, t.Depth), Loops: maps.Clone(cfg.Loops), Raised: t.Depth > cfg.Unwind}
	for l, n := range t.Rounds {
		if own, ok := cfg.Loops[l]; ok && n <= own || !ok && n <= cfg.Unwind {
			continue
		}
		if res.Loops == nil {
			res.Loops = make(map[ir.LocID]int)
		}
		res.Loops[l], res.Raised = n, true
	}
	return res, res.conclude(ctx, p, t)
}

// conclude fills in what t, the only run of p, says.
func (r *Result) conclude(ctx context.Context, p *ir.Program, t *interp.Trace) error {
	switch t.Outcome {
	case interp.Cut, interp.OutOfSteps:
		e := &UndecidedError{Outcome: t.Outcome}
		if t.Failed != nil {
			e.At = t.Failed.Span()
		}
		return e
	case interp.Violated:
		v, err := Replay(ctx, p, ssa.Model{}, &Config{Unwind: r.Unwind, Loops: r.Loops})
		if err != nil {
			return err
		}
		r.Violations = []Violation{*v}
	}
	r.Decided, r.Complete = true, true
	return nil
}

// Fits reports whether p has room for its only run: that this is not cut by
// an Alloc. Of programs with inputs or threads, and of runs that take longer
// than DefaultSteps, it says true.
func Fits(ctx context.Context, p *ir.Program) bool {
	if ir.Concurrent(p) {
		return true
	}
	t, err := onlyRun(ctx, p, DefaultSteps)
	return t == nil || err != nil || t.Outcome != interp.Cut
}

package bmc

// Programs without inputs: all their runs are the same, so that one, in the
// interpreter, decides them, and says which bounds it needs. Of a program that
// is several tests, of which an input selects one, each that reads no other
// input is treated so. Of one whose only choices are loose the usual run says
// the bounds, and a formula decides.

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// DefaultSteps is the meaning of a Config.MaxSteps of 0: some seconds.
const DefaultSteps = 100_000_000

// firstSteps are those of a run that is only asked whether it fits.
const firstSteps = 20_000_000

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

// A solo is a run that is decided without a formula.
type solo struct {
	*interp.Trace
	fixed bool // it reads no input, but for which test it is of
}

// solos follows the only run of p or, if an entry parameter selects one of
// several tests, that of each: without bounds but for steps. It leaves out
// those that read an input in the test itself, and then reports false.
func solos(ctx context.Context, p *ir.Program, steps int) (list []solo, all bool, err error) {
	if ir.Concurrent(p) {
		return nil, false, nil
	}
	var which *ir.Var
	tests := uint64(1)
	if ps := p.Entry.Params; len(ps) > 0 && ps[0].Selects {
		which, tests = ps[0], 1<<ir.Width(ps[0].Type)
	}
	all = true
	for k := range tests {
		t, err := soloRun(ctx, p, steps, which, k)
		if err != nil {
			return nil, false, err
		}
		if t == nil || !t.fixed {
			all = false
		}
		if t != nil {
			list = append(list, *t)
		}
	}
	return list, all, nil
}

// soloRun runs the test of this number; it returns nil if that uses an
// input: one that is only moved from variable to variable, such as memory that
// was never set and is copied, makes no other run. What is used before the test
// is chosen prepares others.
func soloRun(ctx context.Context, p *ir.Program, steps int, which *ir.Var, number uint64) (*solo, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	chosen, inputs, open := which == nil, 0, false
	loose, unset := looseVars(p), UnsetResults(p)
	input := func(c ir.Choice) uint64 {
		if which != nil && c.Var == which.ID {
			chosen = true
			return number
		}
		return 0
	}
	used := func(c ir.Choice) {
		switch {
		case unset[c.Var], which != nil && c.Var == which.ID:
			return
		case chosen && !loose[c.Var]:
			open = true
			cancel(errInput)
		}
		inputs++
	}
	t, err := interp.Run(inner, p, interp.Config{Input: input, Used: used, Unwind: -1, MaxSteps: steps, NoSteps: true, Endless: true})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case open || err != nil:
		return nil, nil
	}
	return &solo{t, inputs == 0}, nil
}

// OnlyRun runs p as cfg says, but for the choices, if all its runs are this one. It
// returns nil if the run uses an input. What results of the entry are, which unset
// holds, is not used: see UnsetResults.
func OnlyRun(ctx context.Context, p *ir.Program, s Semantics, unset map[ir.VarID]bool, cfg interp.Config) (*interp.Trace, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	open := false
	cfg.Input = nil
	cfg.Used = func(c ir.Choice) {
		if !unset[c.Var] {
			open = true
			cancel(errInput)
		}
	}
	t, err := s.Run(inner, p, cfg)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case open:
		return nil, nil
	}
	return t, err
}

// looseVars returns the variables whose choices are no inputs.
func looseVars(p *ir.Program) map[ir.VarID]bool {
	loose := make(map[ir.VarID]bool)
	for _, v := range p.Vars() {
		if v.Loose {
			loose[v.ID] = true
		}
	}
	return loose
}

// UnsetResults returns the results of the entry that no statement names: what
// they are is asked when the run has ended, as with a main without a return.
func UnsetResults(p *ir.Program) map[ir.VarID]bool {
	unset := make(map[ir.VarID]bool)
	for _, v := range p.Entry.Results {
		unset[v.ID] = true
	}
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			if u, ok := (*e).(*ir.Use); ok {
				delete(unset, u.Var.ID)
			}
		})
	})
	return unset
}

// single is Check for a program that it decides without a formula. Of others
// it says which bounds their tests without inputs need, and in the error that
// goes with Result.Decided if one of these is undecided.
func single(ctx context.Context, p *ir.Program, cfg *Config) (*Result, *UndecidedError, error) {
	steps := cfg.MaxSteps
	if steps == 0 {
		steps = DefaultSteps
	}
	list, all, err := solos(ctx, p, steps)
	res := &Result{Unwind: cfg.Unwind, Loops: maps.Clone(cfg.Loops), Single: all}
	var undecided *UndecidedError
	for _, t := range list {
		if t.Outcome == interp.Cut || t.Outcome == interp.OutOfSteps {
			undecided = cutShort(t.Trace)
			continue
		}
		if t.Outcome == interp.Endless {
			res.Endless = true
			continue
		}
		res.raise(t.Trace)
		switch {
		case !all || t.Outcome != interp.Violated || err != nil:
		case t.Kind == ir.Unsupported:
			res.refused = append(res.refused, refusal(t.Failed))
		default:
			err = res.add(ctx, p, cfg, t.Trace)
		}
	}
	if err != nil || !all {
		return res, undecided, err
	}
	res.Decided = undecided == nil || len(res.Violations) > 0 && !cfg.All
	res.Complete = undecided == nil
	return res, undecided, nil
}

func cutShort(t *interp.Trace) *UndecidedError {
	e := &UndecidedError{Outcome: t.Outcome}
	if t.Failed != nil {
		e.At = t.Failed.Span()
	}
	return e
}

// raise makes the bounds enough for t.
func (r *Result) raise(t *interp.Trace) {
	if t.Depth > r.Unwind {
		r.Unwind, r.Raised = t.Depth, true
	}
	for l, n := range t.Rounds {
		own, ok := r.Loops[l]
		if !ok {
			own = r.Unwind
		}
		if n <= own {
			continue
		}
		if r.Loops == nil {
			r.Loops = make(map[ir.LocID]int)
		}
		r.Loops[l], r.Raised = n, true
	}
}

// add adds the violation of t, unless there is one already: of the same
// statement if All is asked for, else any.
func (r *Result) add(ctx context.Context, p *ir.Program, cfg *Config, t *interp.Trace) error {
	for i := range r.Violations {
		v := &r.Violations[i]
		if !cfg.All || v.Stmt == t.Failed && v.Kind == t.Kind && v.Site == t.Site {
			return nil
		}
	}
	m := make(ssa.Model)
	for _, in := range t.Inputs {
		m[in.Choice] = in.Value
	}
	v, err := replay(ctx, p, m, nil, &Config{Unwind: r.Unwind, Loops: r.Loops})
	if err == nil {
		r.Violations = append(r.Violations, *v)
	}
	return err
}

// Decides reports whether the interpreter decides p alone: whether all of its runs
// are one, or one for each of its tests, that reads no input and fits, as far as it
// is followed.
func Decides(ctx context.Context, p *ir.Program) bool {
	list, all, err := solos(ctx, p, firstSteps)
	for _, t := range list {
		all = all && t.Outcome != interp.Cut
	}
	return all && err == nil
}

// Fits reports whether p has room for its only run, or that of each of its
// tests without inputs: that none is cut by an Alloc, as far as it is followed.
func Fits(ctx context.Context, p *ir.Program) bool {
	list, _, _ := solos(ctx, p, firstSteps)
	for _, t := range list {
		if t.Outcome == interp.Cut {
			return false
		}
	}
	return true
}

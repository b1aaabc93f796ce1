package mutate

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// This file decides changes of a program that reads no input, a test mostly:
// its only run fails, so a change is a repair if its only run, in the
// interpreter, ends within the bound and the slack. That is exact, and much
// faster than a formula. The constraint that the failing run is to others is
// made all the same, since it says more than any single run, but only if it is
// not too large; else candidates are run one by one.

const (
	// soleSteps is how long the run of a candidate may be.
	soleSteps = 2 * bmc.DefaultSteps

	// maxSoleTerms is how large the constraint may be: it takes a second or two,
	// in which hundreds of candidates are run.
	maxSoleTerms = 1 << 19

	// maxPartTerms is the same for a candidate with holes.
	maxPartTerms = 1 << 16
)

// maxSoleElements is how long an array may be: a constraint in which nobody knows which
// element is read takes about as many terms for each read.
const maxSoleElements = 1 << 16

// isLarge reports whether p has such an array. Then its only run has no constraint, and
// those of candidates have no bounds.
func isLarge(p *ir.Program) bool {
	return slices.ContainsFunc(p.Vars(), func(v *ir.Var) bool {
		_, n := ir.Scalar(v.Type)
		return n > maxSoleElements
	})
}

// soleTermsOf is how large the constraint of the only run of p may be; negative: none.
func soleTermsOf(p *ir.Program) int {
	if isLarge(p) {
		return -1
	}
	return maxSoleTerms
}

// A soleProgram is a copy of the program in which the bodies of procedures are
// exchanged for changed ones: to copy all of it for each candidate would take
// longer than to run it.
type soleProgram struct {
	mu    sync.Mutex
	p     *ir.Program
	procs map[ir.SiteID][]*ir.Proc // that hold an occurrence
}

func newSoleProgram(p *ir.Program) *soleProgram {
	s := &soleProgram{p: p.Clone(), procs: make(map[ir.SiteID][]*ir.Proc)}
	s.p.Stmts(func(f *ir.Proc, x ir.Stmt) {
		ir.EachExpr(x, func(e *ir.Expr) {
			if id := (*e).Site(); id != 0 && !slices.Contains(s.procs[id], f) {
				s.procs[id] = append(s.procs[id], f)
			}
		})
	})
	return s
}

// with calls f on the changed program, which is gone after it.
func (s *soleProgram) with(changes ir.Changes, f func(q *ir.Program)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bodies := make(map[*ir.Proc]*ir.Block)
	for id := range changes {
		for _, g := range s.procs[id] {
			if g == nil { // what comes before all procedures
				f(s.p.Substitute(changes))
				return
			}
			bodies[g] = g.Body
		}
	}
	defer func() {
		for g, body := range bodies {
			g.Body = body
		}
	}()
	for g, body := range bodies {
		g.Body = ir.SubstituteBlock(body, changes)
	}
	f(s.p)
}

// onlyRunOf is onlyRun for the program of a candidate.
func (r *run) onlyRunOf(ctx context.Context, cand candidate) (v verdict, ok bool, err error) {
	r.running.with(r.sp.changes(cand), func(q *ir.Program) { v, ok, err = r.onlyRun(ctx, q) })
	return v, ok, err
}

// onlyRun decides q, a changed program, by its only run. It reports false if
// that reads an input, or is stopped at an assumption while there are formulas,
// which tell apart what that teaches.
func (r *run) onlyRun(ctx context.Context, q *ir.Program) (v verdict, ok bool, err error) {
	reads := false
	unwind, loops := r.within()
	t, err := r.cfg.Semantics.Run(ctx, q, interp.Config{
		Input: func(ir.Choice) uint64 {
			reads = true
			return 0
		},
		Unwind: unwind, Loops: loops, MaxSteps: soleSteps, NoSteps: true,
	})
	if err != nil || reads {
		return verdict{stage: unknown}, false, err
	}
	v = verdict{stage: notPreserving, model: r.first.model}
	switch t.Outcome {
	case interp.Blocked:
		return v, r.large.Load(), nil
	case interp.Ended:
		v = verdict{stage: passed, complete: r.short(t)}
	case interp.Violated:
		v.stage = unsafe
	case interp.OutOfSteps:
		v = verdict{stage: unknown}
	}
	return v, true, nil
}

// within returns the bounds of runs of changed programs.
func (r *run) within() (unwind int, loops map[ir.LocID]int) {
	if r.sole && isLarge(r.orig) { // there are no formulas that have to agree
		return -1, nil
	}
	return r.cfg.Unwind + r.cfg.Slack, r.loops(r.cfg.Slack)
}

// short reports whether the run needs no slack.
func (r *run) short(t *interp.Trace) bool {
	for l, n := range t.Rounds {
		bound, ok := r.cfg.Loops[l]
		if !ok {
			bound = r.cfg.Unwind
		}
		if n > bound {
			return false
		}
	}
	return t.Depth <= r.cfg.Unwind
}

// reached returns which sites the failing run of the original may have
// evaluated: a change of others alone changes nothing.
func (r *run) reached() ([]bool, error) {
	t, err := r.cfg.Semantics.Run(r.ctx, r.p, interp.Config{
		Input: r.first.model.Input, Unwind: r.cfg.Unwind, Loops: r.cfg.Loops, MaxSteps: soleSteps,
	})
	if err != nil {
		return nil, err
	}
	executed := make(map[ir.LocID]bool)
	for _, s := range t.Steps {
		executed[s.At] = true
	}
	in := make([]bool, len(r.sp.sites))
	r.p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		switch s.(type) {
		case *ir.Assign, *ir.If, *ir.Loop: // of which a trace has all that got to their end
			if s != t.Failed && !executed[s.Key()] {
				return
			}
		}
		for _, i := range r.sp.byLoc[s.Loc()] {
			in[i] = true
		}
	})
	return in, nil
}

// goodSole is good, or cegis.ErrOneByOne if candidates are decided by their
// only run and the proposition would be too large.
func (l *constraint) goodSole(in *ssa.Inputs, rest bool) (good formula.Term, free bool, err error) {
	if !l.sole {
		return l.good(in, rest)
	}
	if l.large.Load() || l.soleTerms < 0 {
		return 0, false, cegis.ErrOneByOne
	}
	l.most = l.soleTerms
	if l.enc.Part {
		l.most = min(l.most, maxPartTerms)
	}
	if good, free, err = l.good(in, rest); errors.Is(err, ssa.ErrTooLarge) {
		if !l.enc.Part { // which workers ask for, in any order
			l.large.Store(true)
		}
		err = cegis.ErrOneByOne
	}
	return good, free, err
}

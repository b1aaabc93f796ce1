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
// its only run fails, so a change is a repair if its only run, in the interpreter,
// ends. That is exact, and much faster than a formula. The constraint that the
// failing run is to others is made all the same, since it says more than any single
// run, but only if it is not too large; else candidates are run one by one.
//
// How often loops go round says nothing about the repaired program: a comparison of
// texts ends at the first difference, and a test with its first wrong case. So the
// bound of a candidate's run is a number of steps, and the constraint is only that
// nothing is violated within the bounds. What is beyond them is known of the
// candidate alone. The values of holes, though, that are not tried are those with
// which the run ends within bound and slack: there may be too many of others.

const (
	// A run of a candidate may be longerFactor times as long as that of the
	// original, which goes on after assertions that are false, and moreSteps
	// longer. The original's may be beyondFactor times as long as it is up to the
	// first one.
	longerFactor = 4
	moreSteps    = 100_000
	beyondFactor = 64

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
	p     *ir.Program
	unset map[ir.VarID]bool // results that it doesn't name: see bmc.UnsetResults
	space interp.Scratch
	procs map[ir.SiteID][]*ir.Proc // that hold an occurrence

	// Changes are of the original's nodes, which tell copies apart.
	original, copied map[ir.Expr]ir.Expr
}

func newSoleProgram(p *ir.Program) *soleProgram {
	s := &soleProgram{
		p: p.Clone(), unset: bmc.UnsetResults(p), procs: make(map[ir.SiteID][]*ir.Proc),
		original: make(map[ir.Expr]ir.Expr), copied: make(map[ir.Expr]ir.Expr),
	}
	var nodes []ir.Expr
	p.Stmts(func(_ *ir.Proc, x ir.Stmt) {
		ir.EachExpr(x, func(e *ir.Expr) { nodes = append(nodes, *e) })
	})
	s.p.Stmts(func(f *ir.Proc, x ir.Stmt) {
		ir.EachExpr(x, func(e *ir.Expr) {
			s.original[*e], s.copied[nodes[0]] = nodes[0], *e
			nodes = nodes[1:]
			if id := (*e).Site(); id != 0 && !slices.Contains(s.procs[id], f) {
				s.procs[id] = append(s.procs[id], f)
			}
		})
	})
	return s
}

// here returns changes of s.p.
func (s *soleProgram) here(changes ir.Changes) ir.Changes {
	out := make(ir.Changes)
	for id, change := range changes {
		out[id] = func(old ir.Expr) ir.Expr {
			if o := s.original[old]; o != nil {
				old = o
			}
			e := change(old)
			if c := s.copied[e]; c != nil { // it is below the old one
				e = c
			}
			return e
		}
	}
	return out
}

// with calls f on the changed program, which is gone after it, and with the results
// that it doesn't name.
func (s *soleProgram) with(changes ir.Changes, f func(q *ir.Program, unset map[ir.VarID]bool, space *interp.Scratch)) {
	changes = s.here(changes)
	bodies := make(map[*ir.Proc]*ir.Block)
	for id := range changes {
		for _, g := range s.procs[id] {
			if g == nil { // what comes before all procedures
				q := s.p.Substitute(changes)
				f(q, bmc.UnsetResults(q), &s.space)
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
	unset := s.unset
	if _, changed := bodies[s.p.Entry]; changed && len(unset) > 0 {
		unset = bmc.UnsetResults(s.p)
	}
	f(s.p, unset, &s.space)
}

// A solePool has a soleProgram for each that wants one at a time.
type solePool struct {
	p    *ir.Program
	mu   sync.Mutex
	free []*soleProgram
}

func (l *solePool) with(changes ir.Changes, f func(q *ir.Program, unset map[ir.VarID]bool, space *interp.Scratch)) {
	s := l.take()
	defer l.put(s)
	s.with(changes, f)
}

func (l *solePool) take() *soleProgram {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.free) - 1
	if n < 0 {
		return newSoleProgram(l.p)
	}
	s := l.free[n]
	l.free = l.free[:n]
	return s
}

func (l *solePool) put(s *soleProgram) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, s)
}

// onlyRunOf is onlyRun for the program of a candidate.
func (r *run) onlyRunOf(ctx context.Context, cand candidate) (v verdict, ok bool, err error) {
	r.running.with(r.sp.changes(cand), func(q *ir.Program, unset map[ir.VarID]bool, space *interp.Scratch) {
		v, ok, err = r.onlyRun(ctx, q, unset, space)
	})
	return v, ok, err
}

// onlyRun decides q, a changed program, by its only run. It reports false if
// that uses an input, or is stopped at an assumption while there are formulas,
// which tell apart what that teaches.
func (r *run) onlyRun(ctx context.Context, q *ir.Program, unset map[ir.VarID]bool, space *interp.Scratch) (v verdict, ok bool, err error) {
	unwind, loops, steps := r.limits()
	t, err := bmc.OnlyRun(ctx, q, r.cfg.Semantics, unset, interp.Config{Unwind: unwind, Loops: loops, MaxSteps: steps, NoSteps: true, Endless: true, Scratch: space})
	if err == nil && t == nil {
		return r.someRun(ctx, q, space)
	}
	if err != nil {
		return verdict{stage: unknown}, false, err
	}
	v = verdict{stage: notPreserving, model: r.first.model, alone: r.byLength}
	switch t.Outcome {
	case interp.Blocked:
		return v, r.large.Load(), nil
	case interp.Ended:
		v = verdict{stage: passed, complete: true, single: true}
	case interp.Violated:
		v.stage, v.alone = unsafe, r.byLength && !r.short(t)
	}
	return v, true, nil
}

// someRun looks for a failing run of q, which uses an input that the original
// doesn't, such as memory that is no longer set: with all of it 0, and with other
// values. It reports false if none is found.
func (r *run) someRun(ctx context.Context, q *ir.Program, space *interp.Scratch) (verdict, bool, error) {
	unwind, loops, steps := r.limits()
	for _, x := range [...]uint64{0, ^uint64(0), 0x5851f42d4c957f2d} {
		m := make(ssa.Model)
		t, err := r.cfg.Semantics.Run(ctx, q, interp.Config{
			Input: func(c ir.Choice) uint64 {
				m[c] = x
				return x
			},
			Unwind: unwind, Loops: loops, MaxSteps: steps, NoSteps: true, Endless: true, Scratch: space,
		})
		if err != nil {
			return verdict{stage: unknown}, false, err
		}
		switch v := (verdict{stage: notPreserving, model: m, alone: true}); t.Outcome {
		case interp.Violated:
			v.stage = unsafe
			return v, true, nil
		case interp.Cut, interp.OutOfSteps, interp.Endless:
			return v, true, nil
		}
	}
	return verdict{stage: unknown}, false, nil
}

// decideSole decides a candidate whose only run uses an input by a formula, if that
// is not too large.
func (r *run) decideSole(ctx context.Context, build, probe ssa.Builder) (verdict, error) {
	small := func(b ssa.Builder) ssa.Builder {
		return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
			cfg.MaxTerms = maxSoleTerms
			return b(st, cfg)
		}
	}
	v, err := decide(ctx, &r.cfg, small(build), small(probe))
	if errors.Is(err, ssa.ErrTooLarge) {
		return verdict{stage: unknown}, nil
	}
	return v, err
}

// beginSole prepares to decide candidates by their only run.
func (r *run) beginSole() error {
	r.running = &solePool{p: r.p}
	length := r.failed.Trace.Length
	if r.failed.Kind == ir.CheckAssert {
		t, err := r.cfg.Semantics.Run(r.ctx, r.p, interp.Config{
			Input: r.first.model.Input, Unwind: -1, MaxSteps: beyondFactor*length + moreSteps, NoSteps: true, Endless: true, PassOver: true,
		})
		if err != nil {
			return err
		}
		length = t.Length
	}
	r.soleSteps = longerFactor*length + moreSteps
	return nil
}

// limits returns the bounds of runs of changed programs.
func (r *run) limits() (unwind int, loops map[ir.LocID]int, steps int) {
	if r.sole && (r.byLength || isLarge(r.orig)) { // which has no formulas that have to agree
		return -1, nil, r.soleSteps
	}
	return r.cfg.Unwind + r.cfg.Slack, r.loops(r.cfg.Slack), -1
}

// short reports whether the run is within the bounds, without slack.
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
		Input: r.first.model.Input, Unwind: r.cfg.Unwind, Loops: r.cfg.Loops, MaxSteps: -1,
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

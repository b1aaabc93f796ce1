package mutate

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// This file asks Config.Prove of the bounded repairs, and draws conclusions
// from runs beyond the bound.

// Reach says which runs of a repair are known to be right.
type Reach uint8

const (
	Bounded    Reach = iota // those within the bound
	EveryBound              // all
	Refuted                 // not all: what Config.Prove says of no repair
)

func (r Reach) String() string { return [...]string{"bounded", "every bound", "refuted"}[r] }

// A Proof is what Config.Prove found out about a program.
type Proof struct {
	Reach    Reach
	Reason   string    // of Bounded: why no more is known
	Model    ssa.Model // of Refuted: an input on which a run of some length fails
	SATCalls int
}

// proveOriginal asks Config.Prove of the original: what it learns there may
// serve the repairs, and a program that is right within the bound may fail
// beyond it.
func (r *run) proveOriginal() error {
	if r.first.stage == passed {
		err := r.prove(r.orig, &r.first)
		r.stats.Refuted, r.stats.Proof = 0, r.first.proof
		return err
	}
	if r.cfg.Prove == nil {
		return nil
	}
	proof, err := r.cfg.proof(r.ctx, r.orig)
	r.calls += proof.SATCalls
	if err == nil && proof.Reach == EveryBound {
		err = &HookError{Hook: "Config.Prove", Why: "says that a program that fails is right for every bound"}
	}
	return err
}

// prove asks whether p, the program of a repair with verdict v, is right for
// every bound. If it is not, v fails from now on.
func (r *run) prove(p *ir.Program, v *verdict) error {
	if r.cfg.Prove == nil {
		return nil
	}
	if v.complete && !spawns(p) {
		v.proof = Proof{Reach: EveryBound} // all runs are within the bound
		return nil
	}
	var err error
	if v.proof, err = r.failsAgain(p); err == nil && v.proof.Reach != Refuted {
		v.proof, err = r.cfg.proof(r.ctx, p)
		r.calls += v.proof.SATCalls
	}
	if err != nil || v.proof.Reach != Refuted {
		return err
	}
	r.stats.Refuted++
	v.stage, v.model = unsafeBeyond, v.proof.Model
	v.slack, err = r.slackFor(p, v.model)
	if v.slack > farBeyond {
		r.beyond = append(r.beyond, v.model)
	}
	v.slack += r.cfg.Slack // for others that take longer to fail
	return err
}

const (
	// farBeyond is how far beyond the bound an input leads that is kept to
	// run others on it: the search may not be able to learn from it.
	farBeyond = 64

	// againSteps is how long these may run.
	againSteps = 1_000_000
)

// failsAgain returns that p is refuted, if it fails on an input that another
// candidate failed on far beyond the bound.
func (r *run) failsAgain(p *ir.Program) (Proof, error) {
	for _, m := range r.beyond {
		t, err := interp.Run(r.ctx, p, interp.Config{Input: m.Input, Unwind: -1, MaxSteps: againSteps, NoSteps: true, Accelerate: true})
		if err != nil {
			return Proof{}, err
		}
		if t.Outcome == interp.Violated {
			return Proof{Reach: Refuted, Model: m}, nil
		}
	}
	return Proof{}, nil
}

// spawns reports whether p has threads, whose rounds are bounded too.
func spawns(p *ir.Program) bool {
	found := false
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		_, ok := s.(*ir.Spawn)
		found = found || ok
	})
	return found
}

// slackFor returns how many more executions of loop bodies than the bound
// allows p needs to fail on m.
func (r *run) slackFor(p *ir.Program, m ssa.Model) (int, error) {
	fails := func(unwind int, loops map[ir.LocID]int) (bool, error) {
		t, err := interp.Run(r.ctx, p, interp.Config{Input: m.Input, Unwind: unwind, Loops: loops, MaxSteps: -1, NoSteps: true, Accelerate: true})
		return t.Outcome == interp.Violated, err
	}
	if ok, err := fails(-1, nil); err != nil {
		return 0, err
	} else if !ok {
		return 0, &HookError{Hook: "Config.Prove", Why: "says that a run fails, and it doesn't"}
	}
	low, high := 0, 1
	for {
		ok, err := fails(r.cfg.Unwind+high, r.loops(high))
		if err != nil {
			return 0, err
		}
		if ok {
			break
		}
		low, high = high, 2*high
	}
	for high-low > 1 {
		at := low + (high-low)/2
		ok, err := fails(r.cfg.Unwind+at, r.loops(at))
		if err != nil {
			return 0, err
		}
		if ok {
			high = at
		} else {
			low = at
		}
	}
	return high, nil
}

// maxCopies is how many copies of statements such a formula may have.
const maxCopies = 20*1024 - 1

// limited returns a builder like b that gives up where loops nest too deep
// for the bound: what is learned from a failing run must not cost more than
// refuting its likes one by one.
func limited(ctx context.Context, b ssa.Builder) ssa.Builder {
	return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
		cfg.MaxStatements = maxCopies
		cfg.Stop = func() error { return context.Cause(ctx) }
		return b(st, cfg)
	}
}

// deepen returns a must location set of the failing run beyond the bound that
// v says of cand: all candidates fail on its input that agree with cand there.
// It reports false if that run is too long to look at.
func (v *validator) deepen(cand candidate, d *verdict) (slice.Set, bool, error) {
	form, err := v.cfg.deep(v.st, ssa.Config{
		Unwind: v.cfg.Unwind, Loops: v.cfg.Loops, Slack: d.slack, Hook: v.sp.hook, Fold: true, Inputs: v.in,
	})
	if errors.Is(err, ssa.ErrTooLarge) {
		return slice.Set{}, false, nil
	} else if err != nil {
		return slice.Set{}, false, err
	}
	w := newInstrumentedForm(form, v.st.True(), violations(form))
	w.learn(d.model)
	must, ok := w.refute(v.sp.selectors(cand.alts))
	if !ok {
		return must, false, &InternalError{Why: "a failing run beyond the bound does not fail"}
	}
	return must, true, nil
}

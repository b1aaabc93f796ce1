package mutate

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// This file says what is demanded of a repair that may change how threads wait
// for each other, beyond what is demanded of all: locks are used as they should,
// some thread can always move, there is no data race where there was none, and
// neither the assertion that failed is out of reach now, nor the end, if the
// original could get there or was in its own way.

// demands are demanded of changed programs, beyond (a) and (b).
type demands struct {
	checks  ir.Checks
	ends    bool        // some run ends
	reached ir.LocID    // this assertion is reached, unless it is 0
	probe   ssa.Builder // problem.build, with that violated wherever it is reached
}

// strict makes these demands, after the original failed.
func (r *run) strict() error {
	if r.cfg.Decide != nil || !ir.Concurrent(r.orig) || !slices.ContainsFunc(r.cfg.Operators, func(op *Operator) bool { return op.Plan != nil && op.Plan.Synchronizes }) {
		return nil
	}
	checks := ir.Checks(0).With(ir.CheckDeadlock, ir.CheckLocks)
	races, err := r.races()
	if err != nil {
		return err
	}
	if !races {
		checks = checks.With(ir.CheckRace)
	}
	ends, err := r.mayEnd()
	if err != nil {
		return err
	}
	r.cfg.checks = checks
	r.p.Checks |= checks
	r.about(r.p)
	if r.cfg.AllowCuts {
		return nil
	}
	r.cfg.ends = ends
	if s, ok := r.failed.Stmt.(*ir.Assert); ok && r.failed.Kind == ir.CheckAssert {
		if _, never := s.Cond.(*ir.Const); !never { // else no repair may get there
			r.cfg.reached = s.ID
			r.cfg.probe = r.probe(r.p)
		}
	}
	return nil
}

// mayEnd reports whether a run of the original ends, or one was in a deadlock.
func (r *run) mayEnd() (bool, error) {
	if r.failed.Kind == ir.CheckDeadlock {
		return true, nil
	}
	d := newDecision(r.ctx, &r.cfg)
	form, err := d.build(r.cfg.build, 0)
	if err != nil {
		return false, err
	}
	s, err := d.solver(form)
	if err != nil {
		return false, err
	}
	ends, err := d.possible(s, form.End)
	r.calls += d.v.calls
	return ends, err
}

// probe returns the builder of p with the assertion that must be reached
// violated wherever it is; nil if none must.
func (r *run) probe(p *ir.Program) ssa.Builder {
	if r.cfg.reached == 0 {
		return nil
	}
	return r.cfg.Semantics.Builder(refused(p, r.cfg.reached))
}

// races reports whether the original has data races.
func (r *run) races() (bool, error) {
	q := *r.p
	q.Checks = ir.Checks(0).With(ir.CheckRace)
	res, err := bmc.Check(r.ctx, &q, bmc.Config{
		Unwind: ssa.Unwind(r.cfg.Unwind), Loops: r.cfg.Loops, NewSolver: r.cfg.NewSolver, Semantics: r.cfg.Semantics,
	})
	r.calls += res.SATCalls
	return len(res.Violations) > 0, err
}

// refused returns p with an assertion that nothing satisfies: it is violated
// where it is reached.
func refused(p *ir.Program, at ir.LocID) *ir.Program {
	q := p.Clone()
	q.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if a, ok := s.(*ir.Assert); ok && a.ID == at {
			a.Cond = &ir.Const{Typ: ir.Bool{}}
		}
	})
	return q
}

// reaches asks whether runs get to the end, and to the assertion that the
// original violated, as far as that is demanded.
func (d *decision) reaches(build, probe ssa.Builder) error {
	if d.cfg.ends {
		form, err := d.build(build, d.slack)
		if err != nil {
			return err
		}
		s, err := d.solver(form)
		if err != nil {
			return err
		}
		if ok, err := d.possible(s, form.End); err != nil || !ok {
			return d.outOfReach(err)
		}
	}
	if d.cfg.reached == 0 {
		return nil
	}
	form, err := d.build(probe, d.slack)
	if err != nil {
		return err
	}
	d.probed = form
	var at []formula.Term
	for i := range form.Claims {
		if form.Claims[i].At == d.cfg.reached {
			at = append(at, form.Claims[i].Guard)
		}
	}
	s, err := d.solver(form)
	if err != nil {
		return err
	}
	if ok, err := d.possible(s, d.st.OrN(at...)); err != nil || !ok {
		return d.outOfReach(err)
	}
	return nil
}

func (d *decision) outOfReach(err error) error {
	if err == nil {
		d.v.stage = unreachable
	}
	return err
}

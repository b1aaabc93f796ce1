package mutate

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// What is demanded of a repair that may change how threads wait for each
// other, beyond what is demanded of all: locks are used as they should,
// some thread can always move, there is no data race where there was none, and
// the assertion that failed is not out of reach now.

// strict makes these demands, after the original failed.
func (r *run) strict() error {
	if r.sp.locking == nil {
		return nil
	}
	demands := ir.Checks(0).With(ir.CheckDeadlock, ir.CheckLocks)
	races, err := r.races()
	if err != nil {
		return err
	}
	if !races {
		demands = demands.With(ir.CheckRace)
	}
	r.demands = demands
	r.p.Checks |= demands
	if s, ok := r.failed.(*ir.Assert); ok && s.Kind == ir.CheckAssert && !r.cfg.AllowCuts {
		r.cfg.reached = s.ID
	}
	r.about(r.p)
	r.cfg.probe = r.probe(r.p)
	return nil
}

// probe returns the builder of p with the assertion that must be reached
// violated wherever it is; nil if none must.
func (r *run) probe(p *ir.Program) ssa.Builder {
	if r.cfg.reached == 0 {
		return nil
	}
	return r.cfg.Semantics.Builder(unreachable(p, r.cfg.reached))
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

// unreachable returns p with an assertion that nothing satisfies: it is
// violated where it is reached.
func unreachable(p *ir.Program, at ir.LocID) *ir.Program {
	q := p.Clone()
	q.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if a, ok := s.(*ir.Assert); ok && a.ID == at {
			a.Cond = &ir.Const{Typ: ir.Bool{}}
		}
	})
	return q
}

// reaches asks whether a run gets to the assertion that the original violated.
func (d *decision) reaches(probe ssa.Builder) error {
	form, err := d.buildOn(probe, ssa.NewInputs(d.st), 0)
	if err != nil {
		return err
	}
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
	if ok, err := d.possible(s, d.st.OrN(at...)); err != nil || ok {
		return err
	}
	d.v.stage = failsReach
	return nil
}

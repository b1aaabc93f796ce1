package slice

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// MaxSat is localization by maximal satisfiability (Jose and Majumdar,
// "Cause Clue Clauses", PLDI 2011): the extended trace formula says that
// the failing input was read, the statements on the trace were executed and
// the assertion held. It is unsatisfiable; the smallest sets of statements
// whose removal makes it satisfiable are where the fault may be. As the
// trace is fixed, conditions that should have gone the other way are
// missed, so these are may sets.
type MaxSat struct {
	build ssa.Builder
	cfg   ssa.Config
	next  func() sat.Solver
}

// NewMaxSat returns the localizer for the program that build builds, within
// the bounds of cfg, whose Hook and Fold it ignores.
func NewMaxSat(build ssa.Builder, cfg ssa.Config, solver func() sat.Solver) *MaxSat {
	cfg.Hook, cfg.Fold = nil, false
	return &MaxSat{build, cfg, solver}
}

// Localize returns the union of all complements of maximal satisfiable
// subsets. If ctx ends, it returns those found so far and ctx's cause.
func (x *MaxSat) Localize(ctx context.Context, m ssa.Model) (Set, bool, error) {
	var set Set
	form, err := x.build.Under(ctx)(formula.NewStore(), x.cfg)
	if err != nil {
		return set, false, err
	}
	s := formula.NewSolver(form.Store, x.next())
	t := &trace{g: NewGraph(form), s: s, groups: make(map[ir.LocID]formula.Term)}
	if err := t.assert(m); err != nil {
		return set, false, err
	}
	soft := make([]sat.Lit, len(t.order))
	for i, l := range t.order {
		soft[i] = s.Lit(t.groups[l])
	}
	for {
		_, err := sat.MaxSat(ctx, s.SAT(), soft)
		if errors.Is(err, sat.ErrUnsat) {
			return set, false, nil // no other statements to remove
		} else if err != nil {
			return set, false, err
		}
		var clause []sat.Lit
		for i, lit := range soft {
			if !s.SAT().Value(lit) {
				clause = append(clause, lit)
				set.Add(t.order[i])
			}
		}
		s.SAT().AddClause(clause...)
	}
}

// A trace is an extended trace formula in the making.
type trace struct {
	g      *Graph
	s      *formula.Solver
	groups map[ir.LocID]formula.Term // the statement's constraints hold
	order  []ir.LocID
}

// assert adds the extended trace formula of the failing run on m.
func (t *trace) assert(m ssa.Model) error {
	claim, err := t.g.start(m, nil)
	if err != nil {
		return err
	}
	form, st, run := t.g.form, t.g.form.Store, t.g.run
	equal := func(x formula.Term, v uint64) { t.s.Assert(st.Eq(x, st.Const(st.Width(x), v))) }
	for _, in := range form.Inputs.All() {
		equal(in.Term, m[in.Choice])
	}
	taken := make(map[formula.Term]bool) // names that decide branches
	for i := range form.Defs {
		d := &form.Defs[i]
		if run.Value(d.Guard) == 0 {
			continue // not on the trace
		}
		t.branches(d.Guard, taken)
		t.constrain(d)
	}
	t.branches(claim.Guard, taken)
	for i := range form.Defs {
		if n := form.Defs[i].Name; taken[n] {
			equal(n, run.Value(n))
		}
	}
	t.s.Assert(claim.Cond)
	return nil
}

// branches notes the names that decide whether the trace gets to guard.
func (t *trace) branches(guard formula.Term, taken map[formula.Term]bool) {
	for _, v := range formula.Important(t.g.form.Store, guard, t.g.run.Evaluator(), nil) {
		taken[v] = true
	}
}

// constrain adds the constraint of d.
func (t *trace) constrain(d *ssa.Def) {
	st := t.g.form.Store
	switch {
	case d.Phi:
		t.s.Assert(st.Eq(d.Name, chosen(t.g, d.Value)))
	case d.Origin == 0:
		t.s.Assert(st.Eq(d.Name, d.Value))
	default:
		on, ok := t.groups[d.Origin]
		if !ok {
			on = st.Var(1, "on")
			t.groups[d.Origin] = on
			t.order = append(t.order, d.Origin)
		}
		t.s.Assert(st.Implies(on, st.Eq(d.Name, d.Value)))
	}
}

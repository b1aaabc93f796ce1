package ssa_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// TestAlternatives asks a solver, in each encoding, whether programs with
// some of their alternatives selected violate a claim on one input, and runs
// the programs that were changed so.
func TestAlternatives(t *testing.T) {
	n := uint64(250)
	if testing.Short() {
		n = 80
	}
	answers := make(map[bool]int)
	for seed := range n {
		p := gen.Program(rand.New(rand.NewPCG(seed, 17)), gen.Config{Checks: allChecks})
		p.Checks = p.Checks.With(ir.CheckBounds, ir.CheckDiv) // no choices but the inputs
		for _, cfg := range []ssa.Config{{Guarded: true}, {Fold: true, Guarded: true}, {}, {Flat: true, Guarded: true}} {
			a := newAltered(t, p, cfg)
			for k := range uint64(3) {
				answers[a.compare(seed*10+k)]++
				if t.Failed() {
					t.Fatalf("seed %d, %+v\n%s", seed, cfg, p)
				}
			}
		}
	}
	t.Log(answers)
	if answers[true] < 50 || answers[false] < 50 {
		t.Errorf("too few of one answer: %v", answers)
	}
}

// An altered is the form of a program whose sites have alternatives.
type altered struct {
	*testing.T
	form   *ssa.Form
	solver *formula.Solver
	sites  []ir.SiteID
	on     map[ir.SiteID][]formula.Term // selectors
}

// other returns the k-th alternative for e, nil if there is none.
func other(e ir.Expr, k int) ir.Expr {
	switch e := e.(type) {
	case *ir.Const:
		if k < 2 {
			return &ir.Const{Val: ir.Wrap(e.Typ, e.Val+1-2*uint64(k)), Typ: e.Typ}
		}
	case *ir.Binary:
		if ops := (map[ir.Op][]ir.Op{ir.Add: {ir.Sub, ir.Mul}, ir.Sub: {ir.Add, ir.Div}, ir.Lt: {ir.Le, ir.Ne}, ir.LAnd: {ir.LOr}}[e.Op]); k < len(ops) {
			return &ir.Binary{Op: ops[k], X: e.X, Y: e.Y}
		}
	}
	return nil
}

func newAltered(t *testing.T, p *ir.Program, cfg ssa.Config) *altered {
	t.Helper()
	st := formula.NewStore()
	a := &altered{T: t, on: make(map[ir.SiteID][]formula.Term)}
	cfg.Unwind = 2
	cfg.Hook = func(h ssa.Hole) (alts []ssa.Alternative) {
		if h.Site == 0 {
			return nil
		}
		for k := 0; other(h.Expr, k) != nil; k++ {
			if k == 0 && a.on[h.Site] == nil {
				a.sites = append(a.sites, h.Site)
			}
			if k == len(a.on[h.Site]) {
				a.on[h.Site] = append(a.on[h.Site], st.Var(1, "on"))
			}
			alts = append(alts, ssa.Alternative{When: a.on[h.Site][k], Expr: other(h.Expr, k)})
		}
		return alts
	}
	var err error
	if a.form, err = ssa.Build(st, p, cfg); err != nil {
		t.Fatal(err)
	}
	a.solver = formula.NewSolver(st, sat.New())
	a.form.Load(a.solver)
	return a
}

// compare selects alternatives at random, and reports whether the program
// violates a claim.
func (a *altered) compare(seed uint64) bool {
	rng := rand.New(rand.NewPCG(seed, 19))
	st := a.form.Store
	var assume []formula.Term
	changes := make(ir.Changes)
	for _, s := range a.sites {
		chosen := rng.IntN(8)
		for k, on := range a.on[s] {
			if k != chosen {
				on = st.Not(on)
			} else {
				changes[s] = func(e ir.Expr) ir.Expr { return other(e, k) }
			}
			assume = append(assume, on)
		}
	}
	model := make(ssa.Model)
	for _, in := range a.form.Inputs.All() {
		model[in.Choice] = ir.Wrap(in.Type, rng.Uint64())
		assume = append(assume, st.Eq(in.Term, st.Const(st.Width(in.Term), model[in.Choice])))
	}
	x, err := interp.Run(a.Context(), a.form.Program.Substitute(changes), interp.Config{Unwind: 2, Input: model.Input})
	if err != nil {
		a.Fatal(err)
	}
	got, err := a.solver.Check(a.Context(), append(assume, a.form.Violated())...)
	if err != nil {
		a.Fatal(err)
	}
	if (got == sat.Sat) != (x.Outcome == interp.Violated) {
		a.Errorf("run %d: violated is %v, the run %v (%v)", seed, got, x.Outcome, x.Kind)
	}
	return got == sat.Sat
}

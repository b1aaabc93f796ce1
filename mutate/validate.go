package mutate

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// A query is one form with alternatives, loaded into a solver, and a
// proposition that is true of the failing runs of the selected program.
type query struct {
	form  *ssa.Form
	s     *formula.Solver
	bad   []formula.Term // the ways to fail; a model satisfies one
	any   sat.Lit        // some of bad
	graph *slice.Graph   // made when first needed
	lits  []sat.Lit      // by alternative
}

// newQuery returns the query for bad in the given form.
func newQuery(form *ssa.Form, s sat.Solver, sp *space, given formula.Term, bad []formula.Term) *query {
	q := &query{form: form, s: formula.NewSolver(form.Store, s), bad: bad}
	form.Load(q.s)
	q.any = q.s.Lit(form.Store.And(given, form.Store.OrN(bad...)))
	q.lits = make([]sat.Lit, len(sp.alts))
	for k, a := range sp.alts {
		q.lits[k] = q.s.Lit(a.when)
	}
	return q
}

// solve asks whether goal is possible in the program that cand selects.
func (q *query) solve(ctx context.Context, goal sat.Lit, cand []int) (sat.Status, error) {
	assume := make([]sat.Lit, 0, len(q.lits)+1)
	assume = append(assume, goal)
	for _, m := range q.lits {
		assume = append(assume, m.Not())
	}
	for _, k := range cand {
		assume[k+1] = q.lits[k]
	}
	return q.s.Solve(ctx, assume...)
}

// must returns the must location set of the failing run on m of the program
// with the given selectors.
func (q *query) must(m ssa.Model, selected []formula.Term) slice.Set {
	if q.graph == nil {
		q.graph = slice.NewGraph(q.form)
	}
	run := q.graph.Run()
	run.Start(m, selected)
	for _, b := range q.bad {
		if run.Value(b) == 1 {
			return q.graph.Slice(b)
		}
	}
	panic("mutate: a model that is no failing run")
}

// A validator decides whether candidates are repairs.
type validator struct {
	cfg    *Config
	sp     *space
	inputs *ssa.Inputs
	short  *query  // (a)
	cut    sat.Lit // in short: the run is cut
	long   *query  // (b), made when the first candidate passes (a)
}

func newValidator(st *formula.Store, sp *space, cfg *Config) (*validator, error) {
	v := &validator{cfg: cfg, sp: sp, inputs: ssa.NewInputs(st)}
	form, err := cfg.Build(st, v.config(sp.hook, 0))
	if err != nil {
		return nil, err
	}
	bad := make([]formula.Term, len(form.Claims))
	for i := range bad {
		bad[i] = form.Claims[i].Violated(st)
	}
	v.short = newQuery(form, cfg.NewSolver(), sp, st.True(), bad)
	v.cut = v.short.s.Lit(form.Cut())
	return v, nil
}

func (v *validator) config(hook ssa.Hook, slack int) ssa.Config {
	return ssa.Config{
		Unwind: v.cfg.Unwind, Loops: v.cfg.Loops, Slack: slack,
		Hook: hook, Fold: true, Inputs: v.inputs,
	}
}

// lengthen makes the query for (b).
func (v *validator) lengthen() error {
	if v.long != nil {
		return nil
	}
	st := v.short.form.Store
	form := v.short.form
	if len(form.Cuts) > 0 { // else a higher bound changes nothing
		var err error
		if form, err = v.cfg.Build(st, v.config(v.sp.hook, v.cfg.Slack)); err != nil {
			return err
		}
	}
	orig, err := v.cfg.Build(st, v.config(nil, 0))
	if err != nil {
		return err
	}
	v.long = newQuery(form, v.cfg.NewSolver(), v.sp, orig.Ended(), hides(orig, form))
	return nil
}

// hides returns the ways in which a run of changed fails (b), where the
// original's ended.
func hides(orig, changed *ssa.Form) []formula.Term {
	st := changed.Store
	var bad []formula.Term
	add := func(t formula.Term) {
		if t != st.False() {
			bad = append(bad, t)
		}
	}
	for i := range changed.Claims {
		add(changed.Claims[i].Violated(st))
	}
	for _, c := range changed.Cuts {
		add(c.Guard)
	}
	type place struct {
		at   ir.LocID
		path ir.Path
	}
	index := make(map[place]int)
	for i, a := range orig.Assumes {
		index[place{a.At, a.Path}] = i
	}
	for _, a := range changed.Assumes {
		if i, ok := index[place{a.At, a.Path}]; ok {
			add(st.AndN(orig.Passed(i), a.Guard, st.Not(a.Cond)))
		}
	}
	return bad
}

// certify proves the changed program q a repair of p from scratch. It
// returns the reason why not, or "".
func certify(ctx context.Context, cfg *Config, build ssa.Builder) (string, error) {
	st := formula.NewStore()
	in := ssa.NewInputs(st)
	make := func(b ssa.Builder, slack int) (*ssa.Form, error) {
		return b(st, ssa.Config{Unwind: cfg.Unwind, Loops: cfg.Loops, Slack: slack, Fold: true, Inputs: in})
	}
	short, err := make(build, 0)
	if err != nil {
		return "", err
	}
	s := formula.NewSolver(st, cfg.NewSolver())
	short.Load(s)
	if why, err := refuted(ctx, s, short.Violated(), "a run violates an assertion"); why != "" || err != nil || cfg.AllowCuts {
		return why, err
	}
	orig, err := make(cfg.Build, 0)
	if err != nil {
		return "", err
	}
	long, err := make(build, cfg.Slack)
	if err != nil {
		return "", err
	}
	s = formula.NewSolver(st, cfg.NewSolver())
	long.Load(s)
	bad := st.And(orig.Ended(), st.OrN(hides(orig, long)...))
	return refuted(ctx, s, bad, "a run that ended before is cut, stopped or violated")
}

// refuted returns why if bad is possible.
func refuted(ctx context.Context, s *formula.Solver, bad formula.Term, why string) (string, error) {
	switch status, err := s.Check(ctx, bad); status {
	case sat.Unsat:
		return "", nil
	case sat.Sat:
		return why, nil
	default:
		return "", err
	}
}

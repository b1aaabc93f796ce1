package slice

import (
	"context"
	"iter"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// Angelic finds the expressions that could repair failing runs: those for which
// some values, a value for each time that a run evaluates it, make each of these
// runs end and violate nothing (Chandra, Torlak, Barman and Bodik, "Angelic
// Debugging", ICSE 2011). A repair of the program by any other expressions at
// one site makes that site angelic, so where none is, no scheme has such a
// repair; likewise for two sites. Unlike the must sets of FOSFL, which say of
// which locations one has to change, it says of single ones that a change is
// enough for the known runs. Names of arrays, which have no value, are left out.
//
// It is for programs without threads.
type Angelic struct {
	// Hard, unless nil, says which statements must not change, besides those of
	// procedures that are hard.
	Hard func(ir.Stmt) bool

	p    *ir.Program
	cfg  ssa.Config
	next func() sat.Solver
}

// NewAngelic returns the localizer for p within the bounds of cfg, of which it
// takes no more than Unwind, Loops, Slack and the limits. Changed runs may go on for
// twice the bound, as those of repairs may. The error is an *ir.UnsupportedError
// if p has threads.
func NewAngelic(p *ir.Program, cfg ssa.Config, solver func() sat.Solver) (*Angelic, error) {
	if at := threadIn(p); at != nil {
		return nil, &ir.UnsupportedError{Span: at.Span(), Construct: "a program with threads", Hint: "angelic values are of programs without"}
	}
	return &Angelic{p: p, next: solver, cfg: ssa.Config{
		Unwind: cfg.Unwind, Loops: cfg.Loops, Slack: cfg.Slack, MaxTerms: cfg.MaxTerms, MaxStatements: cfg.MaxStatements, Flat: true,
	}}, nil
}

// threadIn returns a statement of p that only programs with threads have, or nil.
func threadIn(p *ir.Program) (found ir.Stmt) {
	if !ir.Concurrent(p) {
		return nil
	}
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		switch s.(type) {
		case *ir.Spawn, *ir.Join, *ir.Lock, *ir.Unlock, *ir.Wait, *ir.Signal, *ir.Broadcast, *ir.Atomic:
			if found == nil {
				found = s
			}
		}
	})
	return found
}

// An AngelicSet is a set of sites that together could repair all runs, and none
// of which can be left out.
type AngelicSet struct {
	Sites []ir.SiteID // in order

	// Values are, for each run, values that do, in the order in which the run
	// evaluates the sites. The interpreter has confirmed them.
	Values [][]AngelicValue
}

// An AngelicValue is the value of one evaluation of a site.
type AngelicValue struct {
	Site ir.SiteID
	At   ir.LocID // Key of the statement
	Path ir.Path
	Type ir.Type
	Bits uint64
}

// Sets yields the sets of at most size sites that could repair all of runs,
// smallest first, otherwise in the order in which they are found. It makes one
// formula of all runs with all sites, in time linear in their length, and takes
// a query for each set and size; the sites that a run evaluates are a few hundred
// for a function of some pages, so pairs take minutes where they are many. If a
// run doesn't violate anything the error is ErrPasses. When ctx ends its cause
// is the error.
func (a *Angelic) Sets(ctx context.Context, runs []ssa.Model, size int) iter.Seq2[*AngelicSet, error] {
	return func(yield func(*AngelicSet, error) bool) {
		q := &angelicQuery{Angelic: a, st: formula.NewStore(), on: make(map[ir.SiteID]formula.Term), types: make(map[ir.SiteID]ir.Type)}
		q.s = formula.NewSolver(q.st, a.next())
		err := q.prepare(ctx, runs)
		if len(q.sites) == 0 && err == nil {
			return
		}
		for n := 1; n <= size && err == nil; n++ {
			for {
				var x *AngelicSet
				if x, err = q.find(ctx, n); x == nil || err != nil {
					break
				}
				if !yield(x, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// An angelicQuery asks for sets of sites.
type angelicQuery struct {
	*Angelic
	st    *formula.Store
	s     *formula.Solver
	runs  []*angelicRun
	sites []ir.SiteID // that some run may evaluate, in the order of the runs
	on    map[ir.SiteID]formula.Term
	types map[ir.SiteID]ir.Type
	lits  []sat.Lit // of on, by sites
	size  *sat.Totalizer
}

// An angelicRun is a failing run, in which sites that are on have any values.
type angelicRun struct {
	model  ssa.Model
	later  *ssa.Inputs // choices that the run makes
	values map[evaluation]formula.Term
}

// An evaluation of a site is one copy of it.
type evaluation struct {
	site ir.SiteID
	at   ir.LocID
	path ir.Path
}

// prepare asserts that all runs are good.
func (q *angelicQuery) prepare(ctx context.Context, runs []ssa.Model) error {
	for _, m := range runs {
		r := &angelicRun{model: m, values: make(map[evaluation]formula.Term)}
		good, err := q.good(ctx, r)
		if err != nil {
			return err
		}
		q.runs = append(q.runs, r)
		if err := q.s.Within(ctx, func() { q.s.Assert(good) }); err != nil {
			return err
		}
	}
	for _, id := range q.sites {
		q.lits = append(q.lits, q.s.Lit(q.on[id]))
	}
	if len(q.lits) > 0 {
		q.size = sat.NewTotalizer(q.s.SAT(), q.lits...)
	}
	return nil
}

// good returns the proposition that the run r ends and violates nothing. What the
// original has not chosen when it fails is free: a changed run goes on.
func (q *angelicQuery) good(ctx context.Context, r *angelicRun) (formula.Term, error) {
	build := ssa.For(q.p).Under(ctx)
	cfg := q.cfg
	cfg.Inputs = ssa.FixedInputs(q.st, r.model)
	orig, err := build(q.st, cfg)
	if err != nil {
		return 0, err
	}
	if v, ok := q.st.Value(orig.Violated()); ok && v == 0 {
		return 0, ErrPasses
	}
	made := orig.Chosen()
	r.later = ssa.GivenInputs(q.st, func(c ir.Choice, t ir.Type) formula.Term {
		if made(c) == q.st.False() {
			return q.st.Var(ir.Width(t), "later")
		}
		return q.st.Const(ir.Width(t), r.model.Input(c))
	})
	cfg.Inputs, cfg.Slack = r.later, q.slack()
	cfg.Hook = func(h ssa.Hole) []ssa.Alternative { return q.offer(r, h) }
	form, err := build(q.st, cfg)
	if err != nil {
		return 0, err
	}
	return q.st.And(form.End, q.st.Not(form.Violated())), nil
}

// slack is how much further than the bound a changed run may go.
func (a *Angelic) slack() int { return a.cfg.Slack + a.cfg.Unwind }

// offer offers any value for h.
func (q *angelicQuery) offer(r *angelicRun, h ssa.Hole) []ssa.Alternative {
	if h.Site == 0 || q.Hard != nil && q.Hard(h.Stmt) {
		return nil
	}
	on, ok := q.on[h.Site]
	if !ok {
		on = q.st.Var(1, "on")
		q.on[h.Site], q.types[h.Site] = on, h.Expr.Type()
		q.sites = append(q.sites, h.Site)
	}
	k := evaluation{h.Site, h.Stmt.Key(), h.Path}
	v, ok := r.values[k]
	if !ok {
		v = q.st.Var(q.st.Width(h.Term), "angelic")
		r.values[k] = v
	}
	return []ssa.Alternative{{When: on, Value: v}}
}

// find returns another set of n sites, or nil if there is none.
func (q *angelicQuery) find(ctx context.Context, n int) (*AngelicSet, error) {
	status, err := q.s.Solve(ctx, q.size.AtMost(n))
	if status != sat.Sat {
		return nil, err
	}
	x := new(AngelicSet)
	var clause []sat.Lit
	for i, id := range q.sites {
		if q.s.SAT().Value(q.lits[i]) {
			x.Sites = append(x.Sites, id)
			clause = append(clause, q.lits[i].Not())
		}
	}
	slices.Sort(x.Sites)
	if err := q.confirm(ctx, x); err != nil {
		return nil, err
	}
	q.s.SAT().AddClause(clause...)
	return x, nil
}

// confirm plays all runs with the values that were found, and notes which of them
// are evaluated.
func (q *angelicQuery) confirm(ctx context.Context, x *AngelicSet) error {
	p, sites := withChoices(q.p, x.Sites, q.types)
	for _, r := range q.runs {
		later := r.later.Model(q.s)
		var values []AngelicValue
		t, err := interp.Run(ctx, p, interp.Config{
			Unwind: q.cfg.Unwind + q.slack(), Loops: raised(q.cfg.Loops, q.slack()), MaxSteps: -1, NoSteps: true,
			Input: func(c ir.Choice) uint64 {
				id, ok := sites[ir.Choice{At: c.At, Nth: c.Nth}]
				if !ok || c.Var != 0 {
					return later.Input(c)
				}
				v := AngelicValue{Site: id, At: c.At, Path: c.Path, Type: q.types[id]}
				if t, ok := r.values[evaluation{id, c.At, c.Path}]; ok {
					v.Bits = q.s.Value(t)
				}
				values = append(values, v)
				return v.Bits
			},
		})
		if err != nil {
			return err
		}
		if t.Outcome != interp.Ended {
			return ir.Internalf("slice", "a run with angelic values is %v", t.Outcome)
		}
		x.Values = append(x.Values, values)
	}
	return nil
}

// withChoices returns p with choices at sites, and the sites by what names their
// choices.
func withChoices(p *ir.Program, sites []ir.SiteID, types map[ir.SiteID]ir.Type) (*ir.Program, map[ir.Choice]ir.SiteID) {
	changes := make(ir.Changes)
	for _, id := range sites {
		changes[id] = func(ir.Expr) ir.Expr { return &ir.Any{Typ: types[id]} }
	}
	p = p.Substitute(changes)
	names := make(map[ir.Choice]ir.SiteID)
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			if id := (*e).Site(); changes[id] != nil {
				names[ir.Choice{At: s.Key(), Nth: ir.Nth(s, *e)}] = id
			}
		})
	})
	return p, names
}

// raised returns the bounds of single loops with slack.
func raised(loops map[ir.LocID]int, slack int) map[ir.LocID]int {
	out := make(map[ir.LocID]int)
	for l, n := range loops {
		out[l] = n + slack
	}
	return out
}

// Package bmc checks whether a bounded run of a program violates an
// assertion: bounded model checking on the constraint sets of package ssa.
//
// A program that reads no input has one run. The interpreter follows it to
// its end, whatever the bounds, and that decides: such a program never holds
// because its run was cut.
//
// Each counterexample has been replayed by the interpreter (package interp)
// before it is returned.
//
// A run that gets to an assertion of kind ir.Unsupported decides nothing: if no
// other one is violated, the answer is an *ir.UnsupportedError.
package bmc

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// Config says what to check. The zero Config works.
type Config struct {
	Unwind    int               // as in ssa.Config, but 0 means ssa.DefaultUnwind, negative none
	Loops     map[ir.LocID]int  // as in ssa.Config
	All       bool              // one violation of each assertion and check, else one
	NewSolver func() sat.Solver // nil means sat.New
	Semantics Semantics         // nil means Sequential

	// MaxSteps limits the only run of a program without inputs, as in
	// interp.Config; 0 means DefaultSteps.
	MaxSteps int
}

// A Violation is a failing run.
type Violation struct {
	Stmt  ir.Stmt   // the assertion, or the statement whose operation is checked
	Kind  ir.Kind   // what was violated
	Site  ir.SiteID // the checked operation; 0 for an assertion
	Model ssa.Model // the input
	Trace *interp.Trace

	// Schedule says how threads took turns, nil without threads. With what
	// Model says of inputs it replays the run, without a formula.
	Schedule *ir.Schedule
}

// A Result says what was found. If Check also returns an error, what was
// found holds, but there may be more.
type Result struct {
	Decided    bool        // all that was asked is answered, but for Complete
	Violations []Violation // in order of the program's execution
	Complete   bool        // no run was cut: the bounds were large enough
	SATCalls   int

	// Reason is that of the error if Decided is false. See the function of
	// that name.
	Reason string

	// Unwind and Loops are the bounds that were used, as in ssa.Config (the
	// Unwind of a Config is ssa.Unwind of this). Single says that the
	// program reads no input, so that its only run decided, and Raised that
	// this needs more than the Config's bounds.
	Unwind         int
	Loops          map[ir.LocID]int
	Single, Raised bool

	// Endless says that some runs may never end: they go round in a loop and come
	// to a state in which they were. No bound cuts these.
	Endless bool

	refused []error // of runs that get to what is not supported
}

// Check looks for bounded runs of p, which must be well-formed, that
// violate a claim; of a program without inputs, whatever the bounds, whether
// its only run does. The error is that of ssa.Build, an *UndecidedError,
// *ir.UnsupportedErrors, or ctx's cause.
func Check(ctx context.Context, p *ir.Program, cfg Config) (*Result, error) {
	res, err := check(ctx, p, cfg)
	if res == nil {
		res = &Result{}
	}
	if len(res.refused) > 0 && (cfg.All || len(res.Violations) == 0) {
		res.Decided, res.Complete = false, false
		err = errors.Join(append(res.refused, err)...)
	}
	if !res.Decided {
		res.Reason = Reason(ctx, err)
	}
	return res, err
}

func check(ctx context.Context, p *ir.Program, cfg Config) (*Result, error) {
	if cfg.NewSolver == nil {
		cfg.NewSolver = sat.New
	}
	cfg.Unwind = ssa.Bound(cfg.Unwind)
	known, undecided, err := single(ctx, p, &cfg)
	if err != nil || known.Decided {
		return known, err
	}
	if known.Single {
		return known, undecided
	}
	cfg.Unwind, cfg.Loops = known.Unwind, known.Loops
	st := formula.NewStore()
	form, err := cfg.semantics().Builder(p).Under(ctx)(st, ssa.Config{Unwind: cfg.Unwind, Loops: cfg.Loops, Fold: true})
	if err != nil {
		return &Result{}, err
	}
	c := &checker{p: p, cfg: &cfg, form: form, s: formula.NewSolver(st, cfg.NewSolver()), res: known}
	if err := c.s.Within(ctx, func() { form.Load(c.s) }); err != nil {
		return c.res, err
	}
	if err := c.run(ctx); err != nil || undecided == nil {
		return c.res, err
	}
	c.res.Complete, c.res.Decided = false, len(c.res.Violations) > 0 && !cfg.All
	return c.res, undecided
}

type checker struct {
	p    *ir.Program
	cfg  *Config
	form *ssa.Form
	s    *formula.Solver
	res  *Result
}

// A property is what one assertion or check says, at all its copies.
type property struct {
	at   ir.LocID
	site ir.SiteID
	kind ir.Kind
}

func (c *checker) run(ctx context.Context) error {
	asked, refused := c.properties()
	if !c.cfg.All {
		asked, refused = c.anyOf(asked), c.anyOf(refused)
	}
	for _, bad := range slices.Concat(asked, refused) {
		if err := c.find(ctx, bad); err != nil {
			return err
		}
		if !c.cfg.All && len(c.res.Violations) > 0 {
			break
		}
	}
	c.res.Decided = true
	if len(c.form.Cuts) == 0 {
		c.res.Complete = true
		return nil
	}
	status, err := c.solve(ctx, c.form.Cut())
	c.res.Complete = status == sat.Unsat
	if status != sat.Sat || len(c.res.Violations) > 0 || ir.Concurrent(c.p) {
		return err
	}
	return c.endless(ctx)
}

// endless asks whether all runs that were cut go round in a loop without an
// effect. All that they violate is violated without these rounds, too.
func (c *checker) endless(ctx context.Context) error {
	st := formula.NewStore()
	form, err := c.cfg.semantics().Builder(c.p).Under(ctx)(st, ssa.Config{Unwind: c.cfg.Unwind, Loops: c.cfg.Loops, Fold: true, NoIdle: true})
	if err != nil || !form.Idle {
		return err
	}
	s := formula.NewSolver(st, c.cfg.NewSolver())
	c.res.SATCalls++
	status, err := s.Check(ctx, form.Cut())
	c.res.Complete, c.res.Endless = status == sat.Unsat, status == sat.Unsat
	return err
}

// anyOf is the proposition that one of these holds, if there are any.
func (c *checker) anyOf(ts []formula.Term) []formula.Term {
	if len(ts) == 0 {
		return nil
	}
	return []formula.Term{c.form.Store.OrN(ts...)}
}

// properties returns, for each property in the order in which they are first
// met, the proposition that it is the first violated: those that are asked
// for, and those that refuse what is not supported.
func (c *checker) properties() (asked, refused []formula.Term) {
	st := c.form.Store
	var order []property
	index := make(map[property]int)
	var ways [][]formula.Term
	sofar := st.True() // nothing is violated so far
	for i := range c.form.Claims {
		cl := &c.form.Claims[i]
		k := property{cl.At, cl.Site, cl.Kind}
		g, ok := index[k]
		if !ok {
			g = len(order)
			index[k] = g
			order = append(order, k)
			ways = append(ways, nil)
		}
		v := cl.Violated(st)
		ways[g] = append(ways[g], st.And(sofar, v))
		sofar = st.And(sofar, st.Not(v))
	}
	for g, w := range ways {
		if order[g].kind == ir.Unsupported {
			refused = append(refused, st.OrN(w...))
		} else {
			asked = append(asked, st.OrN(w...))
		}
	}
	return asked, refused
}

func (c *checker) solve(ctx context.Context, t formula.Term) (sat.Status, error) {
	c.res.SATCalls++
	return c.s.Check(ctx, t)
}

// find adds the violation of a run for which bad holds, if there is one.
// One that needs no loose choice goes before the others.
func (c *checker) find(ctx context.Context, bad formula.Term) error {
	status, err := sat.Unknown, error(nil)
	if usual, some := c.usual(); some {
		status, err = c.solve(ctx, c.form.Store.And(bad, usual))
	}
	if status != sat.Sat && err == nil {
		status, err = c.solve(ctx, bad)
	}
	if status != sat.Sat {
		return err
	}
	var s *ir.Schedule
	if c.form.Threads != nil {
		s = &ir.Schedule{Threads: c.form.Threads} // the turns are part of the model
	}
	v, err := replay(ctx, c.p, c.form.Model(c.s), s, c.cfg)
	if err != nil {
		return err
	}
	c.res.found(v)
	return nil
}

// found adds v, or what it refuses.
func (r *Result) found(v *Violation) {
	if v.Kind == ir.Unsupported {
		r.refused = append(r.refused, refusal(v.Stmt))
		return
	}
	r.Violations = append(r.Violations, *v)
}

// refusal is what an assertion of kind ir.Unsupported says.
func refusal(s ir.Stmt) error {
	text := ""
	if a, ok := s.(*ir.Assert); ok {
		text = a.Text
	}
	return &ir.UnsupportedError{Span: s.Span(), Construct: text}
}

// usual is the proposition that all loose choices are 0, and reports whether
// there are any.
func (c *checker) usual() (formula.Term, bool) {
	st, loose := c.form.Store, looseVars(c.p)
	t, some := st.True(), false
	for _, in := range c.form.Inputs.All() {
		if loose[in.Choice.Var] {
			t, some = st.And(t, st.Eq(in.Term, st.Const(ir.Width(in.Type), 0))), true
		}
	}
	return t, some
}

// Replay runs p on m, with threads by the schedule s, and returns the violation.
// A run that violates nothing is an error: m came from a formula that the
// interpreter disagrees with.
func Replay(ctx context.Context, p *ir.Program, m ssa.Model, s *ir.Schedule, cfg *Config) (*Violation, error) {
	in := *cfg
	in.Unwind = ssa.Bound(cfg.Unwind)
	return replay(ctx, p, m, s, &in)
}

// replay is Replay within a bound as ssa has it.
func replay(ctx context.Context, p *ir.Program, m ssa.Model, s *ir.Schedule, cfg *Config) (*Violation, error) {
	// The formula holds the run, so its bounds are limit enough.
	t, err := cfg.semantics().Run(ctx, p, interp.Config{Input: m.Input, Unwind: cfg.Unwind, Loops: cfg.Loops, MaxSteps: -1, Schedule: s})
	if err != nil {
		return nil, err
	}
	if t.Outcome != interp.Violated {
		return nil, ir.Internalf("bmc", "a counterexample does not replay (%v)", t.Outcome)
	}
	v := &Violation{Stmt: t.Failed, Kind: t.Kind, Site: t.Site, Model: m, Trace: t}
	if len(t.Threads) > 0 {
		v.Schedule = t.Schedule()
	}
	return v, nil
}

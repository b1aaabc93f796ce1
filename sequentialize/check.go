package sequentialize

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// Config says what to check.
type Config struct {
	Rounds    int               // at most; 0 means 4. See Bounded.
	Bounded   bool              // Check looks at no schedules of more rounds
	Unwind    int               // as in ssa.Config, but 0 means ssa.DefaultUnwind, negative none
	Loops     map[ir.LocID]int  // as in ssa.Config
	Raise     bool              // Check unwinds loops further where a usual run says how often
	Strict    bool              // no spurious wakeups
	Memory    ir.Memory         // of Check alone, and then by all schedules alone
	All       bool              // one violation of each assertion and check, else one
	NewSolver func() sat.Solver // nil means sat.New
}

// complete returns cfg with its zero fields set.
func (cfg Config) complete() Config {
	if cfg.Rounds == 0 {
		cfg.Rounds = 4
	}
	if cfg.NewSolver == nil {
		cfg.NewSolver = sat.New
	}
	return cfg
}

// A Violation is a failing run, with its schedule.
type Violation struct {
	bmc.Violation
	Rounds int // of the schedule, at most
}

// A Result says what was found. If Check also returns an error, what was
// found holds, but there may be more.
type Result struct {
	Decided    bool // all that was asked is answered, but for Complete
	Violations []Violation
	Rounds     int  // all schedules of up to that many rounds were covered
	All        bool // all schedules were covered
	Complete   bool // and no run was cut
	Waits      bool // but for those in which a thread waits in a loop
	SATCalls   int

	// Raised holds the bounds of loops that a usual run needs more of than the
	// Config allows: as Config.Loops, which it replaces. Nil if none does.
	Raised map[ir.LocID]int

	// Reason says why Decided is false, as bmc.Reason does.
	Reason string
}

// Check looks for bounded runs of p, which must be well-formed, that violate
// a claim: first by schedules of up to three rounds, then, unless cfg.Bounded,
// by all. If that takes more than a counted effort, it goes on with up to
// cfg.Rounds rounds, and then tries all schedules once more, for longer; if ctx
// ends during that, the answer is the one of the rounds. If then no run fails but
// some are cut, and cfg.Raise says so, loops that a usual run goes round more often
// are unwound as often (Result.Raised), where that takes little. Each counterexample has been replayed by the interpreter.
// The error is that of Encode, or ctx's cause.
func Check(ctx context.Context, p *ir.Program, cfg Config) (*Result, error) {
	res, err := check(ctx, p, cfg)
	if !res.Decided {
		res.Reason = bmc.Reason(ctx, err)
	}
	if err == nil && res.All && !res.Complete && len(res.Violations) == 0 && cfg.Raise {
		res = further(ctx, p, cfg, res)
	}
	return res, err
}

// Beyond is Check of a program of which no schedule of up to cfg.Rounds rounds is
// known to fail: by all schedules at once. Where that takes more than a counted
// effort the Result is not Decided, and there is no error.
func Beyond(ctx context.Context, p *ir.Program, cfg Config) (*Result, error) {
	cfg = cfg.complete()
	c := newChecker(ctx, p, &cfg)
	done, err := c.orders(sat.Limits{Conflicts: effort})
	if c.res.Decided = done; err != nil {
		c.res.Reason = bmc.Reason(ctx, err)
	}
	return c.res, err
}

func newChecker(ctx context.Context, p *ir.Program, cfg *Config) *checker {
	return &checker{ctx: ctx, p: p, cfg: cfg, res: &Result{}, found: make(map[property]bool)}
}

func check(ctx context.Context, p *ir.Program, cfg Config) (*Result, error) {
	cfg = cfg.complete()
	if cfg.Rounds < 0 {
		return &Result{}, errors.New("sequentialize: a schedule has at least one round")
	}
	c := newChecker(ctx, p, &cfg)
	if cfg.Memory != ir.SC {
		return c.checkWeak()
	}
	done, err := c.first(sat.Limits{Conflicts: effort})
	for k := min(fewRounds, cfg.Rounds) + 1; k <= cfg.Rounds && !done && err == nil; k++ {
		var more bool
		more, err = c.rounds(k)
		done = !more
	}
	if c.res.Decided = done && err == nil; done || err != nil {
		return c.res, err
	}
	if !cfg.Bounded {
		if _, err := c.orders(sat.Limits{Conflicts: lastEffort}); err != nil && ctx.Err() == nil {
			return c.res, err
		}
	}
	c.res.Decided = true // by so many rounds, if the context has ended
	return c.res, nil
}

// first looks for failing runs by a few rounds and then, unless it is bounded, by
// all schedules, within limits. It reports whether that was all.
func (c *checker) first(to sat.Limits) (done bool, err error) {
	if c.cfg.Memory != ir.SC {
		return c.orders(to)
	}
	for k := 1; k <= min(fewRounds, c.cfg.Rounds); k++ {
		if more, err := c.rounds(k); !more || err != nil {
			return err == nil, err
		}
	}
	if c.cfg.Bounded {
		return false, nil
	}
	return c.orders(to)
}

// fewRounds is how many rounds are tried before all schedules: most failing
// runs need no more, and formulas of so few rounds are small.
const fewRounds = 3

// effort limits the search over all schedules, in conflicts of a sat.Limited: a
// second or two. Where that is not enough and no further rounds show a failing
// run, there is lastEffort.
const effort, lastEffort = 100_000, 1_000_000

// A property is what one assertion or check says, at all its copies.
type property struct {
	at   ir.LocID
	site ir.SiteID
	kind ir.Kind
}

type checker struct {
	ctx   context.Context
	p     *ir.Program
	cfg   *Config
	res   *Result
	found map[property]bool

	maxTerms int // as in ssa.Config

	e    *Encoding
	s    *formula.Solver
	play func(context.Context, ssa.Model) (*Violation, error) // of a model of s
}

// rounds looks for failing runs of k rounds. It reports whether more rounds
// can bring more.
func (c *checker) rounds(k int) (more bool, err error) {
	if c.ctx.Err() != nil {
		return false, context.Cause(c.ctx)
	}
	st := formula.NewStore()
	if c.e, err = Encode(st, c.p, k, c.bounds()); err != nil {
		return false, err
	}
	c.play = c.e.play
	c.s = formula.NewSolver(st, c.cfg.NewSolver())
	err = c.s.Within(c.ctx, func() {
		c.e.Form.Load(c.s)
		for _, x := range c.e.normal {
			c.s.Assert(x)
		}
	})
	if err != nil {
		return false, err
	}
	if err := c.search(); err != nil {
		return false, err
	}
	if c.res.Rounds = k; !c.cfg.All && len(c.res.Violations) > 0 {
		return false, nil
	}
	if k < c.e.MaxRounds() {
		return true, nil
	}
	return false, c.covered()
}

// covered notes that the current encoding, of all schedules, was searched, and
// finds out whether a run is cut.
func (c *checker) covered() (err error) {
	c.res.All = true
	cut := sat.Unsat
	if len(c.e.Form.Cuts) > 0 {
		cut, err = c.solve(c.e.Form.Cut())
	}
	c.res.Complete, c.res.Waits = cut == sat.Unsat, c.e.Threads.Waits
	return err
}

// bounds says how threads are translated.
func (c *checker) bounds() ssa.Config {
	return ssa.Config{
		Unwind: ssa.Bound(c.cfg.Unwind), Loops: c.cfg.Loops, MaxTerms: c.maxTerms, Flat: true, NoIdle: true, Spurious: !c.cfg.Strict, Memory: c.cfg.Memory,
		Stop: func() error { return context.Cause(c.ctx) },
	}
}

// orders looks for failing runs by all schedules. It reports false if that
// takes more than the limits allow for a query.
func (c *checker) orders(to sat.Limits) (done bool, err error) {
	st := formula.NewStore()
	o, err := newOrders(st, c.p, c.cfg.Memory, c.bounds())
	if errors.Is(err, ssa.ErrTooLarge) || o == nil && err == nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c.e, c.s, c.play = o.Encoding, formula.NewSolver(st, limited(c.cfg.NewSolver(), to)), nil
	if err := c.s.Within(c.ctx, func() { o.load(c.s) }); err != nil {
		return false, err
	}
	c.play = func(ctx context.Context, m ssa.Model) (*Violation, error) { return o.play(ctx, m, o.run(c.s)) }
	err = c.search()
	if err == nil && (c.cfg.All || len(c.res.Violations) == 0) {
		err = c.covered()
	}
	if errors.Is(err, sat.ErrLimit) {
		return false, nil
	}
	return err == nil, err
}

// limited returns s with limits, if it can count.
func limited(s sat.Solver, to sat.Limits) sat.Solver {
	if l, ok := s.(sat.Limited); ok {
		l.Limit(to)
	}
	return s
}

func (c *checker) solve(t formula.Term) (sat.Status, error) {
	c.res.SATCalls++
	return c.s.Check(c.ctx, t)
}

// search finds the violations of the current encoding.
func (c *checker) search() error {
	f := c.e.Form
	if !c.cfg.All {
		_, err := c.find(f.Violated())
		return err
	}
	var order []property
	bad := make(map[property]formula.Term)
	for i := range f.Claims {
		cl := &f.Claims[i]
		k := property{cl.At, cl.Site, cl.Kind}
		if bad[k] == 0 {
			order, bad[k] = append(order, k), f.Store.False()
		}
		bad[k] = f.Store.Or(bad[k], cl.Violated(f.Store))
	}
	for _, k := range order {
		if c.found[k] {
			continue
		}
		if err := c.findFirst(k, order, bad); err != nil {
			return err
		}
	}
	return nil
}

// findFirst looks for a violation of k in a run without others, or, if there
// is none, in any.
func (c *checker) findFirst(k property, order []property, bad map[property]formula.Term) error {
	st := c.e.Form.Store
	alone := bad[k]
	for _, l := range order {
		if l != k {
			alone = st.And(alone, st.Not(bad[l]))
		}
	}
	ok, err := c.find(alone)
	if ok || err != nil {
		return err
	}
	_, err = c.find(bad[k])
	return err
}

// find adds the violation of a run for which bad holds, if there is one.
func (c *checker) find(bad formula.Term) (bool, error) {
	if v, ok := c.e.Form.Store.Value(bad); ok && v == 0 {
		return false, nil
	}
	status, err := c.solve(bad)
	if status != sat.Sat {
		return false, err
	}
	v, err := c.play(c.ctx, c.e.Form.Model(c.s))
	if err != nil {
		return false, err
	}
	k := property{v.Stmt.Key(), v.Site, v.Kind}
	if v.Kind == ir.CheckDeadlock {
		k.at = 0
	}
	if !c.found[k] {
		c.found[k] = true
		c.res.Violations = append(c.res.Violations, *v)
	}
	return true, nil
}

// play runs the program on the inputs of m, by the schedule of m, and
// returns the violation. A run that violates nothing is an error: m came
// from a formula that the interpreter disagrees with.
func (e *Encoding) play(ctx context.Context, m ssa.Model) (*Violation, error) {
	t, err := interp.Run(ctx, e.Form.Program, interp.Config{
		Input: m.Input, Unwind: e.unwind, Loops: e.loops, MaxSteps: -1,
		Schedule: &ir.Schedule{Threads: e.Form.Threads}, Scheduler: Rounds(e.rounds, m.Input),
	})
	if err != nil {
		return nil, err
	}
	if t.Outcome != interp.Violated {
		return nil, ir.Internalf("sequentialize", "a counterexample does not replay (%v)", t.Outcome)
	}
	return &Violation{
		Violation: bmc.Violation{Stmt: t.Failed, Kind: t.Kind, Site: t.Site, Model: m, Trace: t, Schedule: t.Schedule()},
		Rounds:    e.rounds,
	}, nil
}

// Run runs p as cfg says. If that says nothing of how threads take turns, they
// do so in c.Rounds rounds, with the choices of the scheduler that are a part of
// its input; then a run whose threads stop before it ends is Paused.
func (c Config) Run(ctx context.Context, p *ir.Program, cfg interp.Config) (*interp.Trace, error) {
	if cfg.Scheduler == nil && (cfg.Schedule == nil || len(cfg.Schedule.Turns) == 0) && ir.Concurrent(p) {
		cfg.Scheduler = Rounds(c.complete().Rounds, cfg.Input)
	}
	return interp.Run(ctx, p, cfg)
}

// MaxRounds returns a number of rounds that no schedule needs more of.
func (e *Encoding) MaxRounds() int {
	// In each round but the first an event follows one of a thread with a
	// higher number, and in each but the last one precedes such a thread's:
	// so none lies in the last thread, or in the first, alone.
	all, first, last := 0, 0, 0
	for _, lead := range e.schedulingPoints {
		last = 0
		for _, l := range lead {
			if l {
				last++
			}
		}
		if all == 0 {
			first = last
		}
		all += last
	}
	return 1 + all - max(first, last)
}

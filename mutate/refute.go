package mutate

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// This file refutes candidates, or proves them. One is solved by itself, with
// its changes in place and all other alternatives gone, so that constants fold
// and what two versions of a program have in common becomes one circuit. In
// the modes that don't learn it meets the failing inputs of earlier ones first:
// the form with all alternatives behind selectors is evaluated on them, which
// costs microseconds and refutes most. Solving all candidates in one
// incremental solver under assumptions, as AllRepair does, was about as fast
// on programs without loops, but could not see that, say, two products are
// equal once the right alternative is selected: multiplexers hide it, and
// the solver has to prove it bit by bit.

// Stages of a candidate's proof.
type stage uint8

const (
	passed        stage = iota
	unsafe              // a run violates a claim
	notPreserving       // a run that ended before is cut, stopped or violated
	hiding              // a run that ended before is stopped, whatever comes later
	changesKept         // a result on an input of Config.Keep is another
	unreachable         // the end, or the assertion that failed, is out of reach
	unsafeBeyond        // a run beyond the bound violates a claim
	unknown             // an error says why
)

// A verdict is what a proof attempt found.
type verdict struct {
	stage    stage
	model    ssa.Model // the failing input, if there is one
	complete bool      // no run is cut, if it is known to pass (a)
	single   bool      // there is one run, which ends
	calls    int       // of the SAT solver
	proof    Proof     // of a repair, once Config.Prove was asked
	slack    int       // of failsDeep: how far beyond the bound
	must     slice.Set // with validator: where a fix must touch
	alone    bool      // nothing is known of others that agree with it
	threads  []ir.Path // of the changed program, by number
	decision *decision // of a good candidate, until it is certified
}

// good reports whether the candidate is a repair.
func (v *verdict) good(cfg *problem) bool {
	return v.stage == passed || v.vacuous() && cfg.AllowCuts
}

// vacuous reports whether the candidate passes (a) and fails (b).
func (v *verdict) vacuous() bool { return v.stage == notPreserving || v.stage == hiding }

// decide asks whether the program that build makes is a repair of the one
// that cfg.build makes, from scratch. If cfg.reached is set, probe makes the
// same program with that assertion violated wherever it is reached.
func decide(ctx context.Context, cfg *problem, build, probe ssa.Builder) (verdict, error) {
	d := newDecision(ctx, cfg)
	err := d.run(build)
	if err == nil && d.v.stage == passed {
		err = d.reaches(build, probe)
	}
	if err == nil && d.v.good(cfg) {
		d.v.decision = d
	}
	return d.v, err
}

type decision struct {
	ctx context.Context
	st  *formula.Store
	in  *ssa.Inputs
	cfg *problem
	v   verdict

	slack int // that the changed program gets

	hard bool // (a) is decided together with (b) of longer runs

	short, long, probed *ssa.Form // what was decided of; long, which has the slack, and probed may be nil

	open *openHole // nil, or what is decided for all its values
	bad  uint64    // the open hole's value in the failing run
}

func newDecision(ctx context.Context, cfg *problem) *decision {
	st := formula.NewStore()
	return &decision{ctx: ctx, st: st, in: ssa.NewInputs(st), cfg: cfg, v: verdict{stage: unknown}}
}

func (d *decision) run(build ssa.Builder) error {
	short, err := d.build(build, 0)
	if err != nil {
		return err
	}
	d.short, d.v.threads = short, short.Threads
	s, err := d.normal(short)
	if err != nil {
		return err
	}
	limited := d.limit(s, short)
	bad, err := d.possible(s, short.Violated())
	if d.hard = limited && errors.Is(err, sat.ErrLimit); d.hard {
		err = nil
	}
	if bad || err != nil {
		return d.fail(unsafe, s, err)
	}
	if limited {
		if s, err = d.normal(short); err != nil {
			return err
		}
	}
	cut, err := d.possible(s, short.Cut())
	if err != nil {
		return err
	}
	d.v.complete = !cut
	return d.second(build, short, cut)
}

// limit limits how long s looks for violations of short, a program with threads,
// and reports whether it does. Beyond that (a) is asked after (b) of longer runs
// alone, which implies it and is as hard: a repair is proved once, and what is
// none mostly fails before.
func (d *decision) limit(s *formula.Solver, short *ssa.Form) bool {
	const conflicts = 2000
	limited, ok := s.SAT().(sat.Limited)
	if !ok || len(short.Normal) == 0 || len(short.Cuts) == 0 || d.cfg.Slack == 0 || d.open != nil {
		return false
	}
	limited.Limit(sat.Limits{Conflicts: conflicts})
	return true
}

// second asks (b) of a program that passes (a).
func (d *decision) second(build ssa.Builder, long *ssa.Form, cut bool) error {
	orig, err := d.build(d.cfg.build, 0)
	if err != nil {
		return err
	}
	var ways []formula.Term
	if cut { // else a higher bound changes nothing
		d.slack = d.cfg.Slack
		if long, err = d.build(build, d.slack); err != nil {
			return err
		}
		d.long = long
		if ways, err = d.beyond(long); err != nil {
			return err
		}
	}
	if d.hard && (!cut || len(ways) > 0) { // else no longer run violates anything
		s, err := d.normal(d.short)
		if err != nil {
			return err
		}
		if bad, err := d.possible(s, d.short.Violated()); bad || err != nil {
			return d.fail(unsafe, s, err)
		}
	}
	s, err := d.solver(long)
	if err == nil {
		err = d.load(s, orig)
	}
	if err != nil {
		return err
	}
	given := d.st.And(orig.Ended(), d.st.OrN(append(ways, stopped(orig, long)...)...))
	bad, err := d.possible(s, given)
	switch {
	case bad || err != nil:
		err = d.fail(notPreserving, s, err)
	default:
		err = d.rest(s, build, orig, long)
	}
	if err == nil && d.open != nil && d.v.good(d.cfg) {
		err = d.keeps(build)
	}
	return err
}

// covers reports whether what was decided is so of the program that build makes,
// and probe, too: their constraint sets are the same. The one may be a candidate
// and the other what the text that it became is read as; their proof would be
// found in the same steps.
func (d *decision) covers(build, probe ssa.Builder) (bool, error) {
	for _, x := range []struct {
		decided *ssa.Form
		build   ssa.Builder
		slack   int
	}{{d.short, build, 0}, {d.long, build, d.slack}, {d.probed, probe, d.slack}} {
		if x.decided == nil {
			continue
		}
		form, err := d.build(x.build, x.slack)
		if err != nil || !x.decided.Same(form) {
			return false, err
		}
	}
	return true, nil
}

// keeps asks whether all values of the open hole keep the results that
// Config.Keep asks for.
func (d *decision) keeps(build ssa.Builder) error {
	for i, results := range d.open.kept {
		form, err := build(d.st, ssa.Config{
			Unwind: d.cfg.Unwind, Loops: d.cfg.Loops, Slack: d.cfg.Slack, Flat: true, Inputs: ssa.FixedInputs(d.st, d.cfg.Keep[i]),
		})
		if err != nil {
			return err
		}
		s, err := d.solver(form)
		if err != nil {
			return err
		}
		if bad, err := d.possible(s, d.st.Not(returns(form, results))); bad || err != nil {
			return d.fail(changesKept, s, err)
		}
	}
	return nil
}

func (d *decision) build(b ssa.Builder, slack int) (*ssa.Form, error) {
	return d.buildOn(b, d.in, slack)
}

func (d *decision) buildOn(b ssa.Builder, in *ssa.Inputs, slack int) (*ssa.Form, error) {
	return b(d.st, ssa.Config{Unwind: d.cfg.Unwind, Loops: d.cfg.Loops, Slack: slack, Flat: true, Inputs: in})
}

// normal returns a solver that looks for runs of f by themselves.
func (d *decision) normal(f *ssa.Form) (*formula.Solver, error) {
	s, err := d.solver(f)
	if err != nil {
		return nil, err
	}
	return s, s.Within(d.ctx, func() {
		for _, x := range f.Normal {
			s.Assert(x)
		}
	})
}

// beyond returns the ways in which runs of the changed program alone fail (b),
// if there may be such a run. With threads that is asked before all else: it
// is easier while any schedule stands for all that are equal to it.
func (d *decision) beyond(long *ssa.Form) ([]formula.Term, error) {
	ways := runsAway(long)
	if len(long.Normal) == 0 {
		return ways, nil
	}
	s, err := d.normal(long)
	if err != nil {
		return nil, err
	}
	if bad, err := d.possible(s, d.st.OrN(ways...)); !bad {
		return nil, err
	}
	return ways, nil
}

func (d *decision) solver(f *ssa.Form) (*formula.Solver, error) {
	s := formula.NewSolver(d.st, d.cfg.NewSolver())
	return s, d.load(s, f)
}

func (d *decision) load(s *formula.Solver, f *ssa.Form) error {
	return s.Within(d.ctx, func() { f.Load(s) })
}

// possible asks whether t can be true.
func (d *decision) possible(s *formula.Solver, t formula.Term) (bool, error) {
	if d.open != nil {
		t = d.st.And(t, d.open.in(d.st))
	}
	if v, ok := d.st.Value(t); ok {
		return v == 1, nil
	}
	d.v.calls++
	status, err := s.Check(d.ctx, t)
	return status == sat.Sat, err
}

// fail notes that the candidate failed, on the model of s.
func (d *decision) fail(at stage, s *formula.Solver, err error) error {
	if err == nil {
		d.v.stage, d.v.model = at, d.in.Model(s)
		if d.open != nil {
			d.bad = s.Value(d.open.value(d.st))
		}
	}
	return err
}

// notPreserved returns the ways in which a run of changed fails (b), where the
// original's ended.
func notPreserved(orig, changed *ssa.Form) []formula.Term {
	return append(runsAway(changed), stopped(orig, changed)...)
}

// runsAway returns those of these ways that are violations or cuts. Threads
// that wait in a loop can be woken without end: that this cuts a run is not held
// against a change.
func runsAway(changed *ssa.Form) []formula.Term {
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
		add(st.And(c.Guard, st.Not(st.OrN(changed.Wakeups...))))
	}
	return bad
}

// stopped returns those in which an assumption stops the run that the original's
// passed. If nothing is violated and no run cut, there are no others.
func stopped(orig, changed *ssa.Form) []formula.Term {
	st := changed.Store
	var bad []formula.Term
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
			if t := st.AndN(orig.Passed(i), a.Guard, st.Not(a.Cond)); t != st.False() {
				bad = append(bad, t)
			}
		}
	}
	return bad
}

// An instrumentedForm is one with all alternatives behind selectors, in which any
// candidate can be run on an input.
type instrumentedForm struct {
	graph *slice.Graph
	given formula.Term   // of the input alone
	bad   []formula.Term // the ways to fail
	known []ssa.Model    // failing inputs, the last useful one first
}

func newInstrumentedForm(form *ssa.Form, given formula.Term, bad []formula.Term) *instrumentedForm {
	return &instrumentedForm{graph: slice.NewGraph(form), given: given, bad: bad}
}

// failing returns the proposition that is true of the run on m of the
// program with the given selectors, if it fails.
func (w *instrumentedForm) failing(m ssa.Model, selected []formula.Term) (formula.Term, bool) {
	run := w.graph.Run()
	run.Start(m, selected)
	if run.Value(w.given) == 0 {
		return 0, false
	}
	for _, b := range w.bad {
		if run.Value(b) == 1 {
			return b, true
		}
	}
	return 0, false
}

// refute looks for a known input on which the program with the given
// selectors fails, and returns the must location set of that run.
func (w *instrumentedForm) refute(selected []formula.Term) (slice.Set, bool) {
	for i, m := range w.known {
		if bad, ok := w.failing(m, selected); ok {
			copy(w.known[1:i+1], w.known[:i])
			w.known[0] = m
			return w.graph.Slice(bad), true
		}
	}
	return slice.Set{}, false
}

// learn adds a failing input.
func (w *instrumentedForm) learn(m ssa.Model) { w.known = append([]ssa.Model{m}, w.known...) }

// A validator decides whether candidates are repairs.
type validator struct {
	cfg   *problem
	sp    *space
	st    *formula.Store
	in    *ssa.Inputs
	short *instrumentedForm // (a)
	long  *instrumentedForm // (b), made when the first candidate fails it
	rest  *instrumentedForm // (b) where all choices are made, likewise
}

func newValidator(st *formula.Store, sp *space, cfg *problem) (*validator, error) {
	v := &validator{cfg: cfg, sp: sp, st: st, in: ssa.NewInputs(st)}
	form, err := v.build(sp.hook, 0)
	if err != nil {
		return nil, err
	}
	v.short = newInstrumentedForm(form, st.True(), violations(form))
	return v, nil
}

// violations returns the ways in which a run of form violates a claim.
func violations(form *ssa.Form) []formula.Term {
	bad := make([]formula.Term, len(form.Claims))
	for i := range bad {
		bad[i] = form.Claims[i].Violated(form.Store)
	}
	return bad
}

func (v *validator) build(hook ssa.Hook, slack int) (*ssa.Form, error) {
	return v.cfg.build(v.st, ssa.Config{
		Unwind: v.cfg.Unwind, Loops: v.cfg.Loops, Slack: slack,
		Hook: hook, Fold: true, Inputs: v.in,
	})
}

// lengthen makes the form for (b).
func (v *validator) lengthen() error {
	form, err := v.build(v.sp.hook, v.cfg.Slack)
	if err != nil {
		return err
	}
	orig, err := v.build(nil, 0)
	if err != nil {
		return err
	}
	v.long = newInstrumentedForm(form, orig.Ended(), notPreserved(orig, form))
	v.rest = newInstrumentedForm(form, orig.Ended(), stops(form))
	return nil
}

// refute looks for a known input on which the program with the given
// selectors fails, and returns a must location set of that run.
func (v *validator) refute(selected []formula.Term) (stage, slice.Set, bool) {
	if must, ok := v.short.refute(selected); ok {
		return unsafe, must, true
	}
	if v.long == nil || v.cfg.AllowCuts {
		return unknown, slice.Set{}, false
	}
	if must, ok := v.long.refute(selected); ok {
		return notPreserving, must, true
	}
	must, ok := v.rest.refute(selected)
	return hiding, must, ok
}

// validate returns what cand is, and, if it fails, a must location set of
// its failing run.
func (v *validator) validate(ctx context.Context, cand candidate) (verdict, error) {
	selected := v.sp.selectors(cand.alts)
	if at, must, ok := v.refute(selected); ok {
		return verdict{stage: at, must: must}, nil
	}
	r, err := decide(ctx, v.cfg, v.sp.fixed(v.cfg.build, cand, nil), v.sp.fixed(v.cfg.probe, cand, nil))
	if err != nil {
		return r, err
	}
	w := v.short
	switch r.stage {
	case passed:
		return r, nil
	case unreachable:
		r.alone = true
		return r, nil
	case notPreserving, hiding:
		if v.long == nil {
			if err := v.lengthen(); err != nil {
				return r, err
			}
		}
		if w = v.long; r.stage == hiding {
			w = v.rest
		}
	}
	if r.stage == hiding {
		if all, err := v.allMade(r.model); err != nil || !all {
			r.alone = true
			return r, err
		}
	}
	w.learn(r.model)
	must, ok := w.refute(selected)
	switch {
	case ok:
		r.must = must
	case ir.Concurrent(v.sp.p): // a schedule may mean less for all alternatives together
		r.alone = true
	default:
		panic("mutate: the solver's failing run does not fail")
	}
	return r, nil
}

// fixed builds the program that cand stands for, without selectors, but
// leaves open, if it isn't nil, a variable. It may be called from several
// goroutines.
func (sp *space) fixed(by ssa.Builder, cand candidate, open *openHole) ssa.Builder {
	values := sp.values(cand)
	return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
		return sp.with(by, cand.alts, func(i int) formula.Term {
			if open == nil || open.index != i {
				return st.Const(ir.Width(sp.holes[i].Var.Type), values[i])
			}
			return open.value(st)
		})(st, cfg)
	}
}

// with builds the program with alts, without selectors. value returns the
// values of their holes, by index in the space.
func (sp *space) with(build ssa.Builder, alts []int, value func(i int) formula.Term) ssa.Builder {
	return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
		cfg.HoleValue = func(v *ir.Var) formula.Term { return value(sp.holeOf(v)) }
		cfg.Hook = func(h ssa.Hole) []ssa.Alternative {
			return sp.offer(h, st, false, func(alt int) formula.Term {
				if slices.Contains(alts, alt) {
					return st.True()
				}
				return st.False()
			})
		}
		return build(st, cfg)
	}
}

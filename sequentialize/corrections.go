package sequentialize

import (
	"context"
	"iter"
	"math/bits"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// A Correction says that a failing run would have ended without a violation,
// under the same schedule up to the failure, if the location At had computed
// Values.
type Correction struct {
	At     ir.LocID
	Values []Value // in the order of the copies that the run executes

	Schedule *ir.Schedule // of the run that ends, which has been replayed
}

// A Value is what one copy of a location should compute.
type Value struct {
	Path  ir.Path
	Expr  ir.Expr // whose value it is: an operand of the location
	Bits  uint64
	Other bool // the run as it was computed something else there
}

// Corrections yields every single location of p that can avoid the violation
// v, by increasing number, with a witness: diag of Griesmayer, Staber and
// Bloem ("Automated Fault Localization for C Programs", 2007), as Alves,
// Cordeiro and de Lima Filho use it for programs with threads ("A Method to
// Localize Faults in Concurrent C Programs", 2017, section 3.4), but on the
// formula of all schedules, so that a run can go on after the point where it
// failed. Inputs stay as they are, and so does the schedule up to the round
// of the failure; in three more any schedule will do.
// If it yields nothing, only the specification could change, or several
// locations at once.
//
// Each is the run of a program with those values, which has been replayed;
// small numbers are tried first. A run may turn out to fail on its way: where
// two threads race, or a thread that goes no further computes what violates a
// check. Then another one is looked for; a location whose first eight fail is
// left out. It takes one query for each location with something to change, and
// up to three more for each run.
func Corrections(ctx context.Context, p *ir.Program, v *Violation, cfg Config) iter.Seq2[Correction, error] {
	return func(yield func(Correction, error) bool) {
		d, err := newDiagnosis(ctx, p, v, cfg.complete())
		if err != nil {
			yield(Correction{}, err)
			return
		}
		for l := ir.LocID(1); int(l) <= p.NumLocs(); l++ {
			if d.selectors[l] == 0 {
				continue
			}
			c, ok, err := d.correct(ctx, l)
			if err != nil {
				yield(Correction{}, err)
				return
			}
			if ok && !yield(c, nil) {
				return
			}
		}
	}
}

// A diagnosis is the failing run with a location that computes anything.
type diagnosis struct {
	e         *Encoding
	s         *formula.Solver
	failing   *ssa.Run
	sited     map[ir.LocID]bool // locations with something to change
	selectors map[ir.LocID]formula.Term
	holes     map[ir.LocID][]hole
}

// moreRounds is how many rounds a corrected run may take after the failure:
// enough for threads that wait for each other in turn.
const moreRounds = 3

// A hole is one copy of an operand of a location, and what it may compute
// instead.
type hole struct {
	ssa.Hole
	free formula.Term
}

func newDiagnosis(ctx context.Context, p *ir.Program, v *Violation, cfg Config) (*diagnosis, error) {
	d := &diagnosis{
		sited: locations(p), selectors: make(map[ir.LocID]formula.Term), holes: make(map[ir.LocID][]hole),
	}
	st := formula.NewStore()
	e, err := Encode(st, p, v.Rounds+moreRounds, ssa.Config{
		Unwind: ssa.Bound(cfg.Unwind), Loops: cfg.Loops, Fold: true, Spurious: !cfg.Strict,
		Hook: func(h ssa.Hole) []ssa.Alternative { return d.alternatives(st, h) },
		Stop: func() error { return context.Cause(ctx) },
	})
	if err != nil {
		return nil, err
	}
	d.e, d.s = e, formula.NewSolver(st, cfg.NewSolver())
	if err := d.s.Within(ctx, func() { e.Form.Load(d.s) }); err != nil {
		return nil, err
	}
	entry := make(map[ir.Choice]bool) // which goes on for one visit more
	for _, ev := range e.Threads.Threads[0].Events {
		entry[ev.Label] = true
	}
	for _, in := range e.Form.Inputs.All() {
		label, round := in.Choice, int(in.Choice.Round)
		label.Round = 0
		if round >= 0 && (round <= v.Rounds || round == v.Rounds+1 && entry[label]) {
			d.s.Assert(st.Eq(in.Term, st.Const(st.Width(in.Term), v.Model[in.Choice])))
		}
	}
	d.failing = ssa.NewRun(e.Form)
	d.failing.Start(v.Model, nil)
	d.s.Assert(st.And(e.Form.End, st.Not(e.Form.Violated())))
	d.unlocked()
	return d, nil
}

// unlocked demands that no threads wait for each other when the entry
// returns, which is no state that claims are about: there is an order in
// which they could go on.
func (d *diagnosis) unlocked() {
	st, f := d.e.Form.Store, d.e.Form
	ranks := make([]formula.Term, len(d.e.waits))
	for t := range ranks {
		ranks[t] = st.Var(bits.Len(uint(len(ranks))), "rank")
	}
	for t, row := range d.e.waits {
		for u, waits := range row {
			d.s.Assert(st.OrN(append(slices.Clone(f.Wakeups), st.Not(waits), st.Ult(ranks[u], ranks[t]))...))
		}
	}
}

// alternatives lets an operand of a location compute anything.
func (d *diagnosis) alternatives(st *formula.Store, h ssa.Hole) []ssa.Alternative {
	if !h.Root || !d.sited[h.Stmt.Loc()] {
		return nil
	}
	l := h.Stmt.Loc()
	if d.selectors[l] == 0 {
		d.selectors[l] = st.Var(1, "diag")
	}
	free := st.Var(st.Width(h.Term), "free")
	d.holes[l] = append(d.holes[l], hole{h, free})
	return []ssa.Alternative{{When: d.selectors[l], Value: free}}
}

// locations returns the locations that compute a value and have a site.
func locations(p *ir.Program) map[ir.LocID]bool {
	sited := make(map[ir.LocID]bool)
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		switch s.(type) {
		case *ir.Assign, *ir.If, *ir.Loop, *ir.Return, *ir.Call, *ir.Spawn:
			ir.EachExpr(s, func(e *ir.Expr) {
				if (*e).Site() != 0 {
					sited[s.Loc()] = true
				}
			})
		}
	})
	return sited
}

// correct looks for values that location l should have computed.
func (d *diagnosis) correct(ctx context.Context, l ir.LocID) (Correction, bool, error) {
	var assume []formula.Term
	for k := ir.LocID(1); int(k) <= d.e.Form.Program.NumLocs(); k++ {
		switch on := d.selectors[k]; {
		case on == 0:
		case k == l:
			assume = append(assume, on)
		default:
			assume = append(assume, d.e.Form.Store.Not(on))
		}
	}
	for range maxReplays {
		status, err := d.smallest(ctx, assume, d.holes[l])
		if status != sat.Sat {
			return Correction{}, false, err
		}
		c := Correction{At: l}
		for _, h := range d.holes[l] {
			bits := d.s.Value(h.free)
			c.Values = append(c.Values, Value{Path: h.Path, Expr: h.Expr, Bits: bits, Other: bits != d.failing.Value(h.Term)})
		}
		if ok, err := d.replay(ctx, &c); ok || err != nil {
			return c, ok, err
		}
		d.exclude(l)
	}
	return Correction{}, false, nil
}

// maxReplays is how many runs of one location are replayed at most.
const maxReplays = 8

// exclude rules out the run that was found: l's values with that schedule.
func (d *diagnosis) exclude(l ir.LocID) {
	st := d.e.Form.Store
	other := st.Not(d.selectors[l])
	differs := func(t formula.Term) {
		other = st.Or(other, st.Not(st.Eq(t, st.Const(st.Width(t), d.s.Value(t)))))
	}
	for _, h := range d.holes[l] {
		differs(h.free)
	}
	for _, in := range d.e.Form.Inputs.All() {
		if in.Choice.Round != 0 {
			differs(in.Term)
		}
	}
	d.s.Assert(other)
}

// small are the bounds on the values of a correction that are tried, one
// after the other: numbers from -lo to hi. Small ones say more to people.
var small = []struct{ lo, hi uint64 }{{0, 15}, {128, 127}}

// smallest solves under assume, with small values of holes if that is
// possible.
func (d *diagnosis) smallest(ctx context.Context, assume []formula.Term, holes []hole) (sat.Status, error) {
	st := d.e.Form.Store
	status, err := d.s.Check(ctx, assume...)
	if status != sat.Sat {
		return status, err
	}
	for _, s := range small {
		bounded := assume
		for _, h := range holes {
			if w := st.Width(h.free); w > 8 {
				bounded = append(bounded, st.Ule(st.Add(h.free, st.Const(w, s.lo)), st.Const(w, s.lo+s.hi)))
			}
		}
		if status, err := d.s.Check(ctx, bounded...); status != sat.Unsat {
			return status, err
		}
	}
	return d.s.Check(ctx, assume...)
}

// replay plays the run that c says. It reports false if it fails somewhere on
// the way: two threads race, or wait for each other until another frees a
// mutex that it doesn't hold, if that isn't checked; or after its last event a
// thread computes, by itself, what violates a check, which the formula sees
// with the next event. It returns an error if the run doesn't end otherwise.
func (d *diagnosis) replay(ctx context.Context, c *Correction) (bool, error) {
	m := d.e.Form.Model(d.s)
	t, err := c.run(ctx, d.e.Form.Program, interp.Config{
		Input: m.Input, Unwind: d.e.unwind, Loops: d.e.loops, MaxSteps: -1,
		Schedule: &ir.Schedule{Threads: d.e.Form.Threads}, Scheduler: Rounds(d.e.rounds, m.Input),
	})
	if err != nil || t.Outcome == interp.Violated {
		return false, err
	}
	if t.Outcome != interp.Ended {
		return false, ir.Internalf("sequentialize", "a corrected run does not end (%v, %v)", t.Outcome, t.Kind)
	}
	c.Schedule = t.Schedule()
	return true, nil
}

// Run runs p, with the location corrected, as cfg says but by c's schedule.
func (c *Correction) Run(ctx context.Context, p *ir.Program, cfg interp.Config) (*interp.Trace, error) {
	cfg.Schedule, cfg.Scheduler = c.Schedule, nil
	return c.run(ctx, p, cfg)
}

func (c *Correction) run(ctx context.Context, p *ir.Program, cfg interp.Config) (*interp.Trace, error) {
	type copied struct {
		e  ir.Expr
		at ir.Path
	}
	values := make(map[copied]uint64)
	for _, v := range c.Values {
		values[copied{v.Expr, v.Path}] = v.Bits
	}
	cfg.Value = func(e ir.Expr, at ir.Path) (uint64, bool) {
		v, ok := values[copied{e, at}]
		return v, ok
	}
	return interp.Run(ctx, p, cfg)
}

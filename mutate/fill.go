package mutate

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// A filler looks for the values of the holes of one set of alternatives: the
// loop of mode Learn for a program in which nothing else can change. Its
// constraints are small, since on a fixed input all that doesn't depend on
// the holes folds away. It may run beside others.
type filler struct {
	ctx   context.Context
	cfg   *Config
	sp    *space
	st    *formula.Store
	f     *formula.Solver
	alts  []int
	holes []hole // with terms in st
	given []formula.Term

	build ssa.Builder // the program with these alternatives
	kept  [][]uint64  // results on Config.Keep
	prove func(candidate, *verdict) error
	known []*lesson // failing inputs, the most useful first
	calls int
	tries int

	unwritten int        // repairs that the source can't have
	failed    [][]uint64 // values of the holes
	late      bool       // constraints need more than the holes to be evaluated
}

// A lesson is an input on which candidates failed.
type lesson struct {
	model   ssa.Model
	rest    bool // they are stopped on it and what it can be completed to
	hits    int  // candidates that it refuted
	learned bool // the generator has it, for candidates with holes too

	of   *lesson      // in a filler: the search's, of which this is a copy
	bad  formula.Term // in the filler's store: the run fails
	made bool
	free bool // bad is about completions too
	told bool // bad is excluded
}

// lessons returns a copy of known, the most useful first, for one filler.
func lessons(known []*lesson) []*lesson {
	out := make([]*lesson, len(known))
	for i, k := range known {
		out[i] = &lesson{model: k.model, rest: k.rest, hits: k.hits, of: k}
	}
	slices.SortStableFunc(out, func(a, b *lesson) int { return cmp.Compare(b.hits, a.hits) })
	return out
}

// newFiller returns a filler for alts, which knows some failing inputs.
func (r *run) newFiller(alts []int, known []*lesson) *filler {
	st := formula.NewStore()
	f := &filler{
		ctx: r.ctx, cfg: &r.cfg, sp: r.sp, st: st, f: formula.NewSolver(st, r.cfg.NewSolver()),
		alts: alts, kept: r.kept, known: known,
	}
	for _, k := range alts {
		a := r.sp.alts[k]
		for _, h := range r.sp.holes[a.hole : a.hole+a.holes] {
			h.term = st.Var(ir.Width(h.Var.Type), "hole")
			f.holes = append(f.holes, h)
		}
	}
	f.prove = func(c candidate, v *verdict) error { return r.prove(r.program(c), v) }
	f.build = r.sp.with(r.cfg.Build, alts, f.value)
	return f
}

// begin excludes the values that the holes may not have, and those that
// change results that are to be kept.
func (f *filler) begin() error {
	for i := range f.holes {
		f.f.Assert(f.holes[i].allowed(f.st))
	}
	for i, m := range f.cfg.Keep {
		form, err := f.form(f.build, ssa.FixedInputs(f.st, m), f.cfg.Slack)
		if err != nil {
			return err
		}
		f.f.Assert(returns(form, f.kept[i]))
	}
	return nil
}

// value returns the term of the i-th hole of the space.
func (f *filler) value(i int) formula.Term {
	n := 0
	for _, k := range f.alts {
		a := f.sp.alts[k]
		if i >= a.hole && i < a.hole+a.holes {
			return f.holes[n+i-a.hole].term
		}
		n += a.holes
	}
	panic("mutate: the hole of another alternative")
}

func (f *filler) form(build ssa.Builder, in *ssa.Inputs, slack int) (*ssa.Form, error) {
	form, err := build(f.st, ssa.Config{Unwind: f.cfg.Unwind, Loops: f.cfg.Loops, Slack: slack, Flat: true, Inputs: in})
	if err == nil && len(form.Defs) > 0 { // what threads read from shared memory
		form.Load(f.f)
		f.late = true
	}
	return form, err
}

// bad returns the proposition about the holes that the run on in fails; if
// rest is set, on all completions of in, which is a proposition about them
// too if free is set.
func (f *filler) bad(in *ssa.Inputs, rest bool) (bad formula.Term, free bool, err error) {
	if rest {
		return hiddenRun(in,
			func(in *ssa.Inputs) (*ssa.Form, error) { return f.form(f.cfg.Build, in, 0) },
			func(in *ssa.Inputs) (*ssa.Form, error) { return f.form(f.build, in, f.cfg.Slack) })
	}
	bad, err = badRun(f.st, f.cfg.AllowCuts,
		func() (*ssa.Form, error) { return f.form(f.cfg.Build, in, 0) },
		func(long bool) (*ssa.Form, error) {
			if long {
				return f.form(f.build, in, f.cfg.Slack)
			}
			return f.form(f.build, in, 0)
		})
	return bad, false, err
}

// find returns a repair with f's alternatives for which all of f.given and
// also hold, and what was found out about it. It returns no alternatives if
// there is none.
func (f *filler) find(also ...formula.Term) (candidate, verdict, error) {
	var assume []sat.Lit
	for _, p := range append(slices.Clip(f.given), also...) {
		assume = append(assume, f.f.Lit(p))
	}
	for {
		f.calls++
		switch status, err := f.f.Solve(f.ctx, assume...); status {
		case sat.Unsat:
			return candidate{}, verdict{stage: failsA}, nil
		case sat.Unknown:
			return candidate{}, verdict{stage: unknown}, err
		}
		c := candidate{alts: f.alts}
		for _, h := range f.holes {
			c.fill = append(c.fill, f.f.Value(h.term))
		}
		if refuted, err := f.refute(c); err != nil {
			return candidate{}, verdict{stage: unknown}, err
		} else if refuted {
			continue
		}
		f.tries++
		v, err := decide(f.ctx, f.cfg, f.sp.fixed(f.cfg, c, nil))
		f.calls += v.calls
		if err == nil && v.good(f.cfg) {
			err = f.prove(c, &v)
		}
		if err != nil || v.good(f.cfg) {
			return c, v, err
		}
		if v.stage == failsDeep {
			err = f.deepen(c, &v)
		} else {
			err = f.learn(&v, c)
		}
		if err != nil {
			return candidate{}, verdict{stage: unknown}, err
		}
	}
}

// refute looks for a known input on which c fails, and excludes what fails on
// it.
func (f *filler) refute(c candidate) (bool, error) {
	ev := formula.NewEvaluator(f.st, f.filling(c.fill))
	for _, k := range f.known {
		if k.told {
			continue
		}
		if !k.made {
			var err error
			if k.bad, k.free, err = f.bad(ssa.FixedInputs(f.st, k.model), k.rest); err != nil {
				return false, err
			}
			k.made = true
		}
		if f.late || k.free || ev.Eval(k.bad) == 1 { // if it's late or free, the solver has to say
			k.hits++
			k.told = true
			f.f.Assert(f.st.Not(k.bad))
			return true, nil
		}
	}
	return false, nil
}

// learn excludes what fails on the input on which c failed, as v says.
func (f *filler) learn(v *verdict, c candidate) error {
	in, rest := ssa.FixedInputs(f.st, v.model), v.stage == failsRest
	bad, _, err := f.bad(in, rest)
	if err != nil {
		return err
	}
	f.f.Assert(f.st.Not(bad))
	if f.late { // a schedule may mean less for all values together
		same := f.st.True()
		for n, x := range c.fill {
			same = f.st.And(same, f.is(n, x))
		}
		f.f.Assert(f.st.Not(same))
	}
	f.known = append(f.known, &lesson{model: v.model, rest: rest, hits: 1, told: true})
	if n := len(f.failed); !f.late && n >= 2 && (n < 16 || n%8 == 0) {
		err = f.generalize(v.model, c, in.All(), rest)
	}
	f.failed = append(f.failed, c.fill)
	return err
}

// generalize excludes what fails on inputs like m. One that stays at the same
// distance from the value of a hole may fail whatever that value is: x == 7
// fails on x = 7, and x == 8 will fail on x = 8. Without that, each of 2^32
// values might need an input of its own. All repairs are good on these inputs
// too. Which input should follow which hole is seen from the values that
// failed lately.
func (f *filler) generalize(m ssa.Model, c candidate, inputs []ssa.Input, rest bool) error {
	most, best := 0, f.st.False()
	try := func(follows func(x ir.Choice, t ir.Type) (formula.Term, bool)) error {
		bad, _, err := f.bad(ssa.GivenInputs(f.st, func(x ir.Choice, t ir.Type) formula.Term {
			if v, ok := follows(x, t); ok {
				return v
			}
			return f.st.Const(ir.Width(t), m.Input(x))
		}), rest)
		if n := f.refuted(bad); n > most {
			most, best = n, bad
		}
		return err
	}
	for i, h := range f.holes {
		w := ir.Width(h.Var.Type)
		if h.choice || w == 1 {
			continue
		}
		at := func(x ir.Choice) formula.Term {
			return f.st.Add(h.term, f.st.Const(w, ir.Wrap(h.Var.Type, m.Input(x)-c.fill[i])))
		}
		for _, in := range inputs {
			if ir.Width(in.Type) != w {
				continue
			}
			if err := try(func(x ir.Choice, _ ir.Type) (formula.Term, bool) { return at(x), x == in.Choice }); err != nil {
				return err
			}
		}
		if err := try(func(x ir.Choice, t ir.Type) (formula.Term, bool) {
			d := ir.Wrap(h.Var.Type, m.Input(x)-c.fill[i])
			return at(x), ir.Width(t) == w && (d <= 1 || d == ir.Wrap(h.Var.Type, ^uint64(0)))
		}); err != nil {
			return err
		}
	}
	f.f.Assert(f.st.Not(best))
	return nil
}

// refuted returns how many of the values that failed lately are among those
// for which bad is true.
func (f *filler) refuted(bad formula.Term) int {
	n := 0
	for i := max(0, len(f.failed)-8); i < len(f.failed); i++ {
		n += int(formula.NewEvaluator(f.st, f.filling(f.failed[i])).Eval(bad))
	}
	return n
}

// filling returns the values that fill gives the holes.
func (f *filler) filling(fill []uint64) func(formula.Term) uint64 {
	return func(v formula.Term) uint64 {
		for i, h := range f.holes {
			if h.term == v {
				return fill[i]
			}
		}
		return 0
	}
}

// simplest returns the repair whose holes have the simplest values: the first
// hole as simple as any repair allows, then the second, and so on. It returns
// no alternatives if there is no repair.
func (f *filler) simplest() (candidate, verdict, error) {
	if err := f.begin(); err != nil {
		return candidate{}, verdict{stage: unknown}, err
	}
	c, v, err := f.find()
	if err != nil || c.alts == nil {
		return c, v, err
	}
	for n := range f.holes {
		if c, v, err = f.simplestValue(c, v, n); err != nil {
			return c, v, err
		}
		f.given = append(f.given, f.is(n, c.fill[n]))
	}
	return c, v, nil
}

// exclude excludes c, which the source can't have, and all that differs from
// it in constants alone: the form is to blame, or the type.
func (f *filler) exclude(c candidate) {
	f.unwritten++
	f.given = nil
	same := f.st.True()
	for n, h := range f.holes {
		if h.choice {
			same = f.st.And(same, f.is(n, c.fill[n]))
		}
	}
	f.f.Assert(f.st.Not(same))
}

// is returns the proposition that the n-th hole has this value.
func (f *filler) is(n int, value uint64) formula.Term {
	h := f.holes[n]
	return f.st.Eq(h.term, f.st.Const(f.st.Width(h.term), value))
}

// simplestValue returns the repair for which f.given holds whose n-th value
// is the simplest. c is one of them.
func (f *filler) simplestValue(c candidate, v verdict, n int) (candidate, verdict, error) {
	for _, x := range f.holes[n].preferred() {
		if x == c.fill[n] {
			return c, v, nil
		}
		if found, w, err := f.find(f.is(n, x)); err != nil || found.alts != nil {
			return found, w, err
		}
	}
	return f.closest(c, v, n)
}

// closest returns the repair for which f.given holds whose n-th value is the
// closest to 0; of two that are equally close, the positive one.
func (f *filler) closest(c candidate, v verdict, n int) (candidate, verdict, error) {
	h := f.holes[n]
	t := h.Var.Type
	low := uint64(0) // nothing is closer than that
	for low < distanceFrom0(t, c.fill[n]) {
		middle := low + (distanceFrom0(t, c.fill[n])-low)/2
		switch found, w, err := f.find(h.within(f.st, middle)); {
		case err != nil:
			return c, v, err
		case found.alts == nil:
			low = middle + 1
		default:
			c, v = found, w
		}
	}
	if !ir.Signed(t) || ir.SignedValue(t, c.fill[n]) >= 0 {
		return c, v, nil
	}
	found, w, err := f.find(f.is(n, ir.Wrap(t, -c.fill[n])))
	if err != nil || found.alts == nil {
		return c, v, err
	}
	return found, w, nil
}

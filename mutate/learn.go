package mutate

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ssa"
)

// A learner turns failing inputs into constraints on candidates.
//
// For an input I it builds the program with all alternatives behind
// selectors and with the choices fixed to I, and asserts in the generator
// that the run on I is good: (b) of a repair if the original's run on I
// ends, which implies (a) for I, and (a) otherwise. A candidate that is
// proposed from then on is good on I, and no repair is lost, since repairs
// are good on every input.
type learner struct {
	cfg *Config
	sp  *space
	g   *generator
}

// learn makes g propose only candidates that are good on m.
func (l *learner) learn(m ssa.Model) error {
	st := l.sp.st
	in := ssa.FixedInputs(st, m)
	bad, err := l.bad(in)
	if err == nil {
		l.g.f.Assert(st.Not(bad))
	}
	return err
}

// bad returns the proposition, about selectors and holes, that the run on
// in fails.
func (l *learner) bad(in *ssa.Inputs) (formula.Term, error) {
	st := l.sp.st
	if !l.cfg.AllowCuts {
		orig, err := l.build(in, nil, 0)
		if err != nil {
			return 0, err
		}
		if v, _ := st.Value(orig.Ended()); v == 1 {
			long, err := l.build(in, l.sp.hook, l.cfg.Slack)
			if err != nil {
				return 0, err
			}
			return st.OrN(hides(orig, long)...), nil
		}
	}
	short, err := l.build(in, l.sp.hook, 0)
	if err != nil {
		return 0, err
	}
	return short.Violated(), nil
}

func (l *learner) build(in *ssa.Inputs, hook ssa.Hook, slack int) (*ssa.Form, error) {
	return l.cfg.Build(l.sp.st, ssa.Config{
		Unwind: l.cfg.Unwind, Loops: l.cfg.Loops, Slack: slack, Flat: true,
		Hook: hook, HoleValue: l.sp.symbolic, Inputs: in,
	})
}

// A holeFiller looks for the simplest values of a repair's holes.
type holeFiller struct {
	*learner
	inspect func(ctx context.Context, c candidate) (verdict, error)
}

// simplest returns the repair with the alternatives of c, a repair, whose
// holes have the simplest values: the first hole as simple as any repair
// allows, then the second, and so on. The result doesn't depend on c's
// values, so that searches that meet repairs in another order agree.
func (f *holeFiller) simplest(ctx context.Context, c candidate) (candidate, error) {
	st := f.sp.st
	var given []formula.Term
	for _, k := range c.alts {
		given = append(given, f.sp.alts[k].when)
	}
	n := 0
	for _, k := range c.alts {
		a := f.sp.alts[k]
		for _, h := range f.sp.holes[a.hole : a.hole+a.holes] {
			best, err := f.simplestValue(ctx, c, h, n, given)
			if err != nil {
				return c, err
			}
			c = best
			given = append(given, st.Eq(h.term, st.Const(st.Width(h.term), c.fill[n])))
			n++
		}
	}
	return c, nil
}

// simplestValue returns the repair for which given holds whose n-th value,
// that of h, is the simplest. c is one of them.
func (f *holeFiller) simplestValue(ctx context.Context, c candidate, h hole, n int, given []formula.Term) (candidate, error) {
	st := f.sp.st
	for _, v := range h.preferred() {
		if v == c.fill[n] {
			return c, nil
		}
		found, err := f.find(ctx, c, append(slices.Clone(given), st.Eq(h.term, st.Const(st.Width(h.term), v))))
		if err != nil || found.alts != nil {
			return found, err
		}
	}
	for { // none of them: closer and closer to 0
		found, err := f.find(ctx, c, append(slices.Clone(given), h.closer(st, c.fill[n])))
		if err != nil || found.alts == nil {
			return c, err
		}
		c = found
	}
}

// find returns a repair with c's alternatives for which given holds, or no
// alternatives.
func (f *holeFiller) find(ctx context.Context, c candidate, given []formula.Term) (candidate, error) {
	for {
		lits := f.g.literals(given)
		d, err := f.g.next(ctx, len(c.alts), lits...)
		if err != nil || d.alts == nil {
			return candidate{}, err
		}
		v, err := f.inspect(ctx, d)
		if err != nil {
			return candidate{}, err
		}
		if v.good(f.cfg) {
			return d, nil
		}
		if err := f.learn(v.model); err != nil {
			return candidate{}, err
		}
	}
}

package mutate

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/ssa"
)

// This file says which candidates are good on a failing run. For an input I
// the program is built with what can be chosen behind selectors and with its
// choices fixed to I. The run on I must be good: (b) of a repair if the
// original's run on I ends, which implies (a) for I, and (a) otherwise.

// A constraint is being made for the candidates of an encoding.
type constraint struct {
	*oracle
	enc   cegis.Encoding
	most  int     // terms in a form, 0 for the default
	loose bool    // alternatives may do more than they can: see loose.go
	stmt  ir.Stmt // that is translated
	at    ir.Path // of that
	free  map[freeValue]formula.Term
	forms []*ssa.Form // in which constraints give what threads read from shared memory
}

// Good returns the proposition that a candidate's run on x is good.
func (o *oracle) Good(_ context.Context, v cegis.Encoding, x cegis.Counterexample) (out cegis.Constraint, err error) {
	defer caught(&err)
	l := &constraint{oracle: o, enc: v, loose: v.Loose && !ir.Concurrent(o.p), free: make(map[freeValue]formula.Term)}
	switch x := x.(type) {
	case keptResult:
		out.Good, err = l.keeps(int(x))
	case failingRun:
		if x.deep {
			out.Good, err = l.deep(x)
			break
		}
		in := ssa.FixedInputs(v.Store, x.model)
		if out.Good, out.Open, err = l.goodSole(in, x.rest); err != nil {
			break
		}
		out.Variants = func(c cegis.Candidate) iter.Seq2[formula.Term, error] { return l.variants(x, c, in.All()) }
	}
	out.Open = out.Open || len(l.free) > 0
	if forms := l.forms; len(forms) > 0 {
		out.Open = true
		out.Define = func(s *formula.Solver) {
			for _, f := range forms {
				f.Load(s)
			}
		}
	}
	return out, err
}

// hook offers the alternatives of the encoding to ssa.
func (l *constraint) hook(h ssa.Hole) []ssa.Alternative {
	l.stmt, l.at = h.Stmt, h.Path
	return l.sp.offer(h, l.enc.Store, l.loose, l.enc.Chosen)
}

// valueOf returns the value of v, a hole or free.
func (l *constraint) valueOf(v *ir.Var) formula.Term {
	if i := l.sp.holeOf(v); i >= 0 {
		return l.enc.Value(i)
	}
	return l.freely(v)
}

// changed builds the changed program.
func (l *constraint) changed(by ssa.Builder, in *ssa.Inputs, slack int) (*ssa.Form, error) {
	return l.built(by(l.enc.Store, ssa.Config{
		Unwind: l.cfg.Unwind, Loops: l.cfg.Loops, Slack: slack, Flat: true, Inputs: in, MaxTerms: l.most,
		Hook: l.hook, HoleValue: l.valueOf,
	}))
}

// unchanged builds the original.
func (l *constraint) unchanged(in *ssa.Inputs) (*ssa.Form, error) {
	return l.built(l.cfg.build(l.enc.Store, ssa.Config{Unwind: l.cfg.Unwind, Loops: l.cfg.Loops, Flat: true, Inputs: in}))
}

func (l *constraint) built(form *ssa.Form, err error) (*ssa.Form, error) {
	if err == nil && len(form.Defs) > 0 {
		l.forms = append(l.forms, form)
	}
	return form, err
}

// good returns the proposition that the run on in is good; if rest is set, on
// some completion of in, which is a proposition about that too if free is set.
func (l *constraint) good(in *ssa.Inputs, rest bool) (good formula.Term, free bool, err error) {
	var bad formula.Term
	if rest {
		bad, free, err = hiddenRun(in, l.unchanged,
			func(in *ssa.Inputs) (*ssa.Form, error) { return l.changed(l.cfg.build, in, l.cfg.Slack) })
	} else {
		bad, err = l.badRun(in)
	}
	if err != nil {
		return 0, false, err
	}
	return l.enc.Store.Not(bad), free, nil
}

// badRun returns the proposition that the run of a changed program fails:
// (b), if the original's run ends, which implies (a); and (a) otherwise.
func (l *constraint) badRun(in *ssa.Inputs) (formula.Term, error) {
	st := l.enc.Store
	ended := st.False()
	var hidden []formula.Term
	if !l.cfg.AllowCuts && !(l.sole && l.byLength && !l.enc.Part) {
		orig, err := l.unchanged(in)
		if err != nil {
			return 0, err
		}
		if ended = orig.Ended(); ended != st.False() {
			long, err := l.changed(l.cfg.build, in, l.cfg.Slack)
			if err != nil {
				return 0, err
			}
			hidden = notPreserved(orig, long)
		}
	}
	if ended == st.True() {
		return st.OrN(hidden...), nil
	}
	short, err := l.changed(l.cfg.build, in, 0)
	if err != nil {
		return 0, err
	}
	return st.Or(short.Violated(), st.And(ended, st.OrN(hidden...))), nil
}

// keeps returns the proposition that the i-th input to keep keeps its results.
func (l *constraint) keeps(i int) (formula.Term, error) {
	form, err := l.changed(l.cfg.build, ssa.FixedInputs(l.enc.Store, l.cfg.Keep[i]), l.cfg.Slack)
	if err != nil {
		return 0, err
	}
	return returns(form, l.kept[i]), nil
}

// returns returns the proposition that the run passes with these results.
func returns(form *ssa.Form, results []uint64) formula.Term {
	st := form.Store
	good := st.And(form.End, st.Not(form.Violated()))
	for i, x := range form.Results {
		good = st.And(good, st.Eq(x, st.Const(st.Width(x), results[i])))
	}
	return good
}

// deep returns the proposition that the run on x, which goes beyond the bound,
// violates nothing. Unlike within the bound, how other runs end doesn't
// matter.
func (l *constraint) deep(x failingRun) (formula.Term, error) {
	form, err := l.changed(l.cfg.deep, ssa.FixedInputs(l.enc.Store, x.model), x.slack)
	if errors.Is(err, ssa.ErrTooLarge) {
		return 0, cegis.ErrNoConstraint
	} else if err != nil {
		return 0, err
	}
	return l.enc.Store.Not(form.Violated()), nil
}

// A following says which choices follow a hole, and what they are then.
type following func(c ir.Choice, t ir.Type) (formula.Term, bool)

// variants yields what inputs like x teach, of which one choice or some follow
// a hole of c, at the distance that they have from its value: x == 7 fails on
// x = 7, and x == 8 will fail on x = 8.
func (l *constraint) variants(x failingRun, c cegis.Candidate, inputs []ssa.Input) iter.Seq2[formula.Term, error] {
	return func(yield func(formula.Term, error) bool) {
		for _, f := range l.followings(x.model, candidate{c.Alternatives, c.Values}, inputs) {
			good, _, err := l.good(ssa.GivenInputs(l.enc.Store, func(in ir.Choice, t ir.Type) formula.Term {
				if v, ok := f(in, t); ok {
					return v
				}
				return l.enc.Store.Const(ir.Width(t), x.model.Input(in))
			}), x.rest)
			if !yield(good, err) {
				return
			}
		}
	}
}

// followings returns what may follow which hole of cand: single inputs, and
// all that are as far as 1 from it.
func (l *constraint) followings(m ssa.Model, cand candidate, inputs []ssa.Input) []following {
	var out []following
	values := l.sp.values(cand)
	for _, n := range slices.Sorted(maps.Keys(values)) {
		h := l.sp.holes[n]
		w := ir.Width(h.Var.Type)
		if h.choice || w == 1 {
			continue
		}
		off := func(c ir.Choice) uint64 { return ir.Wrap(h.Var.Type, m.Input(c)-values[n]) }
		at := func(c ir.Choice) formula.Term {
			return l.enc.Store.Add(l.enc.Value(n), l.enc.Store.Const(w, off(c)))
		}
		for _, in := range inputs {
			if ir.Width(in.Type) == w {
				out = append(out, func(c ir.Choice, _ ir.Type) (formula.Term, bool) { return at(c), c == in.Choice })
			}
		}
		out = append(out, func(c ir.Choice, t ir.Type) (formula.Term, bool) {
			d := off(c)
			return at(c), ir.Width(t) == w && (d <= 1 || d == ir.Wrap(h.Var.Type, ^uint64(0)))
		})
	}
	return out
}

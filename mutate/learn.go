package mutate

import (
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
//
// A large constraint is hard to solve, most of all one with products of what
// depends on selectors: the generator would have to factor numbers. It is
// evaluated on the candidates instead, at first. One that violates it is
// blocked together with all others that agree on what the evaluation
// depended on (Algorithm A.1 of Rothenberg's thesis).
type learner struct {
	cfg   *Config
	sp    *space
	g     *generator
	later []*postponed
	late  bool // values read by threads are known to the solver only
}

// A postponed is a constraint that the generator does not have yet.
type postponed struct {
	bad     formula.Term // the run on the input fails
	refuted int          // candidates, by evaluation
}

// learn makes g propose only candidates that are good on the input of k, but
// for those that refute refutes. Those with holes are left out unless holes is
// set: they would make the constraint large.
func (l *learner) learn(k *lesson, holes bool) error {
	st := l.sp.st
	in, hook := ssa.FixedInputs(st, k.model), l.hook(holes)
	if !k.rest {
		bad, err := l.bad(in, hook)
		if err == nil {
			l.require(st.Not(bad), holes)
		}
		return err
	}
	bad, free, err := hiddenRun(in,
		func(in *ssa.Inputs) (*ssa.Form, error) { return l.build(in, nil, 0) },
		func(in *ssa.Inputs) (*ssa.Form, error) { return l.build(in, hook, l.cfg.Slack) })
	switch {
	case err != nil:
	case free: // only a solver can say whether there is a completion
		l.g.f.Assert(l.about(st.Not(bad), holes))
	default:
		l.require(st.Not(bad), holes)
	}
	return err
}

// about returns good, but true of candidates with holes unless holes is set.
func (l *learner) about(good formula.Term, holes bool) formula.Term {
	if holes {
		return good
	}
	return l.sp.st.Or(good, l.sp.open)
}

// hook returns the alternatives that a constraint is about.
func (l *learner) hook(holes bool) ssa.Hook {
	if holes {
		return l.sp.hook
	}
	return l.sp.plain
}

// teach makes g propose only candidates that are good on the failing input
// that v says of cand, which has no holes.
func (l *learner) teach(cand candidate, v *verdict) error {
	if v.stage == failsDeep {
		return l.deepen(cand, v)
	}
	return l.learn(&lesson{model: v.model}, false)
}

// require makes g propose only candidates for which good holds, now or
// later. If holes isn't set, good is not about candidates that have some.
func (l *learner) require(good formula.Term, holes bool) {
	good = l.about(good, holes)
	if !l.late && weight(l.sp.st, good) > l.cfg.heavy {
		l.later = append(l.later, &postponed{bad: l.sp.st.Not(good)})
	} else {
		l.g.f.Assert(good)
	}
}

// refute evaluates the postponed constraints on cand. If one is violated, it
// blocks cand and what fails alike.
func (l *learner) refute(cand candidate) bool {
	ev := formula.NewEvaluator(l.sp.st, l.sp.assignment(cand))
	for i, p := range l.later {
		if ev.Eval(p.bad) == 0 {
			continue
		}
		p.refuted++
		if len(cand.fill) > 0 { // only these values are ruled out
			p.refuted += 15
		}
		if p.refuted > l.cfg.patience {
			l.g.f.Assert(l.sp.st.Not(p.bad))
			l.later = slices.Delete(l.later, i, i+1)
			return true
		}
		var clause []formula.Term
		st := l.sp.st
		for _, v := range formula.Important(st, p.bad, ev, nil) {
			clause = append(clause, st.Not(st.Eq(v, st.Const(st.Width(v), ev.Eval(v)))))
		}
		l.g.f.Assert(st.OrN(clause...))
		return true
	}
	return false
}

// assignment returns the values of selectors and holes that cand stands
// for.
func (sp *space) assignment(cand candidate) func(formula.Term) uint64 {
	values := make(map[formula.Term]uint64)
	for _, t := range sp.selectors(cand.alts) {
		values[t] = 1
	}
	for i, v := range sp.values(cand) {
		values[sp.holes[i].term] = v
	}
	return func(v formula.Term) uint64 { return values[v] }
}

// weight returns how many bits the terms below t have, where a product or
// quotient of what isn't constant counts as the square of its width.
func weight(st *formula.Store, t formula.Term) int {
	n := 0
	seen := make([]bool, st.Len())
	todo := []formula.Term{t}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		n += st.Width(x)
		open := 0
		for _, y := range st.Args(x) {
			todo = append(todo, y)
			if _, ok := st.Value(y); !ok {
				open++
			}
		}
		switch st.Op(x) {
		case formula.OpMul, formula.OpUDiv, formula.OpURem, formula.OpSDiv, formula.OpSRem:
			if open > 1 {
				n += st.Width(x) * st.Width(x)
			}
		}
	}
	return n
}

// bad returns the proposition, about selectors and holes, that the run on
// in fails.
func (l *learner) bad(in *ssa.Inputs, hook ssa.Hook) (formula.Term, error) {
	return badRun(l.sp.st, l.cfg.AllowCuts,
		func() (*ssa.Form, error) { return l.build(in, nil, 0) },
		func(long bool) (*ssa.Form, error) {
			if long {
				return l.build(in, hook, l.cfg.Slack)
			}
			return l.build(in, hook, 0)
		})
}

// badRun returns the proposition that the run of a changed program fails:
// (b), if the original's run ends, which implies (a); and (a) otherwise.
func badRun(st *formula.Store, allowCuts bool, original func() (*ssa.Form, error), changed func(long bool) (*ssa.Form, error)) (formula.Term, error) {
	ended := st.False()
	var hidden []formula.Term
	if !allowCuts {
		orig, err := original()
		if err != nil {
			return 0, err
		}
		if ended = orig.Ended(); ended != st.False() {
			long, err := changed(true)
			if err != nil {
				return 0, err
			}
			hidden = hides(orig, long)
		}
	}
	if ended == st.True() {
		return st.OrN(hidden...), nil
	}
	short, err := changed(false)
	if err != nil {
		return 0, err
	}
	return st.Or(short.Violated(), st.And(ended, st.OrN(hidden...))), nil
}

// keep makes g propose only candidates that give these results on m.
func (l *learner) keep(m ssa.Model, results []uint64) error {
	st := l.sp.st
	form, err := l.build(ssa.FixedInputs(st, m), l.sp.plain, l.cfg.Slack)
	if err == nil {
		l.require(returns(form, results), false)
	}
	return err
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

// build builds the program. What threads read from shared memory is given by
// constraints, which the generator gets.
func (l *learner) build(in *ssa.Inputs, hook ssa.Hook, slack int) (*ssa.Form, error) {
	form, err := l.cfg.Build(l.sp.st, ssa.Config{
		Unwind: l.cfg.Unwind, Loops: l.cfg.Loops, Slack: slack, Flat: true,
		Hook: hook, HoleValue: l.sp.symbolic, Inputs: in,
	})
	if err == nil && len(form.Defs) > 0 {
		form.Load(l.g.f)
		l.late = true
	}
	return form, err
}

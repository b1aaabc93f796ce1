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

// learn makes g propose only candidates that are good on m, but for those
// that refute refutes.
func (l *learner) learn(m ssa.Model) error {
	bad, err := l.bad(ssa.FixedInputs(l.sp.st, m))
	if err == nil {
		l.require(l.sp.st.Not(bad))
	}
	return err
}

// require makes g propose only candidates for which good holds, now or
// later.
func (l *learner) require(good formula.Term) {
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
func (l *learner) bad(in *ssa.Inputs) (formula.Term, error) {
	st := l.sp.st
	if !l.cfg.AllowCuts {
		orig, err := l.build(in, nil, 0)
		if err != nil {
			return 0, err
		}
		if ended(orig) {
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

// keep makes g propose only candidates that give these results on m.
func (l *learner) keep(m ssa.Model, results []uint64) error {
	st := l.sp.st
	form, err := l.build(ssa.FixedInputs(st, m), l.sp.hook, l.cfg.Slack)
	if err == nil {
		l.require(returns(form, results))
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

// ended reports whether the run of orig, all of whose inputs are fixed,
// ended.
func ended(orig *ssa.Form) bool {
	if v, ok := orig.Store.Value(orig.Ended()); ok {
		return v == 1
	}
	run := ssa.NewRun(orig)
	run.Start(nil, nil)
	return run.Value(orig.Ended()) == 1
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
		if f.refute(d) {
			continue
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

package relation

// This file evaluates formulas about traces as they are defined, over the moments
// of the trace without end that an instance stands for.

func newEvaluator(in *Instance, n Node) *evaluator {
	e := &evaluator{in: in}
	if in.Bounds.steps > 0 {
		period := in.States() - in.loop
		e.far = in.loop + pastOf(n, map[Node]int{})*period
	}
	return e
}

// pastOf returns how many operators about the past are inside each other in n.
func pastOf(n Node, memo map[Node]int) int {
	if d, ok := memo[n]; ok {
		return d
	}
	own, deepest := 0, 0
	if f, ok := n.(*Temporal); ok && f.Op >= Historically {
		own = 1
	}
	_, _, body, let := lets(n)
	for _, x := range Children(n, nil) {
		if let && x == body {
			own += pastOf(x, memo)
		} else {
			deepest = max(deepest, pastOf(x, memo))
		}
	}
	memo[n] = own + deepest
	return own + deepest
}

// stateAt returns the state of a moment.
func (in *Instance) stateAt(moment int) int {
	if n := in.States(); moment >= n {
		return in.loop + (moment-in.loop)%(n-in.loop)
	}
	return moment
}

// bind returns inner with what a let binds to v.
func (e *evaluator) bind(inner *Env, v *Var, x Expr, env *Env) *Env {
	if e.in.Bounds.steps == 0 {
		return inner.With(v, e.expr(x, env))
	}
	return &Env{v: v, name: &byName{x, env}, next: inner}
}

// end returns the moment before which all that can happen from now on has.
func (e *evaluator) end() int {
	return max(e.now, e.far) + e.in.States() - e.in.loop
}

func (e *evaluator) temporal(f *Temporal, env *Env) bool {
	at := func(i, moment int) bool {
		there := *e
		there.now = moment
		return there.formula(f.Xs[i], env)
	}
	switch f.Op {
	case Always, Eventually:
		for m := e.now; m < e.end(); m++ {
			if at(0, m) == (f.Op == Eventually) {
				return f.Op == Eventually
			}
		}
		return f.Op == Always
	case Historically, Once:
		for m := e.now; m >= 0; m-- {
			if at(0, m) == (f.Op == Once) {
				return f.Op == Once
			}
		}
		return f.Op == Historically
	case After:
		return at(0, e.now+1)
	case Before:
		return e.now > 0 && at(0, e.now-1)
	case Until, Releases:
		for m := e.now; m < e.end(); m++ {
			if v, ok := decides(f.Op == Until, at(0, m), at(1, m)); ok {
				return v
			}
		}
		return f.Op == Releases
	}
	for m := e.now; m >= 0; m-- {
		if v, ok := decides(f.Op == Since, at(0, m), at(1, m)); ok {
			return v
		}
	}
	return f.Op == Triggered
}

// decides returns what x and y at one moment say of "x until y", or else of "x
// releases y", and whether they say it.
func decides(until, x, y bool) (v, ok bool) {
	switch {
	case until && (y || !x):
		return y, true
	case !until && (!y || x):
		return y, true
	}
	return false, false
}

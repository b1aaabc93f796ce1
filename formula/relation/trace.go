package relation

// This file translates formulas about traces, in the manner of bounded model
// checking with past operators (Latvala, Biere, Heljanko and Junttila, VMCAI
// 2005): the state that comes after the last is one of the states, chosen by
// variables, and what lies in the past of a state of the loop may be another in
// each round, up to as many rounds as past operators are nested.

// A moment is a state of a trace in a round of its loop. States before the loop
// have no round but 0; what is translated of them in others is never asked for.
type moment struct{ state, round int }

// A nature says how the value of a node depends on the moment.
type nature struct {
	rigid bool // not at all
	past  int  // from this round on no more on the round
}

// timing finds natures. Those of let variables depend on what is bound to them:
// see momentary.
type timing struct {
	b    *Bounds
	memo map[Node]nature
	past int // of the formulas so far
}

func (t *timing) of(n Node) nature {
	if x, ok := t.memo[n]; ok {
		return x
	}
	x := t.compute(n)
	t.memo[n] = x
	return x
}

func (t *timing) compute(n Node) nature {
	x := nature{rigid: true}
	switch n := n.(type) {
	case *Relation:
		return nature{rigid: !t.b.varying[n]}
	case *Const:
		return nature{rigid: n.Op != Univ && n.Op != Iden || !t.sortsVary()}
	case *Unary:
		x.rigid = n.Op != ReflexiveClosure || !t.sortsVary()
	case *AnyExpr, *AnyInt, *AnyFormula:
		return nature{past: t.past}
	}
	_, _, body, let := lets(n)
	most := 0
	for _, y := range Children(n, nil) {
		z := t.of(y)
		x.rigid = x.rigid && z.rigid
		if let && y == body {
			x.past += z.past // a value may be taken wherever the body looks
		} else {
			most = max(most, z.past)
		}
	}
	x.past += most
	if f, ok := n.(*Temporal); ok {
		x.rigid = x.rigid && !f.Op.past()
		if f.Op.past() {
			x.past++
		}
	}
	return x
}

// past returns whether o is about the states before.
func (o TemporalOp) past() bool { return o >= Historically }

func (t *timing) sortsVary() bool {
	for _, r := range t.b.sorts {
		if t.b.varying[r] {
			return true
		}
	}
	return false
}

// begin makes the first state the present one, for f.
func (s *Solver) begin(f Formula) {
	s.now = moment{}
	if s.b.steps > 0 {
		s.natures.past = max(s.natures.past, s.natures.of(f).past)
	}
}

// momentary returns what is known now about the node of in.
func (s *Solver) momentary(in *info) *info {
	x := in.nature
	for _, v := range in.free {
		if m := s.env[v]; m != nil && m.late != nil {
			x.rigid = false
			x.past += m.late.past
		}
	}
	if x.rigid {
		return in
	}
	i := min(s.now.round, x.past)*s.b.steps + s.now.state
	for len(in.at) <= i {
		in.at = append(in.at, nil)
	}
	if in.at[i] == nil {
		in.at[i] = &info{free: in.free}
	}
	return in.at[i]
}

// A late is a value that is taken by name, with the variables around it.
type late struct {
	x    Expr
	vars []int32
	env  []*matrix
	past int
}

// binding returns what a let binds to x: its matrix or, if that varies, x itself.
func (s *Solver) binding(x Expr) *matrix {
	if s.b.steps == 0 {
		return s.expr(x)
	}
	in := s.known(x)
	l := &late{x: x, vars: in.free, past: in.past}
	rigid := in.rigid
	for _, v := range in.free {
		m := s.value(v)
		l.env = append(l.env, m)
		if m.late != nil {
			rigid = false
			l.past += m.late.past
		}
	}
	if _, isVar := x.(*Var); isVar && !rigid {
		return l.env[0]
	}
	if rigid {
		return s.expr(x)
	}
	return in.lates.get(s, in.free, func() *matrix {
		m := s.matrix(x.Arity(), nil)
		m.late = l
		return m
	})
}

// force returns the matrix now of what a variable is bound to.
func (s *Solver) force(m *matrix) *matrix {
	if m.late == nil {
		return m
	}
	old := make([]*matrix, len(m.late.vars))
	for i, v := range m.late.vars {
		old[i], s.env[v] = s.env[v], m.late.env[i]
	}
	defer func() {
		for i, v := range m.late.vars {
			s.env[v] = old[i]
		}
	}()
	return s.expr(m.late.x)
}

// at calls f at another moment.
func (s *Solver) at(state, round int, f func()) {
	old := s.now
	s.now = moment{state, round}
	defer func() { s.now = old }()
	f()
}

func (s *Solver) formulaAt(state, round int, f Formula) (g Gate) {
	s.at(state, round, func() { g = s.formula(f) })
	return g
}

// length returns the number of states.
func (s *Solver) length() int {
	if s.b.steps == 0 {
		panic("relation: a formula about a trace, which the bounds don't have")
	}
	return s.b.steps
}

// loopsTo returns for each state the gate that says whether it comes after the
// last. Each choice of the variables is of one state.
func (s *Solver) loopsTo() []Gate {
	if s.loops != nil {
		return s.loops
	}
	none := gateTrue
	for range s.length() - 1 {
		v := s.c.newVar()
		s.loopVars = append(s.loopVars, v)
		s.loops = append(s.loops, s.c.and(none, v))
		none = s.c.and(none, v.Not())
	}
	s.loops = append(s.loops, none)
	return s.loops
}

// loopsAt appends to gs what says that state i comes after the last.
func (s *Solver) loopsAt(i int, gs []Gate) []Gate {
	if s.b.steps == 0 {
		return gs
	}
	s.loopsTo()
	for k, v := range s.loopVars {
		if k == i {
			return append(gs, v)
		}
		gs = append(gs, v.Not())
	}
	return gs
}

// after returns the disjunction of f over the states that may come next.
func (s *Solver) after(state, round int, f func(state, round int) Gate) Gate {
	if state < s.length()-1 {
		return f(state+1, round)
	}
	var gs []Gate
	for k, g := range s.loopsTo() {
		gs = append(gs, s.c.and(g, f(k, round+1)))
	}
	return s.c.orN(gs)
}

// prime returns x in the next state.
func (s *Solver) prime(x *Prime) (m *matrix) {
	if now := s.now; now.state < s.length()-1 {
		s.at(now.state+1, now.round, func() { m = s.expr(x.X) })
		return m
	}
	var cells []cell
	for k, g := range s.loopsTo() {
		s.at(k, s.now.round+1, func() { m = s.expr(x.X) })
		for _, c := range m.cells {
			if h := s.c.and(g, c.g); h != gateFalse {
				cells = append(cells, cell{c.t, h})
			}
		}
	}
	return s.collect(x.Arity(), cells)
}

// temporal returns the gate of f now.
func (s *Solver) temporal(f *Temporal) Gate {
	here := func(i int) Gate { return s.formula(f.Xs[i]) }
	switch f.Op {
	case After:
		return s.after(s.now.state, s.now.round, func(i, r int) Gate { return s.formulaAt(i, r, f.Xs[0]) })
	case Before:
		return s.before(f.Xs[0], false)
	case Once:
		return s.c.or(here(0), s.before(f, false))
	case Historically:
		return s.c.and(here(0), s.before(f, true))
	case Since:
		return s.c.or(here(1), s.c.and(here(0), s.before(f, false)))
	case Triggered:
		return s.c.and(here(1), s.c.or(here(0), s.before(f, true)))
	}
	return s.future(f)
}

// before returns f in the state before, or first in the first one.
func (s *Solver) before(f Formula, first bool) Gate {
	state, round := s.now.state, s.now.round
	switch {
	case round == 0 && state == 0:
		return constGate(first)
	case round == 0:
		return s.formulaAt(state-1, 0, f)
	}
	around := s.formulaAt(s.length()-1, round-1, f)
	if state == 0 {
		return around
	}
	return s.c.ite(s.loopsTo()[state], around, s.formulaAt(state-1, round, f))
}

// future returns the gate of a formula about the states to come: it goes through
// the rounds up to the last that matters, and through that once more, since it may
// have begun in its middle.
func (s *Solver) future(f *Temporal) Gate {
	last := s.operandsPast(f)
	end := constGate(f.Op == Always || f.Op == Releases)
	var at func(state, round int) Gate
	at = func(state, round int) Gate {
		then := end
		if state < s.length()-1 || round <= last {
			then = s.after(state, round, at)
		}
		var g Gate
		s.at(state, min(round, last), func() { g = s.unfold(f, then) })
		return g
	}
	at = s.memoized(at)
	return at(s.now.state, min(s.now.round, last))
}

// unfold returns f now if then is what it is in the next state.
func (s *Solver) unfold(f *Temporal, then Gate) Gate {
	x := s.formula(f.Xs[0])
	switch f.Op {
	case Always:
		return s.c.and(x, then)
	case Eventually:
		return s.c.or(x, then)
	case Until:
		return s.c.or(s.formula(f.Xs[1]), s.c.and(x, then))
	}
	return s.c.and(s.formula(f.Xs[1]), s.c.or(x, then))
}

// operandsPast returns from which round on the operands of f don't change.
func (s *Solver) operandsPast(f *Temporal) int {
	past := 0
	for _, x := range f.Xs {
		n := s.natures.of(x).past
		for _, v := range s.known(x).free {
			if m := s.env[v]; m != nil && m.late != nil {
				n += m.late.past
			}
		}
		past = max(past, n)
	}
	return past
}

func (s *Solver) memoized(f func(state, round int) Gate) func(state, round int) Gate {
	memo := map[moment]Gate{}
	return func(state, round int) Gate {
		k := moment{state, round}
		g, ok := memo[k]
		if !ok {
			g = f(state, round)
			memo[k] = g
		}
		return g
	}
}

package relation

import "encoding/binary"

// This file translates expressions to circuits.

// A result is the translation of a node: one of its fields.
type result struct {
	m  *matrix
	g  Gate
	bs []Gate
}

// info is what the solver knows about a node: the numbers of the variables in
// it that are bound outside, and the translations for their values so far. Those of formulas,
// the most, are free of pointers for the collector.
type info struct {
	free []int32
	nature
	at    []*info // at the moments of a trace, if it isn't rigid
	gates memo[Gate]
	sets  memo[*matrix]
	ints  memo[[]Gate]
	lates memo[*matrix] // of values taken by name
}

// A memo holds results by the values of variables.
type memo[T any] struct {
	few  map[[4]int32]T
	many map[string]T // with more than four variables
	none T            // with no variable
	done bool
}

// info returns what is known about n now.
func (s *Solver) info(n Node) *info {
	in := s.known(n)
	if s.b.steps > 0 {
		return s.momentary(in)
	}
	return in
}

func (s *Solver) known(n Node) *info {
	in, ok := s.infos[n]
	if !ok {
		in = &info{}
		for _, v := range s.free.of(n) {
			in.free = append(in.free, s.number(v))
		}
		if s.b.steps > 0 {
			in.nature = s.natures.of(n)
		}
		s.infos[n] = in
	}
	return in
}

func (s *Solver) number(v *Var) int32 {
	i, ok := s.vars[v]
	if !ok {
		i = int32(len(s.env))
		s.vars[v] = i
		s.env = append(s.env, nil)
	}
	return i
}

// get returns the result for the present values of the variables, computed by f
// if there is none yet.
func (m *memo[T]) get(s *Solver, free []int32, f func() T) T {
	switch k := len(free); {
	case k == 0:
		if !m.done {
			m.none, m.done = f(), true
		}
		return m.none
	case k > 4:
		return m.getMany(s, free, f)
	}
	var key [4]int32
	for i, v := range free {
		key[i] = s.value(v).id
	}
	r, ok := m.few[key]
	if !ok {
		r = f()
		if m.few == nil {
			m.few = map[[4]int32]T{}
		}
		m.few[key] = r
	}
	return r
}

func (m *memo[T]) getMany(s *Solver, free []int32, f func() T) T {
	buf := make([]byte, 0, 4*len(free))
	for _, v := range free {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(s.value(v).id))
	}
	r, ok := m.many[string(buf)]
	if !ok {
		r = f()
		if m.many == nil {
			m.many = map[string]T{}
		}
		m.many[string(buf)] = r
	}
	return r
}

func (s *Solver) value(v int32) *matrix {
	m := s.env[v]
	if m == nil {
		panic("relation: variable without a binding")
	}
	return m
}

func (s *Solver) checkSize() {
	s.step(1)
	limit := s.MaxGates
	if limit == 0 {
		limit = 8e6
	}
	if s.c.len() > limit || len(s.infos) > limit/gatesPerNode {
		panic(ErrTooLarge)
	}
}

func (s *Solver) expr(x Expr) *matrix {
	switch x := x.(type) {
	case *Relation:
		return s.relation(x)
	case *Var:
		return s.force(s.value(s.number(x)))
	}
	in := s.info(x)
	return in.sets.get(s, in.free, func() *matrix { return s.newExpr(x) })
}

func (s *Solver) newExpr(x Expr) *matrix {
	s.checkSize()
	switch x := x.(type) {
	case *Const:
		return s.constOf(x.Op)
	case *ConstSet:
		return s.constant(x.Set)
	case *Unary:
		return s.unary(x.Op, s.expr(x.X))
	case *Binary:
		return s.binary(x.Op, s.expr(x.X), s.expr(x.Y))
	case *Comprehension:
		return s.comprehension(x)
	case *IfExpr:
		return s.choose(s.formula(x.Cond), s.expr(x.Then), s.expr(x.Else))
	case *LetExpr:
		var m *matrix
		s.let(x.Vars, x.Values, func() { m = s.expr(x.Body) })
		return m
	case *IntSet:
		return s.intSet(s.int(x.X))
	case *Prime:
		return s.prime(x)
	case *AnyExpr:
		return s.anyExpr(x)
	}
	panic("relation: unknown expression")
}

func (s *Solver) constOf(op ConstOp) *matrix {
	switch op {
	case Univ:
		return s.univ()
	case Iden:
		u := s.univ()
		cells := make([]cell, len(u.cells))
		for i, c := range u.cells {
			cells[i] = cell{c.t<<16 | c.t, c.g}
		}
		return s.matrix(2, cells)
	}
	set := &Set{arity: 1}
	for i := range s.u.Len() {
		if op == Atoms || op == Ints && s.u.isInt[i] {
			set.tuples = append(set.tuples, tuple(i))
		}
	}
	return s.constant(set)
}

// univ returns the union of the sorts and the integers.
func (s *Solver) univ() *matrix {
	if s.b.sorts == nil {
		return s.expr(&atoms)
	}
	m := s.expr(&ints)
	for _, r := range s.b.sorts {
		m = s.union(m, s.relation(r))
	}
	return m
}

func (s *Solver) anyExpr(x *AnyExpr) *matrix {
	upper := s.expr(x.Upper)
	cells := make([]cell, len(upper.cells))
	for i, c := range upper.cells {
		cells[i] = cell{c.t, s.c.newVar()}
	}
	m := s.matrix(upper.arity, cells)
	s.made(x, result{m: m})
	return m
}

// made tells who watches of an arbitrary value.
func (s *Solver) made(n Node, r result) {
	if s.watch != nil {
		s.watch(n, r)
	}
}

func (s *Solver) unary(op UnaryOp, x *matrix) *matrix {
	switch op {
	case Transpose:
		return s.transpose(x)
	case Closure:
		return s.closure(x)
	default:
		return s.union(s.closure(x), s.expr(&iden))
	}
}

// Constants, as nodes that all solvers share.
var iden, ints, atoms = Const{Iden}, Const{Ints}, Const{Atoms}

func (s *Solver) binary(op BinaryOp, x, y *matrix) *matrix {
	switch op {
	case Union:
		return s.union(x, y)
	case Intersect:
		return s.intersect(x, y)
	case Difference:
		return s.difference(x, y)
	case Join:
		return s.join(x, y)
	case Product:
		return s.product(x, y)
	case Override:
		return s.override(x, y)
	case DomRestrict:
		return s.restrict(y, x, 16*(y.arity-1))
	default:
		return s.restrict(x, y, 0)
	}
}

// let calls f with vs bound.
func (s *Solver) let(vs []*Var, xs []Expr, f func()) {
	ms := make([]*matrix, len(xs))
	for i, x := range xs {
		ms[i] = s.binding(x)
	}
	old := make([]*matrix, len(vs))
	for i, v := range vs {
		k := s.number(v)
		old[i], s.env[k] = s.env[k], ms[i]
	}
	defer func() {
		for i := len(vs) - 1; i >= 0; i-- {
			s.env[s.number(vs[i])] = old[i]
		}
	}()
	f()
}

func (s *Solver) comprehension(x *Comprehension) *matrix {
	var cells []cell
	s.bindings(x.Decls, gateTrue, 0, func(guard Gate, t tuple) bool {
		if g := s.c.and(guard, s.formula(x.Body)); g != gateFalse {
			cells = append(cells, cell{t, g})
		}
		return true
	})
	return s.collect(x.Arity(), cells)
}

// atom returns the singleton of an atom, or of a tuple.
func (s *Solver) single(arity int, t tuple) *matrix {
	if arity > 1 {
		return s.matrix(arity, []cell{{t, gateTrue}})
	}
	for len(s.atoms) <= int(t) {
		s.atoms = append(s.atoms, s.matrix(1, []cell{{tuple(len(s.atoms)), gateTrue}}))
	}
	return s.atoms[t]
}

// bindings calls f for each binding of the variables of ds, with the condition
// under which it is one and, if they are at most four atoms, their tuple.
// It stops if f returns false, and returns whether it did not.
func (s *Solver) bindings(ds []Decl, guard Gate, t tuple, f func(Gate, tuple) bool) bool {
	if len(ds) == 0 {
		return f(guard, t)
	}
	d := &ds[0]
	if d.Mult != OneOf {
		panic(ErrHigherOrder)
	}
	return s.scalars(ds, s.expr(d.Bound), 0, nil, guard, t, f)
}

func (s *Solver) scalars(ds []Decl, bound *matrix, i int, used []tuple, guard Gate, t tuple, f func(Gate, tuple) bool) bool {
	d := &ds[0]
	if i == len(d.Vars) {
		return s.bindings(ds[1:], guard, t, f)
	}
	k := s.number(d.Vars[i])
	old := s.env[k]
	defer func() { s.env[k] = old }()
	for _, c := range bound.cells {
		g := s.c.and(guard, c.g)
		if g == gateFalse || d.Disj && contains(used, c.t) {
			continue
		}
		s.env[k] = s.single(bound.arity, c.t)
		if !s.scalars(ds, bound, i+1, append(used, c.t), g, t<<16|c.t, f) {
			return false
		}
	}
	return true
}

func contains(ts []tuple, t tuple) bool {
	for _, x := range ts {
		if x == t {
			return true
		}
	}
	return false
}

func (s *Solver) int(x Int) []Gate {
	in := s.info(x)
	return in.ints.get(s, in.free, func() []Gate { return s.newInt(x) })
}

func (s *Solver) newInt(x Int) []Gate {
	s.checkSize()
	switch x := x.(type) {
	case *IntConst:
		return s.intConst(x.Value)
	case *Card:
		return s.cardinality(s.expr(x.X))
	case *Sum:
		return s.sumOf(s.expr(x.X))
	case *IntUnary:
		if x.Op == Negate {
			return s.negate(s.int(x.X))
		}
		return s.signum(s.int(x.X))
	case *IntBinary:
		a, b := s.int(x.X), s.int(x.Y)
		switch x.Op {
		case Plus:
			return s.plus(a, b, gateFalse)
		case Minus:
			return s.minus(a, b)
		case Times:
			return s.times(a, b)
		case Divide, Remainder:
			return s.divide(x.Op, a, b)
		default:
			return s.shift(x.Op, a, b)
		}
	case *SumOver:
		return s.sumOver(x)
	case *IfInt:
		return s.chooseInt(s.formula(x.Cond), s.int(x.Then), s.int(x.Else))
	case *LetInt:
		var bs []Gate
		s.let(x.Vars, x.Values, func() { bs = s.int(x.Body) })
		return bs
	case *AnyInt:
		bs := make([]Gate, s.u.bits)
		for i := range bs {
			bs[i] = s.c.newVar()
		}
		s.made(x, result{bs: bs})
		return bs
	}
	panic("relation: unknown integer expression")
}

func (s *Solver) formula(f Formula) Gate {
	if b, ok := f.(*Bool); ok {
		return constGate(b.Value)
	}
	in := s.info(f)
	return in.gates.get(s, in.free, func() Gate { return s.newFormula(f) })
}

func (s *Solver) newFormula(f Formula) Gate {
	s.checkSize()
	switch f := f.(type) {
	case *Compare:
		return s.compare(f.Op, s.expr(f.X), s.expr(f.Y))
	case *IntCompare:
		return s.compareInts(f.Op, s.int(f.X), s.int(f.Y))
	case *Mult:
		return s.multiplicity(f.Op, s.expr(f.X))
	case *Disjoint:
		xs := make([]*matrix, len(f.Xs))
		for i, x := range f.Xs {
			xs[i] = s.expr(x)
		}
		if len(xs) == 0 {
			return gateTrue
		}
		return s.disjoint(xs)
	case *Not:
		return s.formula(f.X).Not()
	case *Connective:
		return s.connective(f)
	case *IfFormula:
		return s.c.ite(s.formula(f.Cond), s.formula(f.Then), s.formula(f.Else))
	case *Quant:
		return s.quant(f)
	case *LetFormula:
		var g Gate
		s.let(f.Vars, f.Values, func() { g = s.formula(f.Body) })
		return g
	case *Temporal:
		return s.temporal(f)
	case *AnyFormula:
		g := s.c.newVar()
		s.made(f, result{g: g})
		return g
	}
	panic("relation: unknown formula")
}

func (s *Solver) compare(op CompareOp, x, y *matrix) Gate {
	switch op {
	case In:
		return s.subset(x, y)
	case NotIn:
		return s.subset(x, y).Not()
	case Equal:
		return s.equal(x, y)
	default:
		return s.equal(x, y).Not()
	}
}

func (s *Solver) connective(f *Connective) Gate {
	gs := make([]Gate, len(f.Xs))
	for i, x := range f.Xs {
		gs[i] = s.formula(x)
	}
	switch f.Op {
	case And:
		return s.c.andN(gs)
	case Or:
		return s.c.orN(gs)
	case Implies:
		return s.c.implies(gs[0], gs[1])
	default:
		return s.c.iff(gs[0], gs[1])
	}
}

func (s *Solver) quant(f *Quant) Gate {
	var gs []Gate
	all := f.Op == All
	s.bindings(f.Decls, gateTrue, 0, func(guard Gate, _ tuple) bool {
		g := s.formula(f.Body)
		if all {
			g = g.Not()
		}
		g = s.c.and(guard, g)
		gs = append(gs, g)
		return g != gateTrue || f.Op >= Lone
	})
	switch f.Op {
	case All, No:
		return s.c.orN(gs).Not()
	case Some:
		return s.c.orN(gs)
	case Lone:
		return s.c.atMostOne(gs)
	default:
		return s.c.and(s.c.atMostOne(gs), s.c.orN(gs))
	}
}

package relation

import (
	"errors"
	"math/bits"
)

// This file holds the evaluator, the oracle for the translation to gates, with
// which it shares nothing but the syntax.

// An Env gives variables their values. It does not change: With extends it.
type Env struct {
	v    *Var
	set  *Set
	name *byName // instead of set
	next *Env
}

// A byName is an expression that is evaluated where its variable occurs.
type byName struct {
	x   Expr
	env *Env
}

// With returns e with v bound to set. A nil Env binds nothing.
func (e *Env) With(v *Var, set *Set) *Env { return &Env{v: v, set: set, next: e} }

// Get returns the value of v, or nil if it has none.
func (e *Env) Get(v *Var) *Set {
	if e = e.find(v); e == nil {
		return nil
	}
	return e.set
}

func (e *Env) find(v *Var) *Env {
	for e != nil && e.v != v {
		e = e.next
	}
	return e
}

// ErrUndefined says that an expression holds a variable or relation without a
// value, or an AnyExpr or AnyFormula.
var ErrUndefined = errors.New("relation: expression without a value")

// EvalExpr returns the tuples of x in in. Quantifiers over sets are enumerated.
func (in *Instance) EvalExpr(x Expr, env *Env) (s *Set, err error) {
	defer undefined(&err)
	return newEvaluator(in, x).expr(x, env), nil
}

// EvalInt returns the value of x in in.
func (in *Instance) EvalInt(x Int, env *Env) (v int, err error) {
	defer undefined(&err)
	return newEvaluator(in, x).int(x, env), nil
}

// Eval returns the truth value of f in in.
func (in *Instance) Eval(f Formula, env *Env) (v bool, err error) {
	defer undefined(&err)
	return newEvaluator(in, f).formula(f, env), nil
}

func undefined(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(error)
		if !ok || e != ErrUndefined {
			panic(r)
		}
		*err = e
	}
}

type evaluator struct {
	in  *Instance
	now int // the moment, from 0 without end
	far int // from this moment on what holds repeats with the loop
}

func (e *evaluator) universe() *Universe { return e.in.Bounds.Universe }

func (e *evaluator) expr(x Expr, env *Env) *Set {
	switch x := x.(type) {
	case *Relation:
		if s := e.in.GetAt(e.in.stateAt(e.now), x); s != nil {
			return s
		}
	case *Var:
		if b := env.find(x); b != nil && b.name != nil {
			return e.expr(b.name.x, b.name.env)
		} else if b != nil {
			return b.set
		}
	case *Const:
		return e.constant(x.Op)
	case *ConstSet:
		return x.Set
	case *Prime:
		next := *e
		next.now++
		return next.expr(x.X, env)
	case *Unary:
		return e.unary(x.Op, e.expr(x.X, env))
	case *Binary:
		return apply(x.Op, e.expr(x.X, env), e.expr(x.Y, env))
	case *Comprehension:
		r := &Set{arity: numVars(x.Decls)}
		e.bindings(x.Decls, env, nil, func(env *Env, vals []*Set) {
			if e.formula(x.Body, env) {
				t := vals[0]
				for _, v := range vals[1:] {
					t = t.Product(v)
				}
				r = r.Union(t)
			}
		})
		return r
	case *IfExpr:
		if e.formula(x.Cond, env) {
			return e.expr(x.Then, env)
		}
		return e.expr(x.Else, env)
	case *LetExpr:
		return e.expr(x.Body, e.let(x.Vars, x.Values, env))
	case *IntSet:
		if a, ok := e.universe().IntAtom(e.int(x.X, env)); ok {
			return SetOfAtoms(a)
		}
		return SetOfAtoms()
	}
	panic(ErrUndefined)
}

func (e *evaluator) let(vs []*Var, xs []Expr, env *Env) *Env {
	inner := env
	for i, v := range vs {
		inner = e.bind(inner, v, xs[i], env)
	}
	return inner
}

func (e *evaluator) constant(op ConstOp) *Set {
	switch op {
	case Univ:
		return e.univ()
	case Iden:
		r := &Set{arity: 2}
		for _, t := range e.univ().tuples {
			r.tuples = append(r.tuples, t<<16|t)
		}
		return r
	case None:
		return SetOfAtoms()
	}
	u := e.universe()
	r := &Set{arity: 1, tuples: make([]tuple, 0, u.Len())}
	for i := range u.Len() {
		if _, isInt := u.Int(Atom(i)); isInt || op == Atoms {
			r.tuples = append(r.tuples, tuple(i))
		}
	}
	return r
}

// univ is what the instance has of each sort, and the integers: an atom that it
// puts in no sort does not exist in it.
func (e *evaluator) univ() *Set {
	sorts := e.in.Bounds.sorts
	if sorts == nil {
		return e.constant(Atoms)
	}
	r := e.constant(Ints)
	for _, s := range sorts {
		r = r.Union(e.expr(s, nil))
	}
	return r
}

func (e *evaluator) unary(op UnaryOp, x *Set) *Set {
	switch op {
	case Transpose:
		r := &Set{arity: 2}
		for t := range x.All() {
			r = r.Union(NewSet(2, []Atom{t[1], t[0]}))
		}
		return r
	case Closure:
		for {
			next := x.Union(join(x, x))
			if next.Len() == x.Len() {
				return x
			}
			x = next
		}
	default:
		return e.unary(Closure, x).Union(e.constant(Iden))
	}
}

func apply(op BinaryOp, x, y *Set) *Set {
	switch op {
	case Union:
		return x.Union(y)
	case Intersect:
		return x.Intersect(y)
	case Difference:
		return x.Minus(y)
	case Join:
		return join(x, y)
	case Product:
		return x.Product(y)
	case Override:
		kept := x.keep(func(t []Atom) bool {
			for v := range y.All() {
				if v[0] == t[0] {
					return false
				}
			}
			return true
		})
		return kept.Union(y)
	case DomRestrict:
		return y.keep(func(t []Atom) bool { return x.Has(t[0]) })
	default:
		return x.keep(func(t []Atom) bool { return y.Has(t[len(t)-1]) })
	}
}

func (s *Set) keep(f func(t []Atom) bool) *Set {
	return s.filter(func(t tuple) bool { return f(t.unpack(s.arity)) })
}

func join(x, y *Set) *Set {
	var ts [][]Atom
	for a := range x.All() {
		for b := range y.All() {
			if n := len(a) - 1; a[n] == b[0] {
				ts = append(ts, append(a[:n:n], b[1:]...))
			}
		}
	}
	return NewSet(x.arity+y.arity-2, ts...)
}

func (e *evaluator) int(x Int, env *Env) int {
	u := e.universe()
	switch x := x.(type) {
	case *IntConst:
		return u.Wrap(x.Value)
	case *Card:
		return u.Wrap(e.expr(x.X, env).Len())
	case *Sum:
		n := 0
		for t := range e.expr(x.X, env).All() {
			v, _ := u.Int(t[0])
			n += v
		}
		return u.Wrap(n)
	case *IntUnary:
		v := e.int(x.X, env)
		switch {
		case x.Op == Negate:
			return u.Wrap(-v)
		case v > 0:
			return u.Wrap(1)
		case v < 0:
			return -1
		}
		return 0
	case *IntBinary:
		v, w := e.int(x.X, env), e.int(x.Y, env)
		switch x.Op {
		case Plus:
			return u.Wrap(v + w)
		case Minus:
			return u.Wrap(v - w)
		case Times:
			return u.Wrap(v * w)
		}
		return u.Wrap(divideOrShift(x.Op, v, w, u.bits))
	case *SumOver:
		n := 0
		e.bindings(x.Decls, env, nil, func(env *Env, _ []*Set) { n += e.int(x.Body, env) })
		return u.Wrap(n)
	case *IfInt:
		if e.formula(x.Cond, env) {
			return e.int(x.Then, env)
		}
		return e.int(x.Else, env)
	case *LetInt:
		return e.int(x.Body, e.let(x.Vars, x.Values, env))
	}
	panic(ErrUndefined)
}

func divideOrShift(op IntBinaryOp, v, w, width int) int {
	by := w & (1<<bits.Len(uint(width-1)) - 1)
	switch op {
	case Divide:
		if w == 0 {
			return min(max(-v, -1), 1)
		}
		return v / w
	case Remainder:
		if w == 0 {
			return v
		}
		return v % w
	case ShiftLeft:
		return v << by
	case ShiftRight:
		return v >> by
	}
	return v & (1<<width - 1) >> by
}

func (e *evaluator) formula(f Formula, env *Env) bool {
	switch f := f.(type) {
	case *Bool:
		return f.Value
	case *Compare:
		return compareSets(f.Op, e.expr(f.X, env), e.expr(f.Y, env))
	case *IntCompare:
		return compareInts(f.Op, e.int(f.X, env), e.int(f.Y, env))
	case *Mult:
		return hasMult(f.Op, e.expr(f.X, env).Len())
	case *Disjoint:
		var xs []*Set
		for _, x := range f.Xs {
			xs = append(xs, e.expr(x, env))
		}
		return apart(xs)
	case *Not:
		return !e.formula(f.X, env)
	case *Connective:
		return e.connective(f, env)
	case *IfFormula:
		if e.formula(f.Cond, env) {
			return e.formula(f.Then, env)
		}
		return e.formula(f.Else, env)
	case *Quant:
		return e.quant(f, env)
	case *Temporal:
		return e.temporal(f, env)
	case *LetFormula:
		return e.formula(f.Body, e.let(f.Vars, f.Values, env))
	}
	panic(ErrUndefined)
}

func (e *evaluator) connective(f *Connective, env *Env) bool {
	switch f.Op {
	case Implies:
		return !e.formula(f.Xs[0], env) || e.formula(f.Xs[1], env)
	case Iff:
		return e.formula(f.Xs[0], env) == e.formula(f.Xs[1], env)
	}
	for _, x := range f.Xs {
		if v := e.formula(x, env); v == (f.Op == Or) {
			return v
		}
	}
	return f.Op == And
}

func (e *evaluator) quant(f *Quant, env *Env) bool {
	n, total := 0, 0
	e.bindings(f.Decls, env, nil, func(env *Env, _ []*Set) {
		total++
		if e.formula(f.Body, env) {
			n++
		}
	})
	switch f.Op {
	case All:
		return n == total
	case Some:
		return n > 0
	case No:
		return n == 0
	case Lone:
		return n <= 1
	default:
		return n == 1
	}
}

// bindings calls f for each binding of the variables of ds. vals are the values
// so far of the first declaration.
func (e *evaluator) bindings(ds []Decl, env *Env, vals []*Set, f func(*Env, []*Set)) {
	if len(ds) == 0 {
		f(env, vals)
		return
	}
	d := ds[0]
	bound := e.expr(d.Bound, env)
	from := len(vals)
	var next func(i int, env *Env, vals []*Set)
	next = func(i int, env *Env, vals []*Set) {
		if i == len(d.Vars) {
			if !d.Disj || apart(vals[from:]) {
				e.bindings(ds[1:], env, vals, f)
			}
			return
		}
		for _, s := range subsets(bound, d.Mult) {
			next(i+1, env.With(d.Vars[i], s), append(vals[:len(vals):len(vals)], s))
		}
	}
	next(0, env, vals)
}

// subsets returns the subsets of s of a multiplicity.
func subsets(s *Set, m MultOp) (r []*Set) {
	if m == OneOf {
		for _, t := range s.tuples {
			r = append(r, &Set{s.arity, []tuple{t}})
		}
		return r
	}
	if s.Len() > 20 {
		panic(ErrUndefined)
	}
	for mask := range uint(1) << s.Len() {
		if !hasMult(m, bits.OnesCount(mask)) {
			continue
		}
		i := -1
		r = append(r, s.filter(func(tuple) bool { i++; return mask>>i&1 == 1 }))
	}
	return r
}

func apart(xs []*Set) bool {
	for i, x := range xs {
		for _, y := range xs[:i] {
			if x.Intersect(y).Len() > 0 {
				return false
			}
		}
	}
	return true
}

func hasMult(op MultOp, n int) bool {
	switch op {
	case NoOf:
		return n == 0
	case SomeOf:
		return n > 0
	case LoneOf:
		return n <= 1
	case OneOf:
		return n == 1
	default:
		return true
	}
}

func compareSets(op CompareOp, x, y *Set) bool {
	switch op {
	case In:
		return x.In(y)
	case NotIn:
		return !x.In(y)
	case Equal:
		return x.Equal(y)
	default:
		return !x.Equal(y)
	}
}

func compareInts(op IntCompareOp, v, w int) bool {
	switch op {
	case IntEqual:
		return v == w
	case IntNotEqual:
		return v != w
	case Less:
		return v < w
	case LessEqual:
		return v <= w
	case Greater:
		return v > w
	default:
		return v >= w
	}
}

package relation

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// This file compares what solver and evaluator say of traces with a judge that
// follows the definition on the states written out one after another, each value
// of a formula a word of bits, a bit for each moment.

// traceMaker makes random formulas about a static set s, a set v and a relation e
// that vary.
type traceMaker struct {
	*rand.Rand
	s, v, e *Relation
	vars    []*Var
}

func (k *traceMaker) pick(n int) int { return k.IntN(n) }

func (k *traceMaker) set(depth int) Expr {
	switch n := k.pick(9); {
	case len(k.vars) > 0 && n < 3:
		return k.vars[k.pick(len(k.vars))]
	case depth == 0 || n < 4:
		return []Expr{k.s, k.v, &Const{Univ}}[k.pick(3)]
	case n == 4:
		return &Prime{k.set(depth - 1)}
	case n == 5:
		return &Binary{Join, k.set(depth - 1), k.edge(depth - 1)}
	case n == 6:
		v := &Var{"x", 1}
		d := []Decl{{Vars: []*Var{v}, Mult: OneOf, Bound: k.set(depth - 1)}}
		return &Comprehension{d, k.under(v, func() Formula { return k.formula(depth - 1) })}
	}
	return &Binary{[]BinaryOp{Union, Intersect, Difference}[k.pick(3)], k.set(depth - 1), k.set(depth - 1)}
}

func (k *traceMaker) edge(depth int) Expr {
	switch n := k.pick(5); {
	case depth == 0 || n == 0:
		return k.e
	case n == 1:
		return &Prime{k.edge(depth - 1)}
	case n == 2:
		return &Const{Iden}
	case n == 3:
		return &Unary{[]UnaryOp{Transpose, Closure, ReflexiveClosure}[k.pick(3)], k.edge(depth - 1)}
	}
	return &Binary{Product, k.set(depth - 1), k.set(depth - 1)}
}

func (k *traceMaker) under(v *Var, f func() Formula) Formula {
	k.vars = append(k.vars, v)
	defer func() { k.vars = k.vars[:len(k.vars)-1] }()
	return f()
}

func (k *traceMaker) formula(depth int) Formula {
	if depth == 0 {
		return &Mult{[]MultOp{NoOf, SomeOf, LoneOf, OneOf}[k.pick(4)], k.set(1)}
	}
	switch n := k.pick(13); {
	case n == 12:
		return &IntCompare{IntCompareOp(k.pick(6)), k.number(depth - 1), k.number(1)}
	case n < 6:
		o := TemporalOp(k.pick(10))
		f := &Temporal{o, []Formula{k.formula(depth - 1)}}
		if o == Until || o == Releases || o == Since || o == Triggered {
			f.Xs = append(f.Xs, k.formula(depth-1))
		}
		return f
	case n == 6:
		return &Not{k.formula(depth - 1)}
	case n == 7:
		return &Connective{ConnectiveOp(k.pick(4)), []Formula{k.formula(depth - 1), k.formula(depth - 1)}}
	case n == 8:
		v := &Var{"q", 1}
		d := []Decl{{Vars: []*Var{v}, Mult: OneOf, Bound: k.set(1)}}
		return &Quant{QuantOp(k.pick(5)), d, k.under(v, func() Formula { return k.formula(depth - 1) })}
	case n < 11:
		v := &Var{"l", 1}
		value := k.set(2)
		return &LetFormula{[]*Var{v}, []Expr{value}, k.under(v, func() Formula { return k.formula(depth - 1) })}
	}
	return &Compare{[]CompareOp{In, Equal}[k.pick(2)], k.set(depth - 1), k.set(depth - 1)}
}

// number returns a random integer of what varies.
func (k *traceMaker) number(depth int) Int {
	switch n := k.pick(5); {
	case depth == 0 || n == 0:
		return &IntConst{k.pick(3) - 1}
	case n == 1:
		return &Sum{&Binary{Intersect, &Const{Ints}, k.set(depth - 1)}}
	case n == 2:
		return &IntBinary{[]IntBinaryOp{Plus, Minus, Times}[k.pick(3)], k.number(depth - 1), k.number(depth - 1)}
	}
	return &Card{k.set(depth - 1)}
}

// A traceJudge looks so many moments ahead that what comes later makes no
// difference.
type traceJudge struct {
	in      *Instance
	moments int
}

func (j *traceJudge) state(m int) int {
	for n := j.in.States(); m >= n; {
		m -= n - j.in.Loop()
	}
	return m
}

func (j *traceJudge) substitute(n Node, v *Var, x Expr) Node {
	return Replace(n, func(n Node) Node {
		if n == Node(v) {
			return x
		}
		return nil
	})
}

// flat returns x at a moment as the constant that it is.
func (j *traceJudge) flat(x Expr, m int) Expr {
	switch x := x.(type) {
	case *Relation:
		return &ConstSet{j.in.GetAt(j.state(m), x)}
	case *Prime:
		return j.flat(x.X, m+1)
	case *Const:
		set, _ := j.in.State(j.state(m)).EvalExpr(x, nil)
		return &ConstSet{set}
	case *Comprehension:
		d := x.Decls[0]
		set := SetOfAtoms()
		bound, _ := j.in.EvalExpr(j.flat(d.Bound, m), nil)
		for t := range bound.All() {
			if j.holds(j.substitute(x.Body, d.Vars[0], &ConstSet{SetOfAtoms(t...)}).(Formula), m) {
				set = set.Union(SetOfAtoms(t...))
			}
		}
		return &ConstSet{set}
	case *Unary:
		if x.Op == ReflexiveClosure {
			return &Binary{Union, j.flat(&Unary{Closure, x.X}, m), j.flat(&Const{Iden}, m)}
		}
	}
	return Rebuild(x, func(n Node) Node { return j.flat(n.(Expr), m) }).(Expr)
}

func (j *traceJudge) holds(f Formula, m int) bool {
	switch f := f.(type) {
	case *Temporal:
		return j.temporal(f, m, m+j.moments)
	case *LetFormula:
		return j.holds(j.substitute(f.Body, f.Vars[0], f.Values[0]).(Formula), m)
	case *Quant:
		var fs []Formula
		bound, _ := j.in.EvalExpr(j.flat(f.Decls[0].Bound, m), nil)
		for t := range bound.All() {
			fs = append(fs, j.substitute(f.Body, f.Decls[0].Vars[0], &ConstSet{SetOfAtoms(t...)}).(Formula))
		}
		n := 0
		for _, g := range fs {
			if j.holds(g, m) {
				n++
			}
		}
		return [...]bool{All: n == len(fs), Some: n > 0, No: n == 0, Lone: n <= 1, One: n == 1}[f.Op]
	}
	var at func(n Node) Node
	at = func(n Node) Node {
		switch n := n.(type) {
		case Expr:
			return j.flat(n, m)
		case Int:
			return Rebuild(n, at)
		}
		return &Bool{j.holds(n.(Formula), m)}
	}
	g := Rebuild(f, at).(Formula)
	v, _ := j.in.Eval(g, nil)
	return v
}

// temporal goes by the laws that unfold the operators, to the moment end.
func (j *traceJudge) temporal(f *Temporal, m, end int) bool {
	x := f.Xs[0]
	y := f.Xs[len(f.Xs)-1]
	next := func(v bool) bool {
		if m >= end {
			return v
		}
		return j.temporal(f, m+1, end)
	}
	last := func(v bool) bool {
		if m == 0 {
			return v
		}
		return j.temporal(f, m-1, end)
	}
	switch f.Op {
	case Always:
		return j.holds(x, m) && next(true)
	case Eventually:
		return j.holds(x, m) || next(false)
	case After:
		return j.holds(x, m+1)
	case Until:
		return j.holds(y, m) || j.holds(x, m) && next(false)
	case Releases:
		return j.holds(y, m) && (j.holds(x, m) || next(true))
	case Historically:
		return j.holds(x, m) && last(true)
	case Once:
		return j.holds(x, m) || last(false)
	case Before:
		return m > 0 && j.holds(x, m-1)
	case Since:
		return j.holds(y, m) || j.holds(x, m) && last(false)
	}
	return j.holds(y, m) && (j.holds(x, m) || last(true))
}

func traceProblem(seed uint64) (*traceMaker, *Bounds) {
	k := &traceMaker{Rand: rand.New(rand.NewPCG(seed, 7)), s: &Relation{"s", 1}, v: &Relation{"v", 1}, e: &Relation{"e", 2}}
	u := letters(1, 2)
	u.AddInts()
	b := NewBounds(u)
	all := SetOfAtoms(0, 1)
	b.Bind(k.s, nil, all)
	b.Bind(k.v, nil, all)
	b.Bind(k.e, nil, NewSet(2, []Atom{0, 1}, []Atom{1, 0}))
	b.Vary(k.v, k.e)
	b.SetSteps(1 + k.pick(4))
	b.SetSorts(k.s, k.v)
	return k, b
}

// randomTrace returns an instance of b.
func (k *traceMaker) instance(b *Bounds) *Instance {
	in := NewInstance(b)
	for i := range in.States() {
		for _, r := range b.rels {
			if i == 0 || b.Varies(r) {
				in.PutAt(i, r, b.upper[r].filter(func(tuple) bool { return k.pick(2) == 0 }))
			}
		}
	}
	in.SetLoop(k.pick(in.States()))
	return in
}

func checkTrace(t *testing.T, seed uint64) {
	t.Helper()
	ctx := context.Background()
	k, b := traceProblem(seed)
	f := k.formula(3)
	s := NewSolver(b, sat.New())
	g, err := s.Gate(f)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	some := false
	for range 6 {
		in := k.instance(b)
		period := in.States() - in.Loop()
		want := (&traceJudge{in, in.States() + 4*period}).holds(f, 0)
		some = some || want
		if got, err := in.Eval(f, nil); err != nil || got != want {
			t.Fatalf("seed %d: evaluator says %v, %v of %s, want %v", seed, got, err, Format(f), want)
		}
		if got, _ := s.Solve(ctx, append(s.Assignment(in), g)...); (got == sat.Sat) != want {
			t.Fatalf("seed %d: solver says %v of %s, want %v", seed, got, Format(f), want)
		}
		i := s.Remember(in)
		if one, zero := s.On(g); one>>i&1 == 1 != want || zero>>i&1 == 0 != want {
			t.Fatalf("seed %d: remembered value %b %b of %s, want %v", seed, one>>i&1, zero>>i&1, Format(f), want)
		}
	}
	in, err := Find(ctx, b, f, sat.New())
	if err != nil || some && in == nil {
		t.Fatalf("seed %d: Find = %v, %v of %s", seed, in, err, Format(f))
	}
}

// TestTraces compares random formulas about traces on random instances.
func TestTraces(t *testing.T) {
	n := uint64(1500)
	if testing.Short() {
		n = 150
	}
	for seed := range n {
		checkTrace(t, seed)
	}
}

// traces yields each instance of b, which has a static relation and others that vary.
func traces(b *Bounds, f func(*Instance) bool) {
	in := NewInstance(b)
	var next func(state, i int) bool
	next = func(state, i int) bool {
		if i == len(b.rels) {
			state, i = state+1, 0
		}
		if state == in.States() {
			for l := range in.States() {
				if in.SetLoop(l); !f(in) {
					return false
				}
			}
			return true
		}
		r := b.rels[i]
		if state > 0 && !b.Varies(r) {
			return next(state, i+1)
		}
		for _, s := range subsets(b.upper[r], SetOf) {
			if in.PutAt(state, r, s); !next(state, i+1) {
				return false
			}
		}
		return true
	}
	next(0, 0)
}

// TestTracesThatAreNone looks at all traces where the solver finds none, and wants
// the same with symmetric ones left out.
func TestTracesThatAreNone(t *testing.T) {
	n := uint64(120)
	if testing.Short() {
		n = 15
	}
	none := 0
	for seed := range n {
		k, b := traceProblem(seed)
		b.SetSteps(1 + int(seed%2))
		f := &Connective{And, []Formula{k.formula(3), k.formula(3), k.formula(2)}}
		in, err := Find(context.Background(), b, f, sat.New())
		if err != nil {
			t.Fatal(err)
		}
		if in != nil {
			continue
		}
		none++
		traces(b, func(in *Instance) bool {
			holds, err := in.Eval(f, nil)
			if holds || err != nil {
				t.Errorf("seed %d: the solver finds no trace of %s, but there is one: %v", seed, Format(f), err)
			}
			return !holds
		})
	}
	if none < int(n)/20 {
		t.Errorf("only %d of %d have none", none, n)
	}
}

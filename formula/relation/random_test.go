package relation

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// A maker makes random well-typed nodes.
type maker struct {
	*rand.Rand
	rels []*Relation
	vars []*Var
}

func (k *maker) pick(n int) int { return k.IntN(n) }

func (k *maker) leaf(arity int) Expr {
	for range 8 {
		var x Expr
		switch k.pick(3) {
		case 0:
			x = k.rels[k.pick(len(k.rels))]
		case 1:
			if len(k.vars) == 0 {
				continue
			}
			x = k.vars[k.pick(len(k.vars))]
		default:
			x = &Const{ConstOp(k.pick(5))}
		}
		if x.Arity() == arity {
			return x
		}
	}
	switch arity {
	case 1:
		return k.rels[0]
	case 2:
		return k.rels[1]
	}
	return &Binary{Product, k.rels[0], k.rels[1]}
}

func (k *maker) expr(arity, depth int) Expr {
	if depth == 0 {
		return k.leaf(arity)
	}
	d := depth - 1
	switch k.pick(12) {
	case 0, 1:
		return &Binary{BinaryOp(k.pick(3)), k.expr(arity, d), k.expr(arity, d)}
	case 2, 3, 4:
		a := 1 + k.pick(min(3, arity+1))
		if b := arity + 2 - a; b >= 1 && b <= 3 {
			return &Binary{Join, k.expr(a, d), k.expr(b, d)}
		}
	case 5:
		if arity > 1 {
			a := 1 + k.pick(arity-1)
			return &Binary{Product, k.expr(a, d), k.expr(arity-a, d)}
		}
		return &IntSet{k.int(d)}
	case 6:
		if arity == 2 {
			return &Unary{UnaryOp(k.pick(3)), k.expr(2, d)}
		}
	case 7:
		return &Binary{DomRestrict, k.expr(1, d), k.expr(arity, d)}
	case 8:
		return &Binary{RanRestrict, k.expr(arity, d), k.expr(1, d)}
	case 9:
		return &Binary{Override, k.expr(arity, d), k.expr(arity, d)}
	case 10:
		if arity < 3 {
			ds, n := k.decls(arity, d)
			body := k.formula(d)
			k.vars = k.vars[:len(k.vars)-n]
			return &Comprehension{ds, body}
		}
	default:
		if k.pick(2) == 0 {
			return &IfExpr{k.formula(d), k.expr(arity, d), k.expr(arity, d)}
		}
		v, x := k.let(d)
		body := k.expr(arity, d)
		k.vars = k.vars[:len(k.vars)-1]
		return &LetExpr{[]*Var{v}, []Expr{x}, body}
	}
	return k.leaf(arity)
}

func (k *maker) let(d int) (*Var, Expr) {
	x := k.expr(1+k.pick(2), d)
	v := &Var{"l", x.Arity()}
	k.vars = append(k.vars, v)
	return v, x
}

func (k *maker) decls(n, d int) ([]Decl, int) {
	var ds []Decl
	for i := 0; i < n; {
		vs := []*Var{{"x", 1}}
		if i+1 < n && k.pick(2) == 0 {
			vs = append(vs, &Var{"y", 1})
		}
		ds = append(ds, Decl{vs, k.pick(2) == 0, OneOf, k.expr(1, min(d, 1))})
		k.vars = append(k.vars, vs...)
		i += len(vs)
	}
	return ds, n
}

func (k *maker) int(depth int) Int {
	if depth == 0 {
		return &IntConst{k.pick(5) - 2}
	}
	d := depth - 1
	switch k.pick(7) {
	case 0:
		return &Card{k.expr(1+k.pick(3), d)}
	case 1, 2:
		return &Sum{k.expr(1, d)}
	case 3:
		return &IntUnary{IntUnaryOp(k.pick(2)), k.int(d)}
	case 4:
		return &IntBinary{IntBinaryOp(k.pick(8)), k.int(d), k.int(d)}
	case 5:
		return &IfInt{k.formula(d), k.int(d), k.int(d)}
	}
	v, x := k.let(d)
	body := k.int(d)
	k.vars = k.vars[:len(k.vars)-1]
	return &LetInt{[]*Var{v}, []Expr{x}, body}
}

func (k *maker) formula(depth int) Formula {
	if depth == 0 {
		return &Mult{MultOp(k.pick(4)), k.leaf(1 + k.pick(2))}
	}
	d := depth - 1
	switch k.pick(10) {
	case 0, 1:
		a := 1 + k.pick(3)
		return &Compare{CompareOp(k.pick(4)), k.expr(a, d), k.expr(a, d)}
	case 2:
		return &IntCompare{IntCompareOp(k.pick(6)), k.int(d), k.int(d)}
	case 3:
		return &Mult{MultOp(k.pick(5)), k.expr(1+k.pick(3), d)}
	case 4:
		return &Disjoint{[]Expr{k.expr(1, d), k.expr(1, d), k.expr(1, d)}}
	case 5:
		return &Not{k.formula(d)}
	case 6:
		return &Connective{ConnectiveOp(k.pick(4)), []Formula{k.formula(d), k.formula(d)}}
	case 7:
		return &IfFormula{k.formula(d), k.formula(d), k.formula(d)}
	case 8:
		v, x := k.let(d)
		body := k.formula(d)
		k.vars = k.vars[:len(k.vars)-1]
		return &LetFormula{[]*Var{v}, []Expr{x}, body}
	}
	ds, n := k.decls(1+k.pick(2), d)
	body := k.formula(d)
	k.vars = k.vars[:len(k.vars)-n]
	return &Quant{QuantOp(k.pick(5)), ds, body}
}

// newMaker returns a maker over three relations within small bounds, some of
// whose tuples are fixed. With every second seed the first is the only sort.
func newMaker(seed uint64, width, atoms int) (*maker, *Bounds) {
	u := NewUniverse(width)
	for i := range atoms {
		u.Add(string(rune('A' + i)))
	}
	u.AddInts()
	b := NewBounds(u)
	k := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	for arity := 1; arity <= 3; arity++ {
		r := &Relation{string(rune('p' + arity)), arity}
		all := SetOfAtoms()
		for i := range u.Len() {
			all = all.Union(SetOfAtoms(Atom(i)))
		}
		upper := all
		for range arity - 1 {
			upper = upper.Product(all)
		}
		keep := 5 - arity
		upper = upper.filter(func(tuple) bool { return k.pick(len(upper.tuples)) < keep })
		lower := upper.filter(func(tuple) bool { return k.pick(6) == 0 })
		b.Bind(r, lower, upper)
		k.rels = append(k.rels, r)
	}
	if seed%2 == 1 {
		b.SetSorts(k.rels[0])
	}
	return k, b
}

// instances yields every instance of b.
func instances(b *Bounds, f func(*Instance)) {
	in := NewInstance(b)
	var next func(i int)
	next = func(i int) {
		if i == len(b.rels) {
			f(in)
			return
		}
		r := b.rels[i]
		for _, s := range subsets(b.upper[r].Minus(b.lower[r]), SetOf) {
			in.Put(r, b.lower[r].Union(s))
			next(i + 1)
		}
	}
	next(0)
}

func size(b *Bounds) int {
	n := 0
	for _, r := range b.rels {
		n += b.upper[r].Len() - b.lower[r].Len()
	}
	return n
}

// TestRandom compares circuits, clauses, remembered values, symmetry breaking
// and skolemization of random formulas with the evaluator in all instances.
func TestRandom(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 60
	}
	checked := 0
	for seed := range n {
		k, b := newMaker(seed, 1+int(seed%3), 2)
		if size(b) > 8 {
			continue
		}
		checkFormula(t, seed, k.formula(4), b)
		checked++
	}
	if checked < int(n)/2 {
		t.Errorf("only %d of %d checked", checked, n)
	}
}

func checkFormula(t *testing.T, seed uint64, f Formula, b *Bounds) {
	t.Helper()
	ctx := context.Background()
	s := NewSolver(b, sat.New())
	g, err := s.Gate(f)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	count := 0
	instances(b, func(in *Instance) {
		want, err := in.Eval(f, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if want {
			count++
		}
		assume := append(s.Assignment(in), g)
		if got, _ := s.Solve(ctx, assume...); (got == sat.Sat) != want {
			t.Fatalf("seed %d: solver says %v of %s, evaluator %v", seed, got, Format(f), want)
		}
		assume[len(assume)-1] = g.Not()
		if got, _ := s.Solve(ctx, assume...); (got == sat.Unsat) != want {
			t.Fatalf("seed %d: solver says %v of the negation of %s, evaluator %v", seed, got, Format(f), want)
		}
		if s.Kept() == MaxKept {
			return
		}
		i := s.Remember(in)
		if one, zero := s.On(g); one>>i&1 == 1 != want || zero>>i&1 == 0 != want {
			t.Fatalf("seed %d: remembered value %b %b of %s, want %v", seed, one>>i&1, zero>>i&1, Format(f), want)
		}
	})
	in, err := Find(ctx, b, f, sat.New())
	if err != nil || (in != nil) != (count > 0) {
		t.Fatalf("seed %d: Find = %v, %v, but %s has %d instances", seed, in, err, Format(f), count)
	}
}

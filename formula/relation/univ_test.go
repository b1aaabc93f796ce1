package relation

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// This file tests univ, iden and reflexive closures against their definitions.

// A judge says of single tuples whether an expression holds them, by the
// definition of each operator, one bit and no set at a time.
type judge struct{ in *Instance }

func (j judge) exists(a Atom) bool {
	if _, isInt := j.in.Bounds.Universe.Int(a); isInt || j.in.Bounds.sorts == nil {
		return true
	}
	for _, s := range j.in.Bounds.sorts {
		if j.in.sets[s].Has(a) {
			return true
		}
	}
	return false
}

func (j judge) holds(x Expr, t ...Atom) bool {
	switch x := x.(type) {
	case *Relation:
		return j.in.sets[x].Has(t...)
	case *Const:
		_, isInt := j.in.Bounds.Universe.Int(t[0])
		switch x.Op {
		case Univ:
			return j.exists(t[0])
		case Iden:
			return t[0] == t[1] && j.exists(t[0])
		case Ints:
			return isInt
		}
		return x.Op == Atoms
	case *Unary:
		switch x.Op {
		case Transpose:
			return j.holds(x.X, t[1], t[0])
		case ReflexiveClosure:
			if t[0] == t[1] && j.exists(t[0]) {
				return true
			}
		}
		return j.path(x.X, t[0], t[1], j.in.Bounds.Universe.Len())
	case *Binary:
		return j.binary(x, t)
	}
	panic("no such expression")
}

// path reports whether one of at most n steps of x leads from a to b.
func (j judge) path(x Expr, a, b Atom, n int) bool {
	if n == 0 {
		return false
	}
	if j.holds(x, a, b) {
		return true
	}
	for i := range j.in.Bounds.Universe.Len() {
		if c := Atom(i); c != a && j.holds(x, a, c) && j.path(x, c, b, n-1) {
			return true
		}
	}
	return false
}

func (j judge) binary(x *Binary, t []Atom) bool {
	switch x.Op {
	case Union:
		return j.holds(x.X, t...) || j.holds(x.Y, t...)
	case Intersect:
		return j.holds(x.X, t...) && j.holds(x.Y, t...)
	case Difference:
		return j.holds(x.X, t...) && !j.holds(x.Y, t...)
	case Product:
		k := x.X.Arity()
		return j.holds(x.X, t[:k]...) && j.holds(x.Y, t[k:]...)
	case Join:
		k := x.X.Arity() - 1
		for i := range j.in.Bounds.Universe.Len() {
			left := append(append([]Atom{}, t[:k]...), Atom(i))
			right := append([]Atom{Atom(i)}, t[k:]...)
			if j.holds(x.X, left...) && j.holds(x.Y, right...) {
				return true
			}
		}
		return false
	case DomRestrict:
		return j.holds(x.X, t[0]) && j.holds(x.Y, t...)
	}
	return j.holds(x.X, t...) && j.holds(x.Y, t[len(t)-1])
}

// univExpr returns a random expression of arity 1 or 2 of the operators that
// judge knows.
func (k *maker) univExpr(arity, depth int) Expr {
	if depth == 0 {
		leaves := []Expr{k.rels[0], &Const{Univ}, &Const{Ints}}
		if arity == 2 {
			leaves = []Expr{k.rels[1], &Const{Iden}, &Unary{ReflexiveClosure, k.rels[1]}}
		}
		return leaves[k.pick(len(leaves))]
	}
	d := depth - 1
	switch k.pick(8) {
	case 0, 1, 2:
		return &Binary{BinaryOp(k.pick(3)), k.univExpr(arity, d), k.univExpr(arity, d)}
	case 3:
		if arity == 1 {
			return &Binary{Join, k.univExpr(1, d), k.univExpr(2, d)}
		}
		if k.pick(2) == 0 {
			return &Binary{Join, k.univExpr(2, d), k.univExpr(2, d)}
		}
		return &Binary{DomRestrict, k.univExpr(1, d), k.univExpr(2, d)}
	case 4, 5:
		if arity == 2 {
			return &Unary{UnaryOp(k.pick(3)), k.univExpr(2, d)}
		}
	case 6:
		if arity == 2 {
			return &Binary{Product, k.univExpr(1, d), k.univExpr(1, d)}
		}
	}
	return k.univExpr(arity, d)
}

// univBounds has a sort, or two, that need not hold all atoms, and a relation
// over all atoms.
func univBounds(seed uint64) (*maker, *Bounds) {
	u := letters(1, 3)
	u.AddInts()
	b := NewBounds(u)
	k := &maker{Rand: rand.New(rand.NewPCG(seed, 3))}
	a, r, c := &Relation{"a", 1}, &Relation{"r", 2}, &Relation{"c", 1}
	b.Bind(a, nil, SetOfAtoms(0, 1))
	pairs := full(u, 2)
	b.Bind(r, nil, pairs.filter(func(tuple) bool { return k.pick(pairs.Len()) < 4 }))
	b.Bind(c, nil, SetOfAtoms(1))
	k.rels = []*Relation{a, r}
	switch seed % 3 {
	case 0:
		b.SetSorts(a)
	case 1:
		b.SetSorts(c, a)
	default:
		b.SetSorts()
	}
	return k, b
}

// checkUniv compares the evaluator and the solver with the judge in all instances.
func checkUniv(t *testing.T, seed uint64) {
	t.Helper()
	k, b := univBounds(seed)
	x := k.univExpr(1+k.pick(2), 3)
	s := NewSolver(b, sat.NewGini())
	m := s.expr(x)
	all := full(b.Universe, x.Arity())
	instances(b, func(in *Instance) {
		set, err := in.EvalExpr(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		for tu := range all.All() {
			want := judge{in}.holds(x, tu...)
			if set.Has(tu...) != want {
				t.Fatalf("seed %d: %v in %s: the evaluator says %v", seed, tu, Format(x), !want)
			}
			g := m.at(pack(tu))
			if status, _ := s.Solve(context.Background(), append(s.Assignment(in), g)...); status == sat.Sat != want {
				t.Fatalf("seed %d: %v in %s: the solver says %v", seed, tu, Format(x), !want)
			}
		}
	})
}

func TestUniv(t *testing.T) {
	formulas := uint64(60)
	if testing.Short() {
		formulas = 12
	}
	for seed := range formulas {
		checkUniv(t, seed)
	}
}

// TestUnivHoldsWhatExists says in formulas what the definitions demand.
func TestUnivHoldsWhatExists(t *testing.T) {
	u := letters(3, 2)
	u.AddInts()
	b := NewBounds(u)
	a := &Relation{"a", 1}
	b.Bind(a, nil, SetOfAtoms(0, 1))
	b.SetSorts(a)
	univ, integers := &Const{Univ}, &Const{Ints}
	exists := &Binary{Union, a, integers}
	product := &Binary{Product, exists, exists}
	for _, f := range []Formula{
		&Compare{Equal, univ, exists},
		&Compare{In, &Const{Iden}, product},
		&Compare{In, &Unary{ReflexiveClosure, &Binary{Product, a, a}}, product},
		&Connective{Implies, []Formula{&Mult{NoOf, a}, &Compare{Equal, univ, integers}}},
	} {
		if in, err := Find(context.Background(), b, &Not{f}, sat.NewGini()); in != nil || err != nil {
			t.Errorf("%s is not valid: %v, %v", Format(f), in, err)
		}
	}
}

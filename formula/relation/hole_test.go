package relation

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// TestHole puts random nodes into random places, and compares values and
// circuits with those of the formula with the node replaced.
func TestHole(t *testing.T) {
	tried := 0
	for seed := range uint64(400) {
		k, b := newMaker(seed, 2, 2)
		f := k.formula(4)
		n, scope := place(k.Rand, f)
		if n == nil || size(b) > 6 {
			continue
		}
		s := NewSolver(b, sat.New())
		instances(b, func(in *Instance) {
			if s.Kept() < MaxKept {
				s.Remember(in)
			}
		})
		k.vars = scope
		var upper *Set
		if e, ok := n.(Expr); ok {
			upper = full(b.Universe, e.Arity())
		}
		h, err := s.Open(n, scope, upper, f, &Not{f})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			checkHole(t, seed, s, h, f, n, like(k, n))
			tried++
		}
	}
	if tried < 300 {
		t.Errorf("only %d tried", tried)
	}
}

func checkHole(t *testing.T, seed uint64, s *Solver, h *Hole, f Formula, n, x Node) {
	t.Helper()
	g, err := s.Gate(Replace(f, func(y Node) Node {
		if y == n {
			return x
		}
		return nil
	}).(Formula))
	if err != nil {
		t.Fatal(err)
	}
	roots, err := h.Put(x)
	if err != nil {
		t.Fatal(err)
	}
	one, zero := s.On(g)
	for i, r := range roots {
		if o, z := s.On(r); i == 0 && (o != one || z != zero) || i == 1 && (o != zero || z != one) {
			t.Fatalf("seed %d: Put(%s) for %s in %s differs from Replace", seed, Format(x), Format(n), Format(f))
		}
	}
	ok, err := h.Try(x, func(i int, o, z uint64) {
		if i == 0 && (o != one || z != zero) || i == 1 && (o != zero || z != one) {
			t.Fatalf("seed %d: Try(%s) for %s in %s: %b %b, want %b %b", seed, Format(x), Format(n), Format(f), o, z, one, zero)
		}
	})
	if err != nil || !ok {
		t.Fatalf("seed %d: Try = %v, %v", seed, ok, err)
	}
	if o, z := s.On(h.Roots()[0]); o&one != one || z&zero != zero {
		t.Fatalf("seed %d: the open hole excludes %s", seed, Format(x))
	}
}

// place picks a node of f that is no leaf, and returns the variables in scope.
func place(r *rand.Rand, f Formula) (n Node, scope []*Var) {
	count := 0
	var walk func(x Node, vs []*Var)
	walk = func(x Node, vs []*Var) {
		switch x.(type) {
		case *Relation, *Var, *Const, *Bool, *IntConst:
			return
		}
		count++
		if r.IntN(count) == 0 {
			n, scope = x, vs
		}
		in := vs[:len(vs):len(vs)]
		switch y := x.(type) {
		case *Quant:
			for _, d := range y.Decls {
				walk(d.Bound, in)
				in = append(in, d.Vars...)
			}
			walk(y.Body, in)
		case *LetFormula:
			walk(y.Values[0], in)
			walk(y.Body, append(in, y.Vars...))
		case *Comprehension, *LetExpr, *LetInt:
		default:
			for _, z := range Children(x, nil) {
				walk(z, in)
			}
		}
	}
	walk(f, nil)
	return n, scope
}

// like makes a node of n's kind.
func like(k *maker, n Node) Node {
	switch n := n.(type) {
	case Formula:
		return k.formula(2)
	case Int:
		return k.int(2)
	default:
		return k.expr(n.(Expr).Arity(), 2)
	}
}

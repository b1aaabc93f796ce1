package formula

import (
	"math/rand/v2"
	"testing"
)

// TestEntails says which equations follow.
func TestEntails(t *testing.T) {
	s := NewStore()
	x, i, y, r := s.Var(32, "x"), s.Var(32, "i"), s.Var(32, "y"), s.Var(32, "r")
	one, two := s.Const(32, 1), s.Const(32, 2)
	sum := Equation{s.Mul(x, i), s.Add(r, x)} // r = x(i-1)
	for _, e := range []struct {
		name  string
		given []Equation
		goal  Equation
		want  bool
	}{
		{"distribution", nil, Equation{s.Mul(x, s.Add(i, one)), s.Add(s.Mul(i, x), x)}, true},
		{"a step", []Equation{sum}, Equation{s.Mul(x, s.Add(i, one)), s.Add(s.Add(r, x), x)}, true},
		{"a wrong step", []Equation{sum}, Equation{s.Mul(x, s.Add(i, one)), s.Add(r, x)}, false},
		{"the end", []Equation{sum, {i, s.Add(y, one)}}, Equation{r, s.Mul(y, x)}, true},
		{"a triangle", []Equation{{s.Mul(two, r), s.Mul(i, s.Sub(i, one))}},
			Equation{s.Mul(two, s.Add(r, i)), s.Mul(s.Add(i, one), i)}, true},
		{"even", []Equation{{s.Mul(two, r), s.Mul(two, x)}}, Equation{r, x}, false},
		{"even twice", []Equation{{s.Mul(two, r), s.Mul(two, x)}}, Equation{s.Mul(s.Const(32, 4), r), s.Mul(s.Const(32, 4), x)}, false},
		{"another width", []Equation{{s.Var(8, "a"), s.Const(8, 3)}}, Equation{r, x}, false},
		{"negation", []Equation{{r, s.Not(x)}}, Equation{s.Add(r, x), s.Const(32, 1<<32-1)}, true},
	} {
		if got := s.Entails(e.given, e.goal); got != e.want {
			t.Errorf("%s: %v, want %v", e.name, got, e.want)
		}
	}
}

// TestEntailsRandom evaluates random equations in all states of three
// variables of 3 bits: what is entailed holds wherever the others do.
func TestEntailsRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	entailed := 0
	for range 3000 {
		s := NewStore()
		vars := []Term{s.Var(3, "a"), s.Var(3, "b"), s.Var(3, "c")}
		var make func(depth int) Term
		make = func(depth int) Term {
			switch k := rng.IntN(6); {
			case depth == 0 || k == 0:
				if rng.IntN(3) == 0 {
					return s.Const(3, rng.Uint64N(8))
				}
				return vars[rng.IntN(3)]
			case k < 3:
				return s.Add(make(depth-1), make(depth-1))
			case k == 3:
				return s.Not(make(depth - 1))
			case k == 4 && rng.IntN(2) == 0:
				return s.Concat(s.Extract(make(depth-1), 1, 0), s.Const(1, 0))
			}
			return s.Mul(make(depth-1), make(depth-1))
		}
		var given []Equation
		for range 1 + rng.IntN(3) {
			given = append(given, Equation{make(2), make(1)})
		}
		goal := Equation{make(2), make(2)}
		if rng.IntN(2) == 0 { // a sum of multiples follows
			goal = Equation{s.Const(3, 0), s.Const(3, 0)}
			for _, e := range given {
				c := s.Const(3, rng.Uint64N(8))
				goal = Equation{s.Add(goal[0], s.Mul(c, e[0])), s.Add(goal[1], s.Mul(c, e[1]))}
			}
		}
		if !s.Entails(given, goal) {
			continue
		}
		entailed++
		var now [3]uint64
		ev := NewEvaluator(s, func(v Term) uint64 {
			for i, x := range vars {
				if x == v {
					return now[i]
				}
			}
			return 0
		})
		for n := range uint64(512) {
			now = [3]uint64{n & 7, n >> 3 & 7, n >> 6}
			ev.Reset()
			all := true
			for _, e := range given {
				all = all && ev.Eval(e[0]) == ev.Eval(e[1])
			}
			if all && ev.Eval(goal[0]) != ev.Eval(goal[1]) {
				t.Fatalf("entailed, but false of %v", now)
			}
		}
	}
	if t.Logf("%d entailed", entailed); entailed < 500 {
		t.Errorf("only %d entailed", entailed)
	}
}

package formula

import (
	"math/rand/v2"
	"testing"
)

// TestSimulator gives variables of random terms values, and takes them back: what is
// known of the term is so for all values of the others, and all is known when none is
// left.
func TestSimulator(t *testing.T) {
	open, decided := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		st := NewStore()
		vars := []Term{st.Var(3, "x"), st.Var(3, "y"), st.Zext(3, st.Var(1, "p"))}
		z := randomTerm(st, r, vars, 4)
		s := NewSimulator(st, z)
		given := make(map[Term]uint64)
		var marks []int
		var order []Term
		for range 8 {
			if n := len(marks); n > 0 && r.IntN(3) == 0 {
				s.Undo(marks[n-1])
				delete(given, order[n-1])
				marks, order = marks[:n-1], order[:n-1]
			} else if v := []Term{vars[0], vars[1], st.Arg(vars[2], 0)}[r.IntN(3)]; !has(given, v) {
				marks, order = append(marks, s.Mark()), append(order, v)
				given[v] = r.Uint64N(1 << st.Width(v))
				s.Set(v, given[v])
			}
			got, ok := s.Root()
			switch {
			case ok:
				decided++
			case len(given) == 3:
				t.Fatalf("seed %d: unknown with all variables given", seed)
			default:
				open++
				continue
			}
			for other := range uint64(1 << 7) {
				want := st.Eval(z, func(v Term) uint64 {
					if x, ok := given[v]; ok {
						return x
					}
					switch v {
					case vars[0]:
						return other & 7
					case vars[1]:
						return other >> 3 & 7
					}
					return other >> 6
				})
				if got != want {
					t.Fatalf("seed %d: the root is %d, want %d", seed, got, want)
				}
			}
		}
	}
	if open < 1000 || decided < 1000 {
		t.Errorf("%d values unknown, %d known", open, decided)
	}
}

func has(m map[Term]uint64, v Term) bool {
	_, ok := m[v]
	return ok
}

// TestDoubt is about what a term may depend on.
func TestDoubt(t *testing.T) {
	st := NewStore()
	p, q, x := st.Var(1, "p"), st.Var(1, "q"), st.Var(8, "x")
	z := st.And(st.Ite(p, st.Eq(x, st.Const(8, 1)), q), q)
	s := NewSimulator(st, z)
	if d := s.Doubt(); d != p && d != q {
		t.Errorf("Doubt() = %v, want p or q", st.Name(d))
	}
	s.Set(q, 1)
	if d := s.Doubt(); d != p {
		t.Errorf("with q, Doubt() = %v, want p", d)
	}
	s.Set(p, 1)
	if d := s.Doubt(); d != 0 {
		t.Errorf("with p and q, Doubt() = %v, want none", d)
	}
	s.Set(q, 0)
	if v, ok := s.Root(); !ok || v != 0 {
		t.Errorf("without q, the root is %d, %v", v, ok)
	}
}

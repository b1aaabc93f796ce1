package formula

import (
	"math/rand/v2"
	"testing"
)

// TestIntervals evaluates random terms on all values of two variables and
// looks whether the intervals hold what comes out.
func TestIntervals(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		st := NewStore()
		x, y := st.Var(3, "x"), st.Var(3, "y")
		in := map[Term]Interval{x: span(r), y: span(r)}
		z := randomTerm(st, r, []Term{x, y}, 4)
		got := NewRanges(st, func(v Term) Interval { return in[v] }).Of(z)
		for a := in[x].Lo; a <= in[x].Hi; a++ {
			for b := in[y].Lo; b <= in[y].Hi; b++ {
				v := st.Eval(z, func(v Term) uint64 {
					if v == x {
						return a
					}
					return b
				})
				if v < got.Lo || v > got.Hi {
					t.Fatalf("seed %d: x = %d, y = %d: %d is not in %v", seed, a, b, v, got)
				}
			}
		}
	}
}

func span(r *rand.Rand) Interval {
	a, b := r.Uint64N(8), r.Uint64N(8)
	return Interval{min(a, b), max(a, b)}
}

// randomTerm returns a term of 3 bits.
func randomTerm(st *Store, r *rand.Rand, vars []Term, depth int) Term {
	if depth == 0 {
		if r.IntN(3) == 0 {
			return st.Const(3, r.Uint64N(8))
		}
		return vars[r.IntN(len(vars))]
	}
	a, b := randomTerm(st, r, vars, depth-1), randomTerm(st, r, vars, r.IntN(depth))
	switch r.IntN(16) {
	case 0:
		return st.Not(a)
	case 1:
		return st.And(a, b)
	case 2:
		return st.Xor(a, b)
	case 3:
		return st.Or(a, b)
	case 4:
		return st.Sub(a, b)
	case 5:
		return st.Mul(a, b)
	case 6:
		return st.URem(a, b)
	case 7:
		return st.Lshr(a, b)
	case 8:
		return st.Ite(st.Eq(a, b), b, st.Const(3, 1))
	case 9:
		return st.Ite(st.Ult(a, b), a, b)
	case 10:
		return st.Extract(st.Concat(a, b), 4, 2)
	case 11:
		return st.Extract(st.Add(st.Zext(6, a), st.Zext(6, b)), 3, 1)
	case 12:
		return st.Extract(st.Mul(st.Sext(7, a), st.Zext(7, b)), 4, 2)
	case 13:
		return st.UDiv(a, b)
	}
	return st.Add(a, b)
}

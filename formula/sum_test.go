package formula

import (
	"math/rand/v2"
	"testing"
)

// TestEqSum compares sums with the same summands in another order, and with
// one that differs, with their values.
func TestEqSum(t *testing.T) {
	decided := 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 11))
		st := NewStore()
		w := 2 + rng.IntN(63)
		vars := []Term{st.Var(w, "a"), st.Var(w, "b"), st.Var(w, "c")}
		vars = append(vars, st.Mul(vars[0], vars[1]), st.UDiv(vars[1], vars[2]))
		type part struct {
			t    Term
			sign int
		}
		var parts []part
		for range 2 + rng.IntN(12) {
			p := part{vars[rng.IntN(len(vars))], rng.IntN(2)}
			switch rng.IntN(4) {
			case 0:
				p.t = st.Mul(p.t, st.Const(w, rng.Uint64()))
			case 1:
				p.t = st.Const(w, rng.Uint64N(100))
			}
			parts = append(parts, p)
		}
		sum := func() Term {
			x := st.Const(w, 0)
			for _, i := range rng.Perm(len(parts)) {
				switch p := parts[i]; {
				case p.sign == 0:
					x = st.Add(p.t, x)
				case rng.IntN(2) == 0:
					x = st.Sub(x, p.t)
				default:
					x = st.Add(x, st.Neg(p.t))
				}
			}
			return x
		}
		x, y := sum(), sum()
		if got := st.Eq(x, y); got == st.True() {
			decided++
		}
		if rng.IntN(2) == 0 {
			parts[0].sign ^= 1
			y = sum()
		}
		eq := st.Eq(x, y)
		for range 20 {
			values := make(map[Term]uint64)
			for _, v := range vars[:3] {
				values[v] = rng.Uint64() & ones(w)
			}
			env := func(v Term) uint64 { return values[v] }
			if got, want := st.Eval(eq, env) == 1, st.Eval(x, env) == st.Eval(y, env); got != want {
				t.Fatalf("seed %d: x = y is %v, want %v", seed, got, want)
			}
		}
	}
	if decided < 1900 {
		t.Errorf("only %d of 2000 equal sums are seen to be equal", decided)
	}
}

package formula

import (
	"math/rand/v2"
	"testing"
)

// TestSquare compares squares at all widths with products of numbers, by all
// three kinds of gates.
func TestSquare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	for w := 1; w <= 64; w++ {
		s := NewStore()
		x := s.Var(w, "x")
		for range 3 {
			v := rng.Uint64() & ones(w)
			for name, got := range allGates(s, s.Mul(x, x), func(Term) uint64 { return v }) {
				if want := v * v & ones(w); got != want {
					t.Errorf("%d², width %d, by %s: %d, want %d", v, w, name, got, want)
				}
			}
		}
	}
}

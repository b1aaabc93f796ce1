package formula

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// TestClauseGates makes random gates over three inputs, their negations and
// constants, and compares each output with its truth table, for all inputs.
func TestClauseGates(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := sat.New()
		g := newClauseGates(s)
		ms := []sat.Lit{g.True(), g.Input(), g.Input(), g.Input()}
		truth := []uint8{0xff, 0xaa, 0xcc, 0xf0}
		pick := func() (sat.Lit, uint8) {
			i := rng.IntN(len(ms))
			if rng.IntN(2) == 0 { // prefer young gates: they are deep
				i = len(ms) - 1 - rng.IntN(min(6, len(ms)))
			}
			if rng.IntN(2) == 0 {
				return ms[i].Not(), ^truth[i]
			}
			return ms[i], truth[i]
		}
		for range 40 {
			a, x := pick()
			b, y := pick()
			c, z := pick()
			var m sat.Lit
			var v uint8
			switch rng.IntN(6) {
			case 0:
				m, v = g.And(a, b), x&y
			case 1:
				m, v = g.Xor(a, b), x^y
			case 2:
				m, v = g.Mux(a, b, c), x&y|^x&z
			case 3:
				m, v = g.Parity(a, b, c), x^y^z
			case 4:
				m, v = g.Majority(a, b, c), x&y|x&z|y&z
			case 5:
				d, w := pick()
				m, v = g.All([]sat.Lit{a, b, c, d, a}), x&y&z&w
			}
			ms, truth = append(ms, m), append(truth, v)
		}
		g.simplified([]sat.Lit{ms[4], ms[4].Not()})
		for in := range 8 {
			assume := make([]sat.Lit, 3)
			for i := range assume {
				assume[i] = ms[i+1] ^ sat.Lit(^in>>i&1)
			}
			if st, err := s.Solve(context.Background(), assume...); st != sat.Sat || err != nil {
				t.Fatalf("seed %d: inputs %03b: %v, %v", seed, in, st, err)
			}
			for i, m := range ms {
				if got := s.Value(m); got != (truth[i]>>in&1 == 1) {
					t.Fatalf("seed %d: inputs %03b: gate %d is %t", seed, in, i, got)
				}
			}
		}
	}
}

// TestSharing checks that gates that are equal by one level of lookahead
// are one.
func TestSharing(t *testing.T) {
	g := newClauseGates(sat.New())
	a, b, c := g.Input(), g.Input(), g.Input()
	ab := g.And(a, b)
	for i, p := range [][2]sat.Lit{
		{g.And(b, a), ab},
		{g.And(a, ab), ab},
		{g.And(a.Not(), ab), g.yes.Not()},
		{g.And(a, ab.Not()), g.And(a, b.Not())},
		{g.And(a.Not(), ab.Not()), a.Not()},
		{g.Xor(a, g.Xor(a.Not(), b)), b.Not()},
		{g.Xor(a, ab), g.And(a, b.Not())},
		{g.Mux(a, ab, c), g.Mux(a, b, c)},
		{g.Mux(c, g.Mux(c, a, b), g.Mux(c, b, a)), a},
		{g.Mux(a, g.Xor(a, b), c), g.Mux(a, b.Not(), c)},
		{g.And(c, g.Mux(c, a, b)), g.And(c, a)},
		{g.And(a, g.Xor(a, b)), g.And(a, b.Not())},
		{g.Majority(a.Not(), b.Not(), c.Not()), g.Majority(c, a, b).Not()},
		{g.Parity(a.Not(), b, c), g.Parity(c, a, b).Not()},
		{g.All([]sat.Lit{a, b, c, ab, a}), g.All([]sat.Lit{c, ab, b, a, g.yes})},
	} {
		if p[0] != p[1] {
			t.Errorf("pair %d: two literals, %d and %d", i, p[0], p[1])
		}
	}
}

func TestDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	vs := []uint64{0, 1, 3, 7, 1 << 63, 3 << 62, ^uint64(0), ^uint64(0) - 1, 1000003}
	for range 1000 {
		vs = append(vs, rng.Uint64()>>rng.IntN(64), -(rng.Uint64() >> rng.IntN(64)))
	}
	for _, v := range vs {
		plus, minus := digits(v)
		if n := bits.OnesCount64(plus) + bits.OnesCount64(minus); plus-minus != v || n > bits.OnesCount64(v) || n > 33 {
			t.Errorf("digits(%#x) = %#x, %#x", v, plus, minus)
		}
	}
	if plus, minus := digits(0x7f); plus != 0x80 || minus != 1 {
		t.Errorf("digits(0x7f) = %#x, %#x; want 0x80, 1", plus, minus)
	}
}

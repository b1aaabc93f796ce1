package sat

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestCounting compares ExactlyOne, AtMostOne and Totalizer with counting.
func TestCounting(t *testing.T) {
	for n := range 11 {
		s := NewGini()
		ms := make([]Lit, n)
		for i := range ms {
			ms[i] = s.NewVar()
		}
		size := NewTotalizer(s, ms...)
		one, most := guarded(s, ms, ExactlyOne), guarded(s, ms, AtMostOne)
		for k := range n + 1 { // growing
			for set := range 1 << n {
				assume := []Lit{size.AtMost(k)}
				for i, m := range ms {
					assume = append(assume, m^Lit(^set>>i&1))
				}
				check(t, s, bits.OnesCount(uint(set)) <= k, assume...)
				if k == 0 {
					check(t, s, bits.OnesCount(uint(set)) == 1, append(assume[1:], one)...)
					check(t, s, bits.OnesCount(uint(set)) <= 1, append(assume[1:], most)...)
				}
			}
		}
	}
}

// guarded adds a constraint that holds under the literal it returns.
func guarded(s Solver, ms []Lit, add func(Solver, ...Lit)) Lit {
	g := &guard{Solver: s, on: s.NewVar()}
	add(g, ms...)
	return g.on
}

type guard struct {
	Solver
	on Lit
}

func (g *guard) AddClause(ms ...Lit) { g.Solver.AddClause(append(ms[:len(ms):len(ms)], g.on.Not())...) }

func check(t *testing.T, s Solver, want bool, assume ...Lit) {
	t.Helper()
	got, err := s.Solve(t.Context(), assume...)
	if err != nil || (got == Sat) != want {
		t.Fatalf("Solve(%v) = %v, %v; want sat: %v", assume, got, err, want)
	}
}

func randomClauses(rng *rand.Rand, vars []Lit, n int) [][]Lit {
	clauses := make([][]Lit, n)
	for i := range clauses {
		for range 1 + rng.IntN(3) {
			clauses[i] = append(clauses[i], vars[rng.IntN(len(vars))]^Lit(rng.IntN(2)))
		}
	}
	return clauses
}

// TestMaxSat compares optima with enumeration.
func TestMaxSat(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := NewGini()
		vars := make([]Lit, 3+rng.IntN(6))
		for i := range vars {
			vars[i] = s.NewVar()
		}
		clauses := randomClauses(rng, vars, rng.IntN(14))
		for _, c := range clauses {
			s.AddClause(c...)
		}
		soft := make([]Lit, rng.IntN(10))
		for i := range soft {
			soft[i] = vars[rng.IntN(len(vars))] ^ Lit(rng.IntN(2))
		}
		want := bestCost(vars, clauses, soft)
		got, err := MaxSat(t.Context(), s, soft)
		if want < 0 {
			if !errors.Is(err, ErrUnsat) {
				t.Fatalf("seed %d: MaxSat = %d, %v; want ErrUnsat", seed, got, err)
			}
			continue
		}
		if err != nil || got != want || falses(s.Value, soft) != want {
			t.Fatalf("seed %d: MaxSat = %d, %v (model %d), want %d", seed, got, err, falses(s.Value, soft), want)
		}
	}
}

func falses(val func(Lit) bool, ms []Lit) int {
	n := 0
	for _, m := range ms {
		if !val(m) {
			n++
		}
	}
	return n
}

// bestCost returns the least number of false soft literals, or -1.
func bestCost(vars []Lit, clauses [][]Lit, soft []Lit) int {
	best := -1
next:
	for set := range 1 << len(vars) {
		val := func(m Lit) bool { return (set>>((m>>1)-(vars[0]>>1))&1 == 1) != (m&1 == 1) }
		for _, c := range clauses {
			if !holds(val, c) {
				continue next
			}
		}
		if n := falses(val, soft); best < 0 || n < best {
			best = n
		}
	}
	return best
}

// TestMinCore checks that minimized cores are cores, and minimal.
func TestMinCore(t *testing.T) {
	found := 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := NewGini()
		vars := make([]Lit, 8)
		for i := range vars {
			vars[i] = s.NewVar()
		}
		for _, c := range randomClauses(rng, vars, 12) {
			s.AddClause(c...)
		}
		if st, _ := s.Solve(t.Context(), vars...); st != Unsat {
			continue
		}
		core, err := MinCore(t.Context(), s, s.Core(nil))
		if err != nil {
			t.Fatal(err)
		}
		found++
		check(t, s, false, core...)
		for i := range core {
			rest := append(append([]Lit(nil), core[:i]...), core[i+1:]...)
			check(t, s, true, rest...)
		}
	}
	if found < 100 {
		t.Errorf("only %d cores", found)
	}
}

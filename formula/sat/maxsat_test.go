package sat

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMaxSat compares optima with enumeration, under many small clauses, and
// with soft literals that are often repeated.
func TestMaxSat(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 13))
		vars := 5 + rng.IntN(4)
		pick := func() Lit { return Lit(2 + rng.IntN(2*vars)) }
		s := NewGini()
		for range vars { // those that MaxSat makes are others
			s.NewVar()
		}
		var clauses [][]Lit
		for range rng.IntN(12) {
			c := []Lit{pick(), pick(), pick()}[:1+rng.IntN(3)]
			clauses = append(clauses, c)
			s.AddClause(c...)
		}
		for range 2 {
			soft, weight := make([]Lit, rng.IntN(10)), make([]int, 10)
			for i := range soft {
				soft[i], weight[i] = pick(), rng.IntN(4)
			}
			weight = weight[:len(soft)]
			want := optimum(vars, clauses, soft, weight)
			got, err := WeightedMaxSat(t.Context(), s, soft, weight)
			if want < 0 && !errors.Is(err, ErrUnsat) || want >= 0 && (err != nil || got != want) {
				t.Fatalf("seed %d: WeightedMaxSat(%d, %d) of %d = %d, %v, want %d", seed, soft, weight, clauses, got, err, want)
			}
		}
	}
}

// optimum returns the least weight of false soft literals in a model of the
// clauses, -1 if there is none.
func optimum(vars int, clauses [][]Lit, soft []Lit, weight []int) int {
	best := -1
assignments:
	for a := range 1 << vars {
		holds := func(m Lit) bool { return a>>(m>>1-1)&1 != int(m&1) }
		for _, c := range clauses {
			if !slices.ContainsFunc(c, holds) {
				continue assignments
			}
		}
		cost := 0
		for i, m := range soft {
			if !holds(m) {
				cost += weight[i]
			}
		}
		if best < 0 || cost < best {
			best = cost
		}
	}
	return best
}

// TestMaxSatAllFalse makes bounds grow to the end: that the soft literals
// can't all be true is easy to see, that none can be takes a search.
func TestMaxSatAllFalse(t *testing.T) {
	for n := 2; n <= 6; n++ {
		s := NewGini()
		p, q := s.NewVar(), s.NewVar()
		var soft, all []Lit
		var weight []int
		for range n {
			m := s.NewVar()
			soft, all, weight = append(soft, m), append(all, m.Not()), append(weight, 3)
			for i := range Lit(4) {
				s.AddClause(m.Not(), p^(i&1), q^(i>>1))
			}
		}
		s.AddClause(all...)
		if cost, err := WeightedMaxSat(t.Context(), s, soft, weight); cost != 3*n || err != nil {
			t.Errorf("%d literals: WeightedMaxSat = %d, %v, want %d", n, cost, err, 3*n)
		}
	}
}

// TestHittingSet finds smallest sets that meet given ones, of a known size:
// disjoint sets that must be met, and others that contain those.
func TestHittingSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, optimum := range []int{0, 1, 3, 15} {
		s := NewGini()
		var soft []Lit
		for range 300 {
			soft = append(soft, s.NewVar().Not())
		}
		for i := range optimum {
			set := []Lit{soft[3*i].Not(), soft[3*i+1].Not(), soft[3*i+2].Not()}
			for range 20 {
				s.AddClause(append(set, soft[rng.IntN(300)].Not(), soft[rng.IntN(300)].Not())...)
			}
			s.AddClause(set...)
		}
		counted := &counting{Solver: s}
		cost, err := MaxSat(t.Context(), counted, soft)
		if err != nil || cost != optimum || falses(s, soft) != optimum {
			t.Errorf("MaxSat = %d, %v with %d in the model, want %d", cost, err, falses(s, soft), optimum)
		}
		if counted.n > 4*cost+1 {
			t.Errorf("MaxSat of cost %d solves %d times", cost, counted.n)
		}
	}
}

func falses(s Solver, ms []Lit) (n int) {
	for _, m := range ms {
		if !s.Value(m) {
			n++
		}
	}
	return n
}

// A counting solver counts its Solves.
type counting struct {
	Solver
	n int
}

func (s *counting) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	s.n++
	return s.Solver.Solve(ctx, assume...)
}

// TestMaxSatEnds ends the context after some queries: what is returned must
// be a lower bound, and the solver good for another try.
func TestMaxSatEnds(t *testing.T) {
	for n := range 8 {
		s := NewGini()
		var soft []Lit
		for range 12 {
			a, b := s.NewVar(), s.NewVar()
			s.AddClause(a.Not(), b.Not())
			soft = append(soft, a, b)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cost, err := MaxSat(ctx, &ender{Solver: s, left: n, end: func() { cancel(errEnded) }}, soft)
		if err != errEnded || cost > n {
			t.Errorf("after %d queries: MaxSat = %d, %v", n, cost, err)
		}
		if cost, err := MaxSat(t.Context(), s, soft); cost != 12 || err != nil {
			t.Errorf("MaxSat = %d, %v, want 12", cost, err)
		}
	}
}

// TestMaxSatUnsat asks for what can't be.
func TestMaxSatUnsat(t *testing.T) {
	s := NewGini()
	m := s.NewVar()
	s.AddClause()
	if cost, err := MaxSat(t.Context(), s, []Lit{m, m.Not()}); !errors.Is(err, ErrUnsat) {
		t.Errorf("MaxSat = %d, %v, want ErrUnsat", cost, err)
	}
	mustPanic(t, func() { WeightedMaxSat(t.Context(), s, []Lit{m}, []int{}) })
	mustPanic(t, func() { WeightedMaxSat(t.Context(), s, []Lit{m}, []int{-1}) })
}

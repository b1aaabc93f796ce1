package sat

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// TestMaxSat compares optima with enumeration: the soft literals are those
// of a driver, under many small clauses, and often repeated.
func TestMaxSat(t *testing.T) {
	for seed := range uint64(3000) {
		d := &driver{s: NewGini(), prog: randomProgram(seed, 400), holds: where(func(int) bool { return true })}
		for range numVars - seed%4 {
			d.newVar()
		}
		for range d.next(12) {
			d.addClause()
		}
		for range 2 {
			if err := d.maxSat(t.Context()); err != nil {
				t.Fatalf("seed %d: %v, after %v", seed, err, d.log)
			}
		}
	}
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

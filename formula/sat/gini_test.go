package sat

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// TestBruteForce compares random incremental runs with enumeration.
func TestBruteForce(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n := 3 + rng.IntN(6)
		e := NewGini()
		vars := make([]Lit, n)
		for i := range vars {
			vars[i] = e.NewVar()
		}
		pick := func() Lit { return vars[rng.IntN(n)] ^ Lit(rng.IntN(2)) }
		var clauses [][]Lit
		for range 12 {
			for range 3 {
				c := make([]Lit, 1+rng.IntN(3))
				for i := range c {
					c[i] = pick()
				}
				clauses = append(clauses, c)
				e.AddClause(c...)
			}
			var assume []Lit
			for range rng.IntN(n) {
				assume = append(assume, pick())
			}
			got, err := e.Solve(t.Context(), assume...)
			if err != nil {
				t.Fatal(err)
			}
			if want := enumerate(vars, clauses, assume); got != want {
				t.Fatalf("seed %d: Solve = %v, want %v", seed, got, want)
			}
			switch got {
			case Sat:
				for _, c := range clauses {
					if !holds(e.Value, c) {
						t.Fatalf("seed %d: model violates %v", seed, c)
					}
				}
			case Unsat:
				if core := e.Core(nil); enumerate(vars, clauses, core) != Unsat {
					t.Fatalf("seed %d: %v is not a core", seed, core)
				}
			}
		}
	}
}

func holds(val func(Lit) bool, c []Lit) bool {
	for _, m := range c {
		if val(m) {
			return true
		}
	}
	return false
}

func enumerate(vars []Lit, clauses [][]Lit, assume []Lit) Status {
next:
	for bits := range 1 << len(vars) {
		val := func(m Lit) bool {
			for i, v := range vars {
				if v>>1 == m>>1 {
					return (bits>>i&1 == 1) != (m&1 == 1)
				}
			}
			panic("unreachable")
		}
		for _, m := range assume {
			if !val(m) {
				continue next
			}
		}
		for _, c := range clauses {
			if !holds(val, c) {
				continue next
			}
		}
		return Sat
	}
	return Unsat
}

// TestCancel checks that Solve ends soon after its context, and that the
// engine can be used afterwards.
func TestCancel(t *testing.T) {
	e := NewGini()
	v := pigeons(e, 14, 13)
	free := e.NewVar()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	t0 := time.Now()
	s, err := e.Solve(ctx)
	if s != Unknown || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Solve = %v, %v; want unknown, deadline exceeded", s, err)
	}
	_ = t0
	if s, err := e.Solve(t.Context(), v[0].Not(), v[0]); s != Unsat || err != nil {
		t.Errorf("after cancellation: Solve = %v, %v; want unsat", s, err)
	}
	e.AddClause(free)
	if s, err := e.Solve(t.Context(), free.Not()); s != Unsat || err != nil {
		t.Errorf("after cancellation: Solve = %v, %v; want unsat", s, err)
	}
}

func pigeons(e Solver, n, m int) []Lit {
	v := make([][]Lit, n)
	for i := range v {
		for range m {
			v[i] = append(v[i], e.NewVar())
		}
		e.AddClause(v[i]...)
	}
	for j := range m {
		for i := range n {
			for k := range i {
				e.AddClause(v[i][j].Not(), v[k][j].Not())
			}
		}
	}
	return v[0]
}

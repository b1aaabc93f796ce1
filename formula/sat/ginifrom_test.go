package sat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"github.com/go-amend/amend/formula/sat"
)

// TestGiniFrom compares solvers that begin with the clauses of a gini with
// those that were given them one by one: clauses of all sorts, added before
// and after gini solved, inconsistent ones too.
func TestGiniFrom(t *testing.T) {
	const vars = 7
	count := make(map[sat.Status]int)
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 9))
		g, one := gini.New(), sat.New()
		add := func(n int) {
			for range n {
				c := make([]sat.Lit, 1+rng.IntN(4))
				for i := range c {
					c[i] = sat.Lit(2 + rng.IntN(2*vars))
					g.Add(z.Lit(c[i]))
				}
				g.Add(z.LitNull)
				one.AddClause(c...)
			}
		}
		add(rng.IntN(20))
		if rng.IntN(2) == 0 {
			g.Assume(z.Lit(2+rng.IntN(2*vars)), z.Lit(2+rng.IntN(2*vars)))
			g.Solve()
			add(rng.IntN(5))
		}
		s, err := sat.NewGiniFrom(g)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if rng.IntN(3) == 0 {
				c := []sat.Lit{sat.Lit(2 + rng.IntN(2*vars)), sat.Lit(2 + rng.IntN(2*vars+4))}
				s.AddClause(c...)
				one.AddClause(c...)
			}
			assume := []sat.Lit{sat.Lit(2 + rng.IntN(2*vars)), sat.Lit(2 + rng.IntN(2*vars))}
			got, err := s.Solve(t.Context(), assume...)
			want, _ := one.Solve(t.Context(), assume...)
			if got != want || err != nil {
				t.Fatalf("seed %d: %v, %v, want %v", seed, got, err, want)
			}
			count[got]++
		}
	}
	if count[sat.Sat] < 500 || count[sat.Unsat] < 500 {
		t.Errorf("answers %v", count)
	}
}

// TestGiniFromVars checks that the solver's variables go on after gini's.
func TestGiniFromVars(t *testing.T) {
	g := gini.New()
	a, b, c := g.Lit(), g.Lit(), g.Lit()
	g.Add(a)
	g.Add(b)
	g.Add(z.LitNull)
	s, err := sat.NewGiniFrom(g)
	if err != nil {
		t.Fatal(err)
	}
	if m := s.NewVar(); m != sat.Lit(c)+2 {
		t.Errorf("NewVar = %d after gini's %d", m, c)
	}
	s.AddClause(sat.Lit(a.Not()))
	if status, err := s.Solve(t.Context(), sat.Lit(b.Not())); status != sat.Unsat || err != nil {
		t.Errorf("Solve = %v, %v", status, err)
	}
	if core := s.Core(nil); !slices.Equal(core, []sat.Lit{sat.Lit(b.Not())}) {
		t.Errorf("Core = %v", core)
	}
	if r := g.Solve(); r != 1 { // as it was
		t.Errorf("gini: %d", r)
	}
}

// Clauses that a program has in a gini, decided with cores and a context.
func ExampleNewGiniFrom() {
	g := gini.New()
	rain, wet := g.Lit(), g.Lit()
	g.Add(rain.Not())
	g.Add(wet)
	g.Add(z.LitNull)

	s, _ := sat.NewGiniFrom(g)
	status, _ := s.Solve(context.Background(), sat.Lit(rain), sat.Lit(wet.Not()))
	fmt.Println(status, len(s.Core(nil)))
	// Output: unsat 2
}

package lrat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// A fixed solver has values and nothing else; some literals may have both or
// neither.
type fixed struct {
	sat.Solver
	vals []bool // by literal
}

func (s fixed) Value(m sat.Lit) bool { return s.vals[m] }

// TestModels checks models that differ in few literals, in clauses that grow,
// against evaluating all of them.
func TestModels(t *testing.T) {
	good, bad := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := fixed{vals: make([]bool, 2+2*30)}
		for m := 2; m < len(s.vals); m += 2 {
			s.vals[m+rng.IntN(2)] = true
		}
		var k models
		var clauses []sat.Lit
		for range 30 {
			for range rng.IntN(4) {
				for range 4 {
					clauses = append(clauses, sat.Lit(2+rng.IntN(2*30)))
				}
				clauses = append(clauses, 0)
			}
			m := 2 + rng.IntN(len(s.vals)-2)
			s.vals[m] = !s.vals[m]
			if rng.IntN(8) > 0 {
				s.vals[m^1] = !s.vals[m]
			}
			c := k.check(clauses, s)
			if want := unsatisfied(clauses, s); (c == nil) != (want == nil) || slices.ContainsFunc(c, func(m sat.Lit) bool { return holds(s, m) }) {
				t.Fatalf("seed %d: clause %v is not satisfied, found %v", seed, want, c)
			}
			if c != nil {
				bad++
				break
			}
			good++
		}
	}
	if good < 100 || bad < 100 {
		t.Errorf("%d models, %d that are none", good, bad)
	}
}

// unsatisfied returns the first clause in which nothing holds, or nil.
func unsatisfied(clauses []sat.Lit, s sat.Solver) []sat.Lit {
	for i := 0; i < len(clauses); {
		c := clauseAt(clauses, i)
		if !slices.ContainsFunc(c, func(m sat.Lit) bool { return holds(s, m) }) {
			return c
		}
		i += len(c) + 1
	}
	return nil
}

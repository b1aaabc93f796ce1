//go:build slow

package sat_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/sattest"
)

// TestMillion decides a million small random formulas and sequences of calls,
// each unsat with a checked proof: half by enumeration, half against gini, and
// some against the solvers that are installed.
func TestMillion(t *testing.T) {
	const each = 125_000
	for i := range uint64(4) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for seed := i * each; seed < (i+1)*each; seed++ {
				c := hurriedAndProved(variant(seed))
				if err := sattest.Drive(t.Context(), c.NewSolver(), sattest.Program(seed+1<<32, 200)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if err := againstOthers(t, seed); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

// TestSuiteInstalled runs it on solvers that are installed.
func TestSuiteInstalled(t *testing.T) {
	for _, command := range [][]string{{"cadical", "-q"}, {"cryptominisat5", "--verb", "0"}, {"kissat", "-q"}, {"minisat", "{cnf}", "{model}"}, {"picosat"}} {
		t.Run(command[0], func(t *testing.T) {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("%s is not installed: %v", command[0], err)
			}
			t.Parallel()
			sattest.Kit{New: func() sat.Solver { return sat.NewExternal(command[0], command[1:]...) }, Slow: true}.Run(t)
		})
	}
}

// variant returns options by the bits of seed.
func variant(seed uint64) sat.Options {
	on := func(i int) bool { return seed>>i&1 == 1 }
	return sat.Options{
		Seed: seed % 3, True: on(0), NoStable: on(1), NoFocused: on(2) && !on(1), NoTargets: on(3) && on(4),
		Vivify: on(2) != on(9), NoRephase: on(4) && on(5), NoMinimize: on(5) && on(6), NoReduce: on(6) && on(7), NoReuse: on(7) && on(8),
	}
}

var others = [][]string{{"minisat", "{cnf}", "{model}"}, {"cadical", "-q"}}

// againstOthers asks for a random formula of clauses of two and three
// literals, which grows between the queries.
func againstOthers(t *testing.T, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 11))
	vars := 5 + rng.IntN(36)
	own, gini := hurriedAndProved(variant(seed)).NewSolver(), sat.NewGini()
	solvers := []sat.Solver{own, gini}
	if seed%1000 == 0 {
		for _, c := range others {
			if _, err := exec.LookPath(c[0]); err == nil {
				solvers = append(solvers, sat.NewExternal(c[0], c[1:]...))
			}
		}
	}
	pick := func() sat.Lit { return sat.Lit(2 + rng.IntN(2*vars)) }
	for range 4 {
		for range vars {
			c := []sat.Lit{pick(), pick(), pick()}[rng.IntN(8)/7:]
			for _, s := range solvers {
				s.AddClause(c...)
			}
		}
		assume := []sat.Lit{pick(), pick()}
		want := sat.Unknown
		for _, s := range solvers {
			got, err := s.Solve(t.Context(), assume...)
			if err != nil || want != sat.Unknown && got != want {
				return fmt.Errorf("%T: %v, %v, want %v", s, got, err, want)
			}
			want = got
		}
	}
	return nil
}

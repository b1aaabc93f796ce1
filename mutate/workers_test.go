package mutate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// TestWorkers: how many prove candidates changes neither the repairs nor their
// order, nor what Stats says of the search.
func TestWorkers(t *testing.T) {
	schemes := [][]*mutate.Operator{scheme.Level2(), slices.Concat(scheme.Operators(), scheme.Constants()), scheme.Conditions()}
	repairs, candidates := 0, 0
	n := uint64(60)
	if testing.Short() {
		n = 8
	}
	for seed := range n {
		p := gen.Program(rand.New(rand.NewPCG(seed, 31)), gen.Config{
			Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv), Statements: 3, Widths: []int{3},
		})
		cfg := mutate.Config{Operators: schemes[seed%3], Unwind: 1, MaxSize: 2}
		if seed%3 == 2 {
			cfg.MaxSize = 1
		}
		var first string
		for cfg.Workers = 1; cfg.Workers <= 3; cfg.Workers++ {
			s, err := mutate.New(p, cfg)
			if err != nil {
				t.Fatal(err)
			}
			did := ""
			for x, err := range s.Repairs(t.Context()) {
				if err != nil {
					did += fmt.Sprintln(err)
					continue
				}
				repairs++
				for _, c := range x.Changes {
					did += fmt.Sprintln(c.Site, c.By.Name, c.New, c.Holes)
				}
			}
			candidates += s.Stats().Candidates
			did += fmt.Sprintf("%+v", s.Stats())
			if cfg.Workers == 1 {
				first = did
			}
			if did != first {
				t.Fatalf("seed %d, %d workers:\n%s\nwant, as with one,\n%s\n%s", seed, cfg.Workers, did, first, p)
			}
		}
	}
	if !testing.Short() && (repairs < 12 || candidates < 400) {
		t.Errorf("only %d repairs, %d candidates", repairs, candidates)
	}
}

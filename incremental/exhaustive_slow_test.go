//go:build slow

package incremental

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
)

// TestExhaustive compares verdicts about 3,000 random programs, with calls,
// arrays and loops nested up to three deep, with all their runs. No verdict is wrong, and fewer
// than 2 % of those that all runs decide are unknown.
func TestExhaustive(t *testing.T) {
	count := make(map[Status]int)
	decided, unknown := 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 17))
		widths := [][]int{{4}, {1, 2, 3}, {2, 4}}[seed%3]
		checks := allChecks
		if seed%5 > 1 { // or else most are wrong
			checks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv)
		}
		p := gen.Program(rng, gen.Config{Widths: widths, Depth: 2 + int(seed%7/4), Checks: checks, Free: seed%2 == 0})
		if seed%4 > 1 {
			likeTemporaries(p)
		}
		r, ok := provable(t, seed, p, Config{})
		if !ok {
			continue
		}
		count[r.Status]++
		if agrees(t, seed, p, r) {
			decided++
			if r.Status == Unknown {
				unknown++
				t.Logf("seed %d: unknown (%s) %+v", seed, r.Reason, r.Stats)
			}
		}
	}
	t.Logf("%v; %d programs decided by their runs, of these %d unknown", count, decided, unknown)
	if decided < 1000 || 50*unknown >= decided {
		t.Errorf("%d of %d are unknown", unknown, decided)
	}
}

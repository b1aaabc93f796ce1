package sequentialize_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

// TestOrders compares what is said of all schedules of random programs with
// all their runs, and with rounds.
func TestOrders(t *testing.T) {
	programs := 20
	if testing.Short() {
		programs = 5
	}
	ordersAgree(t, 11, programs)
}

// ordersAgree makes the comparison for so many random programs.
func ordersAgree(t *testing.T, stream uint64, programs int) {
	seen := make(map[string]int)
	for seed := uint64(0); programs > 0; seed++ {
		p := gen.Threads(rand.New(rand.NewPCG(seed, stream)))
		if seed%3 == 0 {
			p.Checks &^= ir.Checks(0).With(ir.CheckDeadlock, ir.CheckRace)
		}
		want, ok := everyRun(t, p)
		if !ok {
			continue
		}
		programs--
		ordersSay(t, seed, p, want)
		for k := range want {
			seen[k]++
		}
	}
	t.Log(seen)
}

// everyRun returns the ways in which the runs of p end, by any schedule.
func everyRun(t *testing.T, p *ir.Program) (map[string]bool, bool) {
	e, err := sequentialize.Encode(formula.NewStore(), p, 1, ssa.Config{Unwind: unwind, Spurious: true})
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{p: p, e: e, rounds: 1 << 20}
	return o.outcomes(t)
}

// ordersSay compares the answers about p with want, how its runs end.
func ordersSay(t *testing.T, seed uint64, p *ir.Program, want map[string]bool) {
	t.Helper()
	res, done, err := sequentialize.CheckOrders(t.Context(), p, sequentialize.Config{Unwind: unwind, All: true})
	if err != nil || !done {
		t.Fatalf("seed %d: %v, %v\n%s", seed, done, err, p)
	}
	got, fails := make(map[string]bool), false
	for i := range res.Violations {
		got[fmt.Sprint(res.Violations[i].Kind)] = true
	}
	for k := range want {
		_, violation := ir.ParseCheck(k)
		fails = fails || violation
	}
	if !violations(got, want, want) || fails != (len(got) > 0) {
		t.Errorf("seed %d: all schedules say %s, runs say %s\n%s", seed, list(got), list(want), p)
	}
	if !fails && res.Complete == want["cut"] {
		t.Errorf("seed %d: complete is %v, runs say %s\n%s", seed, res.Complete, list(want), p)
	}
	rounds, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: unwind, Bounded: true, Rounds: 100})
	if err != nil || fails != (len(rounds.Violations) > 0) || !fails && !rounds.All {
		t.Errorf("seed %d: rounds find %d violations, %v", seed, len(rounds.Violations), err)
	}
}

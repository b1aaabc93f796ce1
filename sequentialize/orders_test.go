package sequentialize_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
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
		want, ok := everyRun(t, p, ir.SC)
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

// everyRun returns the ways in which the runs of p end under m, by any schedule,
// or false if there are too many.
func everyRun(t *testing.T, p *ir.Program, m ir.Memory) (map[string]bool, bool) {
	e, err := sequentialize.Encode(formula.NewStore(), p, 1, ssa.Config{Unwind: unwind, Spurious: true})
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{p: p, e: e, rounds: 1 << 20, memory: m}
	return o.outcomes(t)
}

// ordersSay compares the answers about p with want, how its runs end.
func ordersSay(t *testing.T, seed uint64, p *ir.Program, want map[string]bool) {
	t.Helper()
	res, done, err := sequentialize.CheckOrders(t.Context(), p, sequentialize.Config{Unwind: unwind, All: true})
	if err != nil || !done {
		t.Fatalf("seed %d: %v, %v\n%s", seed, done, err, p)
	}
	fails := allSay(t, fmt.Sprint("seed ", seed), p, res, want)
	rounds, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: unwind, Bounded: true, Rounds: 100})
	if err != nil || fails != (len(rounds.Violations) > 0) || !fails && !rounds.All {
		t.Errorf("seed %d: rounds find %d violations, %v", seed, len(rounds.Violations), err)
	}
}

// allSay compares res, what all schedules of p say, with want, and returns whether a
// run fails.
func allSay(t *testing.T, name string, p *ir.Program, res *sequentialize.Result, want map[string]bool) (fails bool) {
	t.Helper()
	got := make(map[string]bool)
	for i := range res.Violations {
		got[fmt.Sprint(res.Violations[i].Kind)] = true
	}
	for k := range want {
		_, violation := ir.ParseCheck(k)
		fails = fails || violation
	}
	if !violations(got, want, want) || fails != (len(got) > 0) {
		t.Errorf("%s: all schedules say %s, runs say %s\n%s", name, list(got), list(want), p)
	}
	if !fails && res.Complete == want["cut"] {
		t.Errorf("%s: complete is %v, runs say %s\n%s", name, res.Complete, list(want), p)
	}
	return fails
}

// manyTurns fails only if two threads take turns at every step: with fewer
// rounds than five it holds.
const manyTurns = `
var i i32 = 1
var j i32 = 1
proc f() { i = i + j; i = i + j; i = i + j; i = i + j }
proc g() { j = j + i; j = j + i; j = j + i; j = j + i }
proc main() {
	spawn f()
	spawn g()
	assert i + j < LIMIT
}`

// TestOrdersSchedule: what fails beyond the first rounds has a schedule that
// the interpreter plays, and corrections.
func TestOrdersSchedule(t *testing.T) {
	p := parseLines(t, strings.Replace(manyTurns, "LIMIT", "89", 1))
	res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{})
	if err != nil || len(res.Violations) != 1 {
		t.Fatalf("%d violations, %v", len(res.Violations), err)
	}
	v := &res.Violations[0]
	if v.Rounds <= 3 || v.Rounds > 8 {
		t.Errorf("%d rounds", v.Rounds)
	}
	x, err := interp.Run(t.Context(), p, interp.Config{Input: v.Model.Input, Schedule: v.Schedule})
	if err != nil || x.Outcome != interp.Violated {
		t.Errorf("the schedule ends by %v, %v", x.Outcome, err)
	}
	n := 0
	for _, err := range sequentialize.Corrections(t.Context(), p, v, sequentialize.Config{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n == 0 {
		t.Error("no corrections")
	}
}

// TestOrdersCover: answers about all schedules that few rounds don't give.
func TestOrdersCover(t *testing.T) {
	for name, tt := range map[string]struct {
		source string
		fails  bool
	}{
		"turns":     {strings.Replace(manyTurns, "LIMIT", "90", 1), false},
		"waiting":   {`mutex m proc f() { lock m } proc g() { lock m; assert false } proc main() { spawn f(); spawn g(); join 2 }`, true},
		"stopped":   {`mutex m var x i32 proc f() { lock m; lock m } proc g() { x = 1 } proc main() { spawn f(); spawn g(); assert x == 0 }`, true},
		"protected": {`mutex m var x i32 proc f() { lock m; x = x + 1; unlock m } proc main() { spawn f(); spawn f(); spawn f(); join 1; join 2; join 3; assert x == 3 }`, false},
	} {
		res, err := sequentialize.Check(t.Context(), parseLines(t, tt.source), sequentialize.Config{})
		if err != nil || len(res.Violations) > 0 != tt.fails || !tt.fails && !(res.All && res.Complete) {
			t.Errorf("%s: %d violations, all %v, complete %v, %v", name, len(res.Violations), res.All, res.Complete, err)
		}
	}
}

// TestBeyond: what no schedule of few rounds shows.
func TestBeyond(t *testing.T) {
	relay := `
var at i32
proc f() { if at == 0 { at = 1 } if at == 2 { at = 3 } if at == 4 { at = 5 } }
proc g() { if at == 1 { at = 2 } if at == 3 { at = 4 } if at == 5 { at = 6 } }
proc main() { spawn f(); spawn g(); join 1; join 2; assert at != LAST }`
	for last, fails := range map[string]bool{"6": true, "7": false} {
		p := parseLines(t, strings.Replace(relay, "LAST", last, 1))
		few, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Rounds: 2, Bounded: true})
		if err != nil || len(few.Violations) > 0 {
			t.Fatalf("%s: %d violations, %v", last, len(few.Violations), err)
		}
		res, err := sequentialize.Beyond(t.Context(), p, sequentialize.Config{Rounds: 2})
		if err != nil || !res.Decided || len(res.Violations) > 0 != fails || !fails && !(res.All && res.Complete) {
			t.Errorf("%s: %+v, %v", last, res, err)
		}
	}
}

func parseLines(t *testing.T, source string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(strings.ReplaceAll(strings.ReplaceAll(source, " proc ", "\nproc "), " var ", "\nvar ")))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

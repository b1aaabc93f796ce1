package mutate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
)

// TestThreads repairs random programs with threads. Each repair was proved
// with all alternatives in one formula; here it is checked by itself.
func TestThreads(t *testing.T) {
	programs := uint64(120)
	if testing.Short() {
		programs = 15
	}
	repairs := 0
	for seed := range programs {
		p := gen.Threads(rand.New(rand.NewPCG(seed, 17)))
		p.Checks &^= ir.Checks(0).With(ir.CheckRace)
		cfg := sequentialize.Config{Rounds: 2, Unwind: 2}
		for _, name := range []string{"level2", "variables"} {
			ops, _ := scheme.Parse(name)
			s, err := mutate.New(p, mutate.Config{
				Operators: ops, Unwind: 2, MaxSize: 1, Workers: 1, Semantics: cfg,
			})
			if err != nil {
				t.Fatal(err)
			}
			for r, err := range s.Repairs(t.Context()) {
				if err != nil {
					t.Errorf("seed %d, %s: %v\n%s", seed, name, err, p)
					break
				}
				repairs++
				res, err := sequentialize.Check(t.Context(), r.Program, cfg)
				if err != nil || len(res.Violations) > 0 {
					t.Errorf("seed %d, %s: not a repair: %v, %v\n%s", seed, name, err, res.Violations, r.Program)
				}
			}
		}
	}
	if repairs == 0 {
		t.Error("no repairs")
	}
	t.Log(repairs, "repairs")
}

// TestFalseAssumptionThreads checks that no change is a repair after which no
// schedule lets the run end where it failed, and that one is after which some
// does.
func TestFalseAssumptionThreads(t *testing.T) {
	cfg := sequentialize.Config{Rounds: 2, Unwind: 1}
	for assumed, want := range map[string]int{"n > 50": 0, "n != 7": 3, "n == 3": 1} {
		p, err := ir.Parse("p.ir", []byte(`
var n i8
proc w() { n = 3 - 3 }
proc main() {
	var a i32 = spawn w()
	join a
	assert n == 3 || n == 6
	assume `+assumed+`
}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
			ops, _ := scheme.Parse("level2")
			got := 0
			for _, err := range mutate.Repairs(t.Context(), p, mutate.Config{
				Operators: ops, Unwind: 1, Mode: mode, Semantics: cfg,
				Hard: func(s ir.Stmt) bool { return s.Span().Line != 3 },
			}) {
				if err != nil {
					t.Fatal(err)
				}
				got++
			}
			if got != want {
				t.Errorf("assume %s, mode %d: %d repairs, want %d", assumed, mode, got, want)
			}
		}
	}
}

// TestCompletionThreads: what a run would choose later, in a program with
// threads of which one assumes something of what it chose.
func TestCompletionThreads(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte(`
var s i8
proc w() {
	var k i8
	havoc k
	assume k > 0
	s = k
}
proc main() {
	var a i32 = spawn w()
	join a
	assert s >= 12
}`))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: scheme.Linear(), Semantics: sequentialize.Config{}}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d repairs, want 3", n)
	}
}

package sequentialize_test

import (
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
)

// BenchmarkRun plays a failing run on its program, as ranking and certifying
// repairs do over and over.
func BenchmarkRun(b *testing.B) {
	p, err := ir.Parse("bench.ir", []byte(`
checks deadlock, locks
mutex m
var n i32
var sum i32
proc work(k i32) {
	var i i32 = 0
	while i < 5 {
		lock m
		n = n + k
		unlock m
		sum = sum + n
		i = i + 1
	}
}
proc main() {
	spawn work(1)
	spawn work(2)
	join
	assert n == 15 && sum == 0
}`))
	if err != nil {
		b.Fatal(err)
	}
	cfg := sequentialize.Config{Rounds: 3}
	res, err := sequentialize.Check(b.Context(), p, cfg)
	if err != nil {
		b.Fatal(err)
	}
	in := interp.Config{Input: res.Violations[0].Model.Input, Unwind: 5, MaxSteps: -1}
	b.ReportAllocs()
	for b.Loop() {
		if t, err := cfg.Run(b.Context(), p, in); err != nil || t.Outcome != interp.Violated {
			b.Fatal(t, err)
		}
	}
}

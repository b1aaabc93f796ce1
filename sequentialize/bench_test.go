package sequentialize_test

import (
	"fmt"
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

// BenchmarkEncodings shows that two threads that add to each other's numbers, in so
// many iterations, get no further than they can: by as many rounds as that takes,
// and by all schedules at once.
func BenchmarkEncodings(b *testing.B) {
	largest := map[int]int{5: 144, 6: 377, 7: 987}
	for n := 5; n <= 7; n++ {
		p, err := ir.Parse("bench.ir", fmt.Appendf(nil, `
var i i32 = 1
var j i32 = 1
proc f() { for var k i32 = 0; k < %[1]d; k++ { i = i + j } }
proc g() { for var k i32 = 0; k < %[1]d; k++ { j = j + i } }
proc main() {
	spawn f()
	spawn g()
	assert i <= %[2]d && j <= %[2]d
}`, n, largest[n]))
		if err != nil {
			b.Fatal(err)
		}
		cfg := sequentialize.Config{Unwind: n, Rounds: n + 1, Bounded: true}
		b.Run(fmt.Sprint("rounds/", n), func(b *testing.B) {
			for b.Loop() {
				if res, err := sequentialize.Check(b.Context(), p, cfg); err != nil || len(res.Violations) > 0 {
					b.Fatal(res, err)
				}
			}
		})
		b.Run(fmt.Sprint("orders/", n), func(b *testing.B) {
			for b.Loop() {
				if res, all, err := sequentialize.CheckOrders(b.Context(), p, cfg); err != nil || !all || len(res.Violations) > 0 {
					b.Fatal(res, err)
				}
			}
		})
	}
}

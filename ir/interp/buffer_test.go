package interp_test

import (
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// TestDelayed: a fence matters only after what was written late.
func TestDelayed(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte(`
var x i32
var y i32
proc f() {
	x = 1
	y = 1
}
proc main() {
	spawn f()
	x = 2
	join 1
	y = x
}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, late := range []bool{false, true} {
		var want []int // lines
		if late {
			want = []int{5, 12} // before y = 1, and before the end
		}
		trace, err := interp.Run(t.Context(), p, interp.Config{Memory: ir.TSO, Scheduler: func(can []int, next func(int) interp.Event) int {
			if last := can[len(can)-1]; last >= 0 && (late || can[0] >= 0) {
				return last
			}
			return can[0]
		}})
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, l := range trace.Delayed() {
			got = append(got, p.Stmt(l).Span().Line)
		}
		if len(got) != len(want) || late && (got[0] != want[0] || got[1] != want[1]) {
			t.Errorf("writes are late: %v: lines %v, want %v", late, got, want)
		}
	}
}

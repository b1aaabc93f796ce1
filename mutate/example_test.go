package mutate_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

func ExampleRepairs() {
	p, err := ir.Parse("abs.ir", []byte(`
proc main(x i32) {
	var abs i32 = x
	if x < -1 { abs = -x }
	assert abs >= 0 || abs == x && x + x == 0
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := mutate.Config{Operators: scheme.Level2(), Parse: func(files []*ir.File) (*ir.Program, error) {
		return ir.Parse(files[0].Name, files[0].Content)
	}}
	for r, err := range mutate.Repairs(context.Background(), p, cfg) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range r.Patch {
			fmt.Printf("line %d: %s becomes %s\n", e.Span.Line, e.Old, e.New)
		}
	}
	// Output:
	// line 4: x < -1 becomes x <= -1
	// line 4: -1 becomes 0
	// line 4: -1 becomes 1
}

// Repairs for every bound: package incremental proves or refutes each, and
// carries its proofs from one to the next. This program fails in the seventh
// round of its loop only.
func ExampleRepairs_everyBound() {
	p, err := ir.Parse("room.ir", []byte(`
proc main(n u8) {
	var i u8 = 0
	var heat u8 = 0
	while i < n {
		i = i + 1
		if heat <= 6 { heat = heat + 1 }
	}
	assert heat <= 6 && (n < 6 || heat == 6)
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	series := incremental.NewSeries(incremental.Config{})
	cfg := mutate.Config{Operators: scheme.Level2(), Unwind: 2}
	cfg.Hard = func(s ir.Stmt) bool { _, loop := s.(*ir.Loop); return loop }
	cfg.Prove = func(ctx context.Context, p *ir.Program) (mutate.Proof, error) {
		r, err := series.Prove(ctx, p)
		reach := map[incremental.Status]mutate.Reach{incremental.Proved: mutate.EveryBound, incremental.Violated: mutate.Refuted}[r.Status]
		return mutate.Proof{Reach: reach, Reason: r.Reason, Model: r.Model}, err
	}
	for r, err := range mutate.Repairs(context.Background(), p, cfg) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range r.Patch {
			fmt.Printf("line %d: %s becomes %s\n", e.Span.Line, e.Old, e.New)
		}
		fmt.Println("right for", r.Proof.Reach)
		break
	}
	// Output:
	// line 7: heat <= 6 becomes heat < 6
	// right for every bound
}

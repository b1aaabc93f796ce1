package mutate_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
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
	cfg := mutate.Config{Schemes: mutate.Level2(), Parse: func(files []*ir.File) (*ir.Program, error) {
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

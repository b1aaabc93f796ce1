package interp_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

func ExampleRun() {
	p, err := ir.Parse("abs.ir", []byte(`
proc main(x i32) {
	var abs i32 = x
	if x < -1 { abs = -x }
	assert abs >= 0
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	minusOne := func(ir.Choice) uint64 { return 0xFFFFFFFF }
	t, err := interp.Run(context.Background(), p, interp.Config{Input: minusOne})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Outcome, "line", t.Failed.Span().Line)
	// Output: violated line 5
}

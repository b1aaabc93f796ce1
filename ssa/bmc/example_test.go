package bmc_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/bmc"
)

func ExampleCheck() {
	p, err := ir.Parse("average.ir", []byte(`
proc main(a u8, b u8) {
	assert (a + b) / 2 >= a || a > b
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := bmc.Check(context.Background(), p, bmc.Config{Unwind: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := res.Violations[0]
	a, b := v.Trace.Inputs[0].Value, v.Trace.Inputs[1].Value
	fmt.Println(v.Kind, "violated at line", v.Stmt.Span().Line, "by a sum over 255:", a+b > 255)
	// Output: assert violated at line 3 by a sum over 255: true
}

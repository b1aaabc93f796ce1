package slice_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

func ExampleFOSFL() {
	p, err := ir.Parse("abs.ir", []byte(absValue))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	res, err := bmc.Check(ctx, p, bmc.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fosfl, err := slice.NewFOSFL(ssa.For(p), ssa.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	set, must, err := fosfl.Localize(ctx, res.Violations[0].Model)
	for l := range set.All() {
		fmt.Println("line", p.Stmt(l).Span().Line)
	}
	fmt.Println("every fix touches one of them:", must, err)
	// Output:
	// line 4
	// line 5
	// every fix touches one of them: true <nil>
}

package slice_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula/sat"
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

// Other localizers stand behind the same interface, and promise less: a
// repair need not touch the statements that the failing run executed, nor the
// fewest whose values could have been others.
func ExampleLocalizer() {
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
	dynamic, err := slice.NewDynamic(ssa.For(p), ssa.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	maxsat := slice.NewMaxSat(ssa.For(p), ssa.Config{}, sat.New)
	for _, l := range []slice.Localizer{fosfl, dynamic, maxsat} {
		set, must, err := l.Localize(ctx, res.Violations[0].Model)
		fmt.Printf("%T: %d locations, must: %v, %v\n", l, set.Len(), must, err)
	}
	// Output:
	// *slice.FOSFL: 2 locations, must: true, <nil>
	// *slice.Dynamic: 1 locations, must: false, <nil>
	// *slice.MaxSat: 1 locations, must: false, <nil>
}

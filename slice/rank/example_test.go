package rank_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice/rank"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// A ticket is free up to the age of six, but the program forgets the sixes.
func ExampleNearest() {
	p, err := ir.Parse("ticket.ir", []byte(`
proc price(age u8) u8 {
	if age < 6 {
		return 0
	}
	return 5
}
hard proc main(age u8) {
	var paid u8 = 0
	paid = price(age)
	assert paid == (age <= 6 ? 0 : 5)
}`))
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
	near, err := rank.Nearest(ctx, ssa.For(p), ssa.Config{}, res.Violations[0].Model, sat.New())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("values that differ:", near.Distance)
	for _, s := range near.Suspects {
		fmt.Println(s.Ranks, "line", p.Stmt(s.At).Span().Line)
	}
	// Output:
	// values that differ: 1
	// [1 1] line 3
	// [2 2] line 6
}

package gen_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

func ExampleProgram() {
	for seed := range uint64(100) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 0)), gen.Config{})
		if err := ir.Check(p); err != nil {
			fmt.Println("seed", seed, err)
		}
	}
	fmt.Println("all well-formed")
	// Output: all well-formed
}

func ExampleShrink() {
	p, err := ir.Parse("big.ir", []byte(`
checks bounds
proc half(x i32) i32 { return x / 2 }
proc main(n i32, m i32) {
	var a [4]i32
	var i i32 = half(n)
	while i < 4 {
		if m > 0 { a[i] = m } else { a[i] = -m }
		i = i + 1
	}
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	outOfBounds := func(p *ir.Program) bool {
		t, err := interp.Run(context.Background(), p, interp.Config{Unwind: 4, Input: gen.Input(1)})
		return err == nil && t.Outcome == interp.Violated && t.Kind == ir.CheckBounds
	}
	fmt.Print(gen.Shrink(p, outOfBounds))
	// Output:
	// checks bounds
	//
	// proc main() {
	// 	var a [4]i32
	// 	var i i32
	// 	a[i] = 0
	// }
}

package gen_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
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

package spec_test

import (
	"fmt"

	"github.com/go-amend/amend/ir/spec"
)

// average is meant not to overflow.
func average(x, y uint8) uint8 { return x/2 + y/2 + x&y&1 }

func Example() {
	x, y := spec.Any[uint8](), spec.Any[uint8]()
	spec.Assume(x <= y)
	m := average(x, y)
	spec.Assert(x <= m && m <= y)
	fmt.Println(m)
	// Output: 0
}

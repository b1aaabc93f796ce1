// Package annotated holds functions with specifications in them.
package annotated

import "github.com/go-amend/amend/ir/spec"

type level int8

// Holds is true of all values.
func Holds() {
	x, y := spec.Any[int16](), spec.Any[level]()
	spec.Assume(x > 0 && y >= 0)
	spec.Assert(int(x)*int(y) >= int(y))
}

// Fails is false where the product wraps around.
func Fails() {
	x := spec.Any[int8]()
	spec.Assume(x > 0)
	spec.Assert(x*3 > 0)
}

// Late is about an assumption after the violation, which doesn't undo it.
func Late(x int8) {
	spec.Assert(x != 7)
	spec.Assume(x == 3)
}

// Twice makes two values.
func Twice() {
	flag := spec.Any[bool]()
	for range 2 {
		if spec.Any[uint8]() == 200 {
			spec.Assert(flag)
		}
	}
}

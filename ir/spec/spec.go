// Package spec says what functions of Go programs are to fulfil, for package
// gofront and the amend command to check.
//
//	func CheckAbs() {
//		x := spec.Any[int32]()
//		spec.Assume(x != math.MinInt32)
//		spec.Assert(Abs(x) >= 0)
//	}
//
// The functions have no dependencies and do what their names say when the
// program is run by itself, so that specifications may stay in it.
package spec

// Scalar are the types of which Any makes values.
type Scalar interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Unmet is what Assume panics with.
type Unmet struct{}

func (Unmet) Error() string { return "spec: an assumption does not hold" }

// Assume says that only runs with c count from here on. In a run of the
// program by itself it panics with Unmet if c is false.
func Assume(c bool) {
	if !c {
		panic(Unmet{})
	}
}

// Assert says that c holds. In a run of the program by itself it panics if it
// doesn't.
func Assert(c bool) {
	if !c {
		panic("spec: assertion violated")
	}
}

// Any stands for any value of type T, another one at each call. In a run of
// the program by itself it is zero.
func Any[T Scalar]() T {
	var zero T
	return zero
}

package ssa

// What Unwind is where nobody says it.

// DefaultUnwind is the meaning of an Unwind of 0 in the Configs of packages
// bmc, mutate and sequentialize. In this package, and in interp, 0 is 0.
const DefaultUnwind = 5

// Bound returns the bound that an Unwind of those Configs means: DefaultUnwind
// for 0, and 0 for negative ones.
func Bound(unwind int) int {
	if unwind == 0 {
		return DefaultUnwind
	}
	return max(unwind, 0)
}

// Unwind is the inverse of Bound: what those Configs call a bound.
func Unwind(bound int) int {
	if bound == 0 {
		return -1
	}
	return bound
}

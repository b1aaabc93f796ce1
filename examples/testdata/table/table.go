// Package table says how large hash tables are.
package table

const smallest = 8

// Size returns the number of slots for n entries: the power of two that is
// not less than n, or limit, if that is less.
func Size(n, limit uint32) uint32 {
	if n > limit {
		n = limit
	}
	if n <= smallest {
		return min(smallest, limit)
	}
	high := highest(n - 1)
	if high == 31 {
		return limit
	}
	return min(uint32(2)<<high, limit)
}

// highest returns the index of the highest bit of x that is set.
func highest(x uint32) (high uint32) {
	for step := uint32(16); step > 0; step /= 2 {
		if x > 1<<step {
			x >>= step
			high += step
		}
	}
	return high
}

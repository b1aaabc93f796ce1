package mutate_test

import "testing"

// seeds returns how many random programs to try: n, fewer with -short, more
// with the build tag slow.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 16
	}
	return n * patience
}

// fewer returns how many of n cases to try: n, an eighth with -short.
func fewer[N int | uint64](n N) N {
	if testing.Short() {
		return (n + 7) / 8
	}
	return n
}

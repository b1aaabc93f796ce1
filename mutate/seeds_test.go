package mutate

import "testing"

// seeds returns how many random programs to try: n, fewer with -short, more
// with the build tag slow.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 8
	}
	return n * patience
}

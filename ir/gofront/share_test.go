package gofront_test

import "testing"

// oneIn returns one in how many cases a test tries: all of them, one in n
// with -short.
func oneIn(n int) int {
	if testing.Short() {
		return n
	}
	return 1
}

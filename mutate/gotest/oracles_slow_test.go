//go:build slow

package gotest

import "testing"

// TestOraclesAgreeWholly compares all candidates.
func TestOraclesAgreeWholly(t *testing.T) {
	for seed := uint64(2); seed < 5; seed++ {
		compareOracles(t, seed, 1)
	}
}

//go:build slow

package gofront_test

import "testing"

func TestVerdictsOfGoTestAtLength(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		compareVerdicts(t, 100+seed, 12*len(shapes))
	}
}

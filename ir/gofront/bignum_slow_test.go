//go:build slow

package gofront_test

import "testing"

func TestNumbersAtLength(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		compareNumbers(t, 100+seed, 1)
	}
}

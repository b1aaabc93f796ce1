//go:build slow

package gofront_test

import "testing"

func TestExpressionsAtLength(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		compareExpressions(t, 100+seed, 8, map[string]bool{"TestAll": true, "TestWrong": false})
	}
}

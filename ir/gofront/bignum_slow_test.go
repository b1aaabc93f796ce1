//go:build slow

package gofront_test

import "testing"

func TestNumbersAtLength(t *testing.T) {
	t.Parallel()
	undecided := 0
	for seed := range uint64(6) {
		undecided += compareNumbers(t, 102+seed, 1)
	}
	if t.Logf("%d of 12 undecided", undecided); undecided > 10 {
		t.Error("too few are decided")
	}
}

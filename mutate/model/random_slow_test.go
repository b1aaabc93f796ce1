//go:build slow

package model

import "testing"

// TestMoreRandomModels compares with enumeration in larger spaces.
func TestMoreRandomModels(t *testing.T) {
	single, double := testRandom(t, 600, 2, 70)
	if single < 2000 || double < 8000 {
		t.Errorf("only %d repairs of one change, %d of two", single, double)
	}
}

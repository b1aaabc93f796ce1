//go:build slow

package model

import "testing"

// TestMoreRandomModels compares with enumeration in larger spaces.
func TestMoreRandomModels(t *testing.T) {
	if n := testRandom(t, 250, 60, 2); n[1] < 600 || n[2] < 2500 {
		t.Errorf("only %v repairs of each size", n)
	}
	if n := testRandom(t, 60, 20, 3); n[3] < 20 {
		t.Errorf("only %v repairs of each size", n)
	}
}

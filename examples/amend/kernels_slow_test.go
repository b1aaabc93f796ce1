//go:build slow

package main

import "testing"

// TestKernelsRepaired counts the kernels whose first repair is the usual one.
// Of the others two want another channel or capacity, two another method, three
// a statement that the function does not have, two another variable or a negation;
// of one, another repair comes first.
func TestKernelsRepaired(t *testing.T) {
	t.Chdir("testdata/kernels")
	tests, fixes := kernels(t)
	usual := 0
	for _, name := range tests {
		if repairedAsUsual(t, name, fixes) {
			usual++
		} else {
			t.Logf("%s: another first repair, or none", name)
		}
	}
	if want := 21; usual < want {
		t.Errorf("%d of %d are repaired as usual, want %d", usual, len(tests), want)
	}
}

package mutate_test

import (
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow: what tests hold is little, and to collect it
// each time that it doubles took a fifth of their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

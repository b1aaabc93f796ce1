//go:build slow

package cfront_test

import (
	"testing"
	"time"
)

// TestManyRandomPrograms is TestRandomPrograms for thousands of programs, and
// others each time, compiled with sanitizers.
func TestManyRandomPrograms(t *testing.T) {
	compareRandom(t, uint64(time.Now().UnixNano()), 3000, 300, sanitizers...)
}

// TestManyJumps is TestJumps for thousands of functions, and others each time.
func TestManyJumps(t *testing.T) { compareJumps(t, uint64(time.Now().UnixNano()), 4000) }

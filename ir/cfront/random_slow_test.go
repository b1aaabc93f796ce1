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

func TestManyRandomFloats(t *testing.T) {
	for seed := range uint64(20) {
		compareFloats(t, seed, 200)
	}
}

// TestManyDifferentialBytes is TestDifferentialBytes for more programs, and others
// each time.
func TestManyDifferentialBytes(t *testing.T) { compareBytes(t, "", uint64(time.Now().UnixNano()), 400) }

// TestManyProgramsOf32Bits are more random programs for -m32.
func TestManyProgramsOf32Bits(t *testing.T) {
	runs32(t)
	compareRandomFor(t, "i386", uint64(time.Now().UnixNano()), 1000, 50)
	compareBytes(t, "i386", uint64(time.Now().UnixNano()), 300)
}

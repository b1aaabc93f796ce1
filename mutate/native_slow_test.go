//go:build slow

package mutate_test

import (
	"testing"
	"time"
)

// TestManyNativeMutants is TestNativeMutants for hundreds of programs, and
// others each time.
func TestManyNativeMutants(t *testing.T) {
	compareMutants(t, uint64(time.Now().UnixNano()), 400)
}

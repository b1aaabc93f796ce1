//go:build slow

package scheme_test

import (
	"testing"
	"time"
)

// TestManySynthesizedNatively is TestSynthesisNatively for hundreds of programs, and
// others each time.
func TestManySynthesizedNatively(t *testing.T) {
	synthesizedNatively(t, uint64(time.Now().UnixNano()), 300)
}

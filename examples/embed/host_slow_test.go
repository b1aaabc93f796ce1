//go:build slow

package embed

import (
	"testing"
	"time"
)

// TestHostLarge is TestHost with 200 requests at once, three times.
func TestHostLarge(t *testing.T) {
	for range 3 {
		for name, d := range host(t, 200, 2*time.Second) {
			t.Logf("%s: latest answer %v after its limit", name, d)
		}
	}
}

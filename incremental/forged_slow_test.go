//go:build slow

package incremental

import "testing"

func TestManyForgedProofs(t *testing.T) { hostile(t, 10_000) }

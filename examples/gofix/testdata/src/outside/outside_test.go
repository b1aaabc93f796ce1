package outside_test

import (
	"testing"

	"outside"
)

func FuzzEnds(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		n := len(s)
		if outside.Ends(s, "x") != (n > 0 && s[n-1] == 'x') {
			t.Error("wrong") // want `FuzzEnds fails within 5 loop iterations: an assertion; repair: replace .2. by .1.`
		}
	})
}

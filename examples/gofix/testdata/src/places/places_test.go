package places

import "testing"

func FuzzIn(f *testing.F) {
	f.Fuzz(func(t *testing.T, x, lo, hi int8) {
		want := true
		if x < lo {
			want = false
		}
		if x >= hi {
			want = false
		}
		if In(x, lo, hi) != want {
			t.Error("wrong") // want `FuzzIn fails`
		}
	})
}

package one

import "testing"

func FuzzNext(f *testing.F) {
	f.Add(uint8(23))
	f.Fuzz(func(t *testing.T, x uint8) {
		if y := Next(x); x < 23 && y != x+1 || x == 23 && y != 0 {
			t.Error("wrong") // want `FuzzNext fails within 5 loop iterations: an assertion`
		}
	})
}

func TestNext(t *testing.T) {
	for _, tt := range []struct{ x, want uint8 }{{3, 4}, {23, 0}, {0, 1}} {
		if got := Next(tt.x); got != tt.want {
			t.Errorf("Next(%d) = %d", tt.x, got) // want `TestNext fails`
		}
	}
}

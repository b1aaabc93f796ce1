package silent

import "testing"

func FuzzTwice(f *testing.F) {
	f.Fuzz(func(t *testing.T, x int8) {
		if Twice(x) != int(x)+int(x) {
			t.Error("wrong")
		}
	})
}

func TestMap(t *testing.T) {
	if len(map[int]int{1: 2}) != 2 {
		t.Error("not supported")
	}
}

package silent

import (
	"reflect"
	"testing"
)

func FuzzTwice(f *testing.F) {
	f.Fuzz(func(t *testing.T, x int8) {
		if Twice(x) != int(x)+int(x) {
			t.Error("wrong")
		}
	})
}

func TestReflection(t *testing.T) {
	if reflect.TypeOf(3).Name() != "uint" {
		t.Error("not supported")
	}
}

package unsupported_test

import (
	"testing"
	"unsupported"
)

func TestOutside(t *testing.T) {
	b := &unsupported.Box{}
	go func() { b.X = 1 }()
	if b.X == 1 {
		t.Error(b)
	}
}

package models

import (
	"fmt"
	"testing"
)

// The names of types, as %T has them.

type named struct{ n int }

type alias = []rune

func TestTypeNames(t *testing.T) {
	type local []byte
	for i, got := range []string{
		fmt.Sprintf("%T", 1), fmt.Sprintf("%T %T", "a", 'b'), fmt.Sprintf("%T", byte(1)), fmt.Sprintf("%T|%6T", 1.5, true),
		fmt.Sprintf("%T", &named{1}), fmt.Sprintf("%T", []*named{}), fmt.Sprintf("%T", map[string][2]uint64{}),
		fmt.Sprintf("%T", alias{}), fmt.Sprintf("%T", local{}), fmt.Sprintf("%T", nil),
	} {
		want := []string{
			"int", "string int32", "uint8", "float64|  bool",
			"*models.named", "[]*models.named", "map[string][2]uint64",
			"[]int32", "models.local", "<nil>",
		}[i]
		if got != want {
			t.Error(got)
		}
	}
}

func TestTypeNamesInside(t *testing.T) {
	for i, v := range []any{1, "a", named{2}, nil, &named{3}} {
		want := []string{"int", "string", "models.named", "<nil>", "*models.named"}[i]
		if got := fmt.Sprintf("%T", v); got != want {
			t.Error(got)
		}
	}
}

func TestTypeNamesDiffer(t *testing.T) {
	if fmt.Sprintf("%T", int32(1)) != "rune" {
		t.Error("it is called int32")
	}
}

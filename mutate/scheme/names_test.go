package scheme_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// TestParse resolves lists of names as the command takes them.
func TestParse(t *testing.T) {
	for _, tt := range []struct {
		names string
		want  int // operators
	}{
		{"level1", 5}, {" level1 , level1", 5}, {"all", -1}, {"all,level1", -1}, {"level2,variables", 7},
	} {
		ops, err := scheme.Parse(tt.names)
		if err != nil || tt.want >= 0 && len(ops) != tt.want || len(ops) == 0 {
			t.Errorf("%q: %d operators, %v, want %d", tt.names, len(ops), err, tt.want)
		}
		if err := mutate.Validate(ops); err != nil {
			t.Errorf("%q: %v", tt.names, err)
		}
	}
	for _, bad := range []string{"", "level3", "level1,", "all,level3"} {
		_, err := scheme.Parse(bad)
		if _, ok := errors.AsType[*scheme.NameError](err); !ok || !strings.Contains(err.Error(), "want level1, level2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestNamesAreUnique: plans and outputs tell operators apart by name.
func TestNamesAreUnique(t *testing.T) {
	in := make(map[string]string)
	for _, name := range []string{"level2", "operators", "variables", "constants", "conditions", "linear", "statements", "calls", "locks", "memory"} {
		ops, err := scheme.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range ops {
			if other := in[op.Name]; other != "" && op.Plan != nil {
				t.Errorf("schemes %s and %s have an operator %s each", other, name, op.Name)
			}
			in[op.Name] = name
		}
	}
}

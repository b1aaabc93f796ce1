//go:build slow

package schemetest_test

import (
	"testing"

	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/mutate/schemetest"
)

func TestManySchemes(t *testing.T) {
	for _, name := range []string{"level1", "level2", "operators", "variables", "constants", "conditions", "linear", "statements", "all"} {
		t.Run(name, func(t *testing.T) {
			ops, err := scheme.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			schemetest.Run(t, 400, ops...)
		})
	}
}

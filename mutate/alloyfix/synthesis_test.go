package alloyfix

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/mutate/model"
)

// labelled is a graph with labels: what is reached in it has no expression without a
// comprehension, and those of the assertion are not copied.
const labelled = `
sig Place { edge: Label -> Place }
sig Start in Place {}
sig Label {}
pred reached { Place in Label.(Start.edge) }
assert All { reached iff Place in Start.^{ p, q: Place | some l: Label | q in l.(p.edge) } }
check All
run { some Start and reached }
`

// TestProjectionsOfLabelledGraphs wants the closure of a relation without the column
// in its middle.
func TestProjectionsOfLabelledGraphs(t *testing.T) {
	s := subjectOf(t, labelled)
	for r, err := range s.Repairs(t.Context(), model.Config{Size: 1, Grow: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Patch[0].New, "Start.^{p, pp: Place | some p.edge.pp}") {
			return
		}
	}
	t.Error("no repair closes a projection")
}

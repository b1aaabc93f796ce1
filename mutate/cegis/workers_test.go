package cegis_test

import (
	"fmt"
	"testing"

	"github.com/go-amend/amend/mutate/cegis"
)

// TestWorkers: how many there are changes neither what is found nor how many
// candidates and calls that takes.
func TestWorkers(t *testing.T) {
	several := 0
	for seed := range uint64(100) {
		m := randomTable(seed)
		for m.how = range ways {
			original, err := m.Refute(t.Context(), cegis.Candidate{})
			if err != nil || original.Good {
				break
			}
			var first string
			for workers := 1; workers <= 4; workers++ {
				s, err := cegis.New(cegis.Config{Space: m.space(), Oracle: m, Original: original, Workers: workers, Pairs: seed%2 == 0})
				if err != nil {
					t.Fatal(err)
				}
				did := ""
				for n := 1; n <= 2; n++ {
					found, err := s.Size(t.Context(), n)
					did += fmt.Sprintln(found, err, s.Stats())
				}
				if workers == 1 {
					first = did
				}
				if did != first {
					t.Fatalf("seed %d, way %d, %d workers:\n%swant, as with one,\n%s", seed, m.how, workers, did, first)
				}
				several += s.Stats().Candidates
			}
		}
	}
	if several < 4000 {
		t.Errorf("only %d candidates", several)
	}
}

//go:build slow

package relation

import "testing"

// TestUnivSlow is TestUniv and TestRandom with sorts on many more seeds.
func TestUnivSlow(t *testing.T) {
	for seed := range uint64(600) {
		checkUniv(t, seed+60)
	}
	for seed := uint64(601); seed < 4000; seed += 2 {
		if k, b := newMaker(seed, 1+int(seed%3), 2); size(b) <= 8 {
			checkFormula(t, seed, k.formula(4), b)
		}
	}
}

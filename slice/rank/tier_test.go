package rank

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/formula/relation"
)

// TestTiers wants a predicate that the assertion defines above what the other
// side uses, that above facts, and one that it claims below all.
func TestTiers(t *testing.T) {
	p := &relation.Relation{Name: "p", Width: 1}
	some := func() relation.Formula { return and(&relation.Mult{Op: relation.SomeOf, X: p}) }
	fact, defined, used, claimed := some(), some(), some(), some()
	call := func(f relation.Formula) relation.Formula { return &relation.LetFormula{Body: f} }
	goal := and(call(claimed), &relation.Connective{Op: relation.Iff, Xs: []relation.Formula{
		call(defined), &relation.Not{X: call(used)}}})
	m := &Model{
		Units: []Unit{{Kind: Fact, Body: fact}, {Kind: Predicate, Body: defined}, {Kind: Predicate, Body: used},
			{Kind: Predicate, Body: claimed}, {Kind: Predicate, Body: some()}},
		Check: Command{Facts: []relation.Formula{fact}, Goal: goal},
	}
	if got, want := Tiers(m), []int{TierFact, TierSubject, TierUsed, TierProperty, -1}; !slices.Equal(got, want) {
		t.Errorf("tiers = %v, want %v", got, want)
	}
	m.Units[2].Body = and(call(defined), used)
	m.Check.Goal = call(m.Units[2].Body.(relation.Formula))
	if got, want := Tiers(m), []int{TierFact, TierSubject, TierProperty, -1, -1}; !slices.Equal(got, want) {
		t.Errorf("tiers = %v, want %v", got, want)
	}
	m.Units[2].Body = used
	m.Check.Goal = &relation.Not{X: call(used)}
	if got, want := Tiers(m), []int{TierSubject, -1, TierSubject, TierNone, TierNone}; !slices.Equal(got, want) {
		t.Errorf("tiers = %v, want %v", got, want)
	}
}

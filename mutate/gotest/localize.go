package gotest

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file finds places where another value makes the failing tests pass.

// visits are those at which another value is tried alone; 0 means at all.
var visits = []int{0, 1, 2, 3}

// Localize returns the places that all failing tests may need changed, the
// likeliest first: those with angelic values before the others, and among each
// by Ochiai's coefficient. A value is angelic if the failing tests pass when
// the place has it, at all visits or at one of the first three. Values are
// those of the alternatives of the schemes, so that a place that isn't angelic
// may be at fault all the same.
func (s *Suite) Localize(ctx context.Context) ([]Location, error) {
	x := s.newSearch()
	defer x.stop()
	if err := x.compile(ctx, stage{1, 0, schemata.CostAdded}); err != nil {
		return nil, err
	}
	x.phase("looking for angelic values")
	angelic := make(map[*schemata.Place]bool)
	for cands := range slices.Chunk(x.values(), portion) {
		found, err := x.angels(ctx, cands)
		if err != nil {
			return nil, err
		}
		for _, pl := range found {
			angelic[pl] = true
		}
	}
	return s.ranked(angelic), nil
}

// values returns the candidates that give a place another value, and don't
// insert or delete anything.
func (x *search) values() []candidate {
	return slices.DeleteFunc(slices.Clone(x.cands), func(c candidate) bool {
		return c.alts[0].Insert || c.alts[0].Text() == ""
	})
}

// angels returns the places of those candidates with which the tests pass at
// some visit.
func (x *search) angels(ctx context.Context, cands []candidate) ([]*schemata.Place, error) {
	good := make([]bool, len(cands))
	errs := make([]error, len(cands))
	x.each(len(cands), func(w *worker, i int) {
		for _, only := range visits {
			a, err := w.run(ctx, request{choices: cands[i].choices(), only: only, tests: x.failing, steps: x.steps, wall: x.limit})
			if errs[i] = err; err != nil || a.passed {
				good[i] = a.passed
				return
			}
		}
	})
	var out []*schemata.Place
	for i, c := range cands {
		x.stats.Candidates++
		if errs[i] != nil {
			return nil, errs[i]
		}
		if good[i] {
			out = append(out, c.alts[0].Place)
		}
	}
	x.observe()
	return out, nil
}

// ranked returns the places that failing tests reach, each text once.
func (s *Suite) ranked(angelic map[*schemata.Place]bool) (out []Location) {
	for _, pl := range s.reached() {
		if len(pl.Alternatives) == 0 || !pl.Changes() {
			continue
		}
		out = append(out, Location{s.span(pl.File, pl.Start, pl.End), pl.Func, s.cover.suspicion(pl.Step), angelic[pl]})
	}
	slices.SortStableFunc(out, func(a, b Location) int {
		if a.Angelic != b.Angelic {
			if a.Angelic {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Suspicion, a.Suspicion)
	})
	return out
}

package gotest

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file finds places where another value makes the failing tests pass.

// visits are those at which another value is tried alone.
var visits = []int{1, 2, 3}

// How well some value of a place does.
const (
	never      = iota
	sometimes  // the failing tests pass with it, at one of some visits
	always     // they do, at all
	everywhere // and so do the other tests
)

// Localize returns the places that all failing tests may need changed, the
// likeliest first: those with angelic values before the others, and among each
// by Ochiai's coefficient. A value is angelic if the failing tests pass when
// the place has it, at all visits or at one of the first three; those with which
// other tests pass too come first, then those that are at all visits. Values are
// those of the alternatives of the schemes, so that a place that isn't angelic
// may be at fault all the same. When ctx ends the places come in the order that
// is known by then, with its cause.
func (s *Suite) Localize(ctx context.Context) ([]Location, error) {
	x := s.newSearch()
	defer x.stop()
	does := make(map[*schemata.Place]int)
	for _, g := range x.changes() {
		if err := x.compile(ctx, g); err != nil {
			return nil, err
		}
		x.phase("looking for angelic values")
		for cands := range slices.Chunk(x.values(), portion) {
			err := x.angels(ctx, cands, does)
			if ctx.Err() != nil {
				return x.ranked(does), context.Cause(ctx)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return x.ranked(does), nil
}

// values returns the candidates that give a place another value, and don't
// insert or delete anything.
func (x *search) values() []candidate {
	return slices.DeleteFunc(slices.Clone(x.cands), func(c candidate) bool {
		return len(c.alts) > 1 || c.alts[0].Insert || c.alts[0].Text() == "" || c.alts[0].Place.Overlaps()
	})
}

// angels notes how well the places of those candidates do.
func (x *search) angels(ctx context.Context, cands []candidate, does map[*schemata.Place]int) error {
	how := make([]int, len(cands))
	errs := make([]error, len(cands))
	x.each(len(cands), func(w *worker, i int) { how[i], errs[i] = x.angel(ctx, w, cands[i]) })
	for i, c := range cands {
		x.stats.Candidates++
		if errs[i] != nil {
			return errs[i]
		}
		pl := c.alts[0].Place
		does[pl] = max(does[pl], how[i])
	}
	x.observe()
	return nil
}

// angel returns how well c does.
func (x *search) angel(ctx context.Context, w *worker, c candidate) (int, error) {
	v := x.judge(ctx, w, c)
	switch {
	case v.err != nil:
		return never, v.err
	case v.good:
		return everywhere, nil
	case v.plausible:
		return always, nil
	}
	for _, only := range visits {
		r := x.request(c)
		r.only = only
		a, err := w.run(ctx, r)
		if err != nil {
			return never, err
		}
		if a.passed {
			return sometimes, nil
		}
	}
	return never, nil
}

// ranked returns the places that failing tests reach, each text once.
func (x *search) ranked(does map[*schemata.Place]int) []Location {
	s := x.Suite
	var places []*schemata.Place
	changes := make(map[*schemata.Place]bool)
	for _, a := range x.all {
		changes[a.Place] = changes[a.Place] || !a.Insert
	}
	for _, pl := range x.places {
		if changes[pl] && !pl.Overlaps() {
			places = append(places, pl)
		}
	}
	slices.SortStableFunc(places, func(a, b *schemata.Place) int {
		return cmp.Or(does[b]-does[a], cmp.Compare(s.cover.suspicion(b.Step), s.cover.suspicion(a.Step)))
	})
	out := make([]Location, len(places))
	for i, pl := range places {
		out[i] = Location{s.span(pl.File, pl.Start, pl.End), pl.Func, s.cover.suspicion(pl.Step), does[pl] > never}
	}
	return out
}

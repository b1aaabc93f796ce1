package gotest

import (
	"fmt"
	"iter"
	"slices"

	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file proposes candidates of several changes.
//
// Package mutate/cegis is not used for it. What a failing candidate teaches is
// only that all fail that agree with it at the places that its run reached,
// and that is known of single changes before the pairs are made: a change that
// the run of the others never reaches leaves it as it was. As clauses, each of
// the thousands of candidates would be as long as the space.

// larger yields the candidates of several changes, in portions: sets of single
// ones that are no repairs by themselves, each of which is reached by the runs
// of the others.
func (x *search) larger(size int) iter.Seq[[]candidate] {
	return func(yield func([]candidate) bool) {
		var some []candidate
		x.extend(candidate{}, 0, size, func(c candidate) bool {
			some = append(some, c)
			if len(some) < portion {
				return true
			}
			full := some
			some = nil
			return yield(full)
		})
		if len(some) > 0 {
			yield(some)
		}
	}
}

// needless reports whether a part of c is a repair by itself.
func (x *search) needless(c candidate) bool {
	return len(c.alts) > 1 && slices.ContainsFunc(c.alts, func(a *schemata.Alternative) bool { return x.solved[a] })
}

// maxTwins bounds the places of one change.
const maxTwins = 6

// twins returns the candidates that make the same change at each place of the
// same text: code that was copied with its fault.
func (x *search) twins() (out []candidate) {
	same := make(map[string][]candidate)
	var keys []string
	for _, c := range x.cands {
		a := c.alts[0]
		key := fmt.Sprint(a.Insert, "\x00", a.Original(), "\x00", a.Text())
		if len(same[key]) == 1 {
			keys = append(keys, key)
		}
		same[key] = append(same[key], c)
	}
	for _, key := range keys {
		if n := len(same[key]); n > maxTwins || x.cfg.MaxSize > 1 && n <= x.cfg.MaxSize {
			continue // the pairs have them
		}
		all := candidate{cost: same[key][0].cost, suspicion: same[key][0].suspicion}
		for _, c := range same[key] {
			all.alts = append(all.alts, c.alts...)
		}
		out = append(out, all)
	}
	return out
}

// extend calls f for c with more single candidates, from the i-th on. It
// reports whether to go on.
func (x *search) extend(c candidate, i, size int, f func(candidate) bool) bool {
	if len(c.alts) == size {
		return f(c)
	}
	for ; i < len(x.cands); i++ {
		d := x.cands[i]
		if len(d.alts) > 1 || x.solved[d.alts[0]] || !x.meets(c, d.alts[0]) {
			continue
		}
		both := candidate{append(slices.Clone(c.alts), d.alts...), c.cost + d.cost, max(c.suspicion, d.suspicion)}
		if !x.extend(both, i+1, size, f) {
			return false
		}
	}
	return true
}

// meets reports whether a, at a place of its own, is reached by the runs of
// c's changes, and they by its.
func (x *search) meets(c candidate, a *schemata.Alternative) bool {
	for _, b := range c.alts {
		if a.Place == b.Place || x.single[b][a.Place.ID] == 0 || x.single[a][b.Place.ID] == 0 {
			return false
		}
	}
	return true
}

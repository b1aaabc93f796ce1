package model

import (
	"context"
	"fmt"
	"math"

	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/slice/rank"
)

// This file searches for repairs of several changes, cheap ones first.

// A combination is the search for repairs of several changes, in all sizes.
type combination struct {
	whole *space
	qs    *questions
	known []*violation    // by all candidates so far
	found map[string]bool // repairs, and what they mean
	limit int             // what a repair of the size at hand may cost, to be plausible
}

// newCombination returns the search in all changes of m; unless all is set without
// those of what the assertion claims, and of what nothing uses.
func newCombination(ctx context.Context, m *rank.Model, cfg rank.Config, all bool) (*combination, error) {
	whole := newSpace(m, newGenerator(m, false))
	if tiers := rank.Tiers(m); !all {
		whole = whole.only(func(k int) bool { return tiers[m.Nodes[whole.alts[k].node].Unit] > rank.TierProperty })
	}
	qs, err := newQuestions(ctx, whole, cfg)
	return &combination{whole: whole, qs: qs, found: make(map[string]bool)}, err
}

// Margins are how much more than the cheapest repair of several changes another
// may cost, and more than the cheapest that keeps what is good.
const (
	margin      = rank.Margin
	marginKeeps = rank.Margin / 2
)

// limits returns up to which costs to search for repairs of n changes, one after
// another.
func (x *combination) limits(n int, all bool) (out []int) {
	most := 0
	for _, alt := range x.whole.alts {
		most = max(most, alt.cost)
	}
	for limit := n*costOperator + 1; limit < n*most && !all; limit += marginKeeps {
		out = append(out, limit)
	}
	return append(out, n*most)
}

// combined yields the repairs of n changes.
func (s *searcher) combined(ctx context.Context, n int, yield func(*Repair) bool) error {
	x := s.combination
	x.limit = math.MaxInt
	s.stats.Size = n
	for _, limit := range x.limits(n, s.cfg.All) {
		sp := x.whole.upTo(limit - (n-1)*costOperator)
		c, err := s.newCombiner(ctx, sp, n, limit)
		if err != nil {
			return err
		}
		found, stopped := c.size(ctx, n)
		for _, r := range s.plausible(sp, found) {
			if stopped == nil {
				err = s.grow(ctx, r)
			}
			if err != nil {
				return err
			}
			if !yield(r) {
				return errStopped
			}
		}
		x.known = append(x.known, c.o.known...)
		if stopped != nil || !s.cfg.All && limit >= x.limit {
			return stopped
		}
	}
	return nil
}

// A combiner finds minimal repairs in one space.
type combiner struct {
	from *searcher
	sp   *space
	o    *oracle
	s    *cegis.Search

	tiers []int             // of units
	found map[string]judged // of size changes, by their alternatives
}

// newCombiner returns a search for the repairs in sp of at most size changes that
// cost at most limit.
func (s *searcher) newCombiner(ctx context.Context, sp *space, size, limit int) (*combiner, error) {
	o := newOracle(s.combination.qs, sp, size, limit)
	c := &combiner{from: s, sp: sp, o: o, tiers: rank.Tiers(s.m), found: make(map[string]judged)}
	original, err := o.Refute(ctx, cegis.Candidate{})
	if err == nil && original.Good {
		err = rank.ErrHolds
	}
	if err != nil {
		return nil, err
	}
	o.known = nil // the search learns from the original in any case
	cfg := cegis.Config{
		Space: sp.cegis(), Oracle: o, Original: original, NewSolver: s.cfg.NewSolver, Certify: c.certify,
		LazyWeight: math.MaxInt, // constraints are of gates only, which the generator takes at once
	}
	before := s.stats
	cfg.Observer = func(now cegis.Stats) {
		s.stats.Candidates, s.stats.Uncertified = before.Candidates+now.Candidates, before.Uncertified+now.Uncertified
		s.stats.Calls = before.Calls + now.Calls
		s.observe()
	}
	cfg.Examples = append(cfg.Examples, budget(limit))
	if known := s.combination.known; len(known) > 0 {
		cfg.Examples = append(cfg.Examples, known)
	}
	c.s, err = cegis.New(cfg)
	return c, err
}

// size returns the minimal repairs of n changes: with an error those found by
// then.
func (c *combiner) size(ctx context.Context, n int) (out []judged, err error) {
	for k := 1; k <= n && err == nil; k++ {
		var found []cegis.Candidate
		found, err = c.s.Size(ctx, k)
		for _, x := range found {
			if k == n {
				out = append(out, c.found[fmt.Sprint(x.Alternatives)])
			}
		}
	}
	return out, err
}

// certify is asked of each candidate that the oracle did not refute. Repairs of
// the size that is wanted are judged while there is time.
func (c *combiner) certify(ctx context.Context, x cegis.Candidate, _ *cegis.Verdict) (bool, error) {
	r := c.newRepair(x.Alternatives)
	if ok, err := c.from.certify(ctx, r); !ok || len(x.Alternatives) < c.o.size {
		return ok, err
	}
	j, err := c.judge(ctx, r)
	c.found[fmt.Sprint(x.Alternatives)] = j
	return err == nil, err
}

// newRepair returns what a candidate stands for.
func (c *combiner) newRepair(alts []int) *Repair {
	r := &Repair{Cost: c.sp.cost(alts), alts: alts, apply: c.sp.with(alts).formula}
	for _, k := range alts {
		x := &c.sp.alts[k]
		r.Changes = append(r.Changes, Change{x.node, x.new})
	}
	if t := c.from.cfg.Text; t != nil {
		for _, i := range c.sp.outermost(alts) {
			r.Patch = append(r.Patch, t.Edit(i, c.sp.written(i, alts)))
		}
	}
	return r
}

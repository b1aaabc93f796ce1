package model

import (
	"context"
	"math"

	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/slice/rank"
)

// This file searches a space for sets of changes.

// A combiner finds minimal repairs of several changes in one space.
type combiner struct {
	sp *space
	o  *oracle
	s  *cegis.Search
}

func newCombiner(ctx context.Context, sp *space, cfg rank.Config) (*combiner, error) {
	o, err := newOracle(ctx, sp, cfg)
	if err != nil {
		return nil, err
	}
	c := &combiner{sp: sp, o: o}
	original, err := o.Refute(ctx, cegis.Candidate{})
	if err == nil && original.Good {
		err = rank.ErrHolds
	}
	if err != nil {
		return nil, err
	}
	c.s, err = cegis.New(cegis.Config{
		Space: sp.cegis(), Oracle: o, Original: original, NewSolver: cfg.NewSolver,
		Heavy: math.MaxInt, // lessons are of gates only, which the generator takes at once
	})
	return c, err
}

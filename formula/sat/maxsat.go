package sat

import (
	"context"
	"errors"
	"slices"
)

// ErrUnsat says that the clauses that must hold are inconsistent.
var ErrUnsat = errors.New("sat: hard clauses are inconsistent")

// MaxSat finds a model of the clauses of s in which as few as possible of
// the literals in soft are false, and returns their number; one that occurs
// twice counts twice. The model is that of the last Solve of s.
//
// MaxSat adds clauses and variables to s that exclude no values of the
// older variables. If the clauses are inconsistent, the error is ErrUnsat.
// If a Solve returns Unknown, as when ctx ends, MaxSat returns its error,
// and a lower bound of the cost.
//
// The algorithm is OLL (Morgado, Dodaro and Marques-Silva, CP 2014): a core
// of soft literals becomes a [Totalizer], whose bounds become soft literals
// in their place. It solves at most 4·cost+1 times.
func MaxSat(ctx context.Context, s Solver, soft []Lit) (cost int, err error) {
	return WeightedMaxSat(ctx, s, soft, nil)
}

// WeightedMaxSat is [MaxSat] where soft[i] costs weight[i] if it is false,
// or 1 if weight is nil. It panics if a weight is missing or negative. It
// is meant for few different weights: cores are split by their smallest.
func WeightedMaxSat(ctx context.Context, s Solver, soft []Lit, weight []int) (cost int, err error) {
	o := newOLL(s, soft, weight)
	for {
		status, err := s.Solve(ctx, o.assumptions()...)
		switch status {
		case Sat:
			return o.cost, nil
		case Unknown:
			return o.cost, err
		}
		core, err := o.core(ctx)
		if err != nil {
			return o.cost, err
		}
		if len(core) == 0 {
			return 0, ErrUnsat
		}
		o.relax(core)
	}
}

// A bound is a soft literal that says "at most k of what t counts".
type bound struct {
	t *Totalizer
	k int
}

type oll struct {
	s      Solver
	soft   []Lit       // all that have a weight, in the order in which they came
	weight map[Lit]int // may have become 0
	bounds map[Lit]bound
	cost   int // of what soft no longer asks for
}

func newOLL(s Solver, soft []Lit, weight []int) *oll {
	if weight != nil && len(weight) != len(soft) {
		panic("sat: not one weight for each soft literal")
	}
	o := &oll{s: s, weight: make(map[Lit]int), bounds: make(map[Lit]bound)}
	for i, m := range soft {
		w := 1
		if weight != nil {
			w = weight[i]
		}
		if w < 0 {
			panic("sat: negative weight")
		}
		o.add(m, w)
	}
	return o
}

func (o *oll) add(m Lit, w int) {
	if _, ok := o.weight[m]; !ok {
		o.soft = append(o.soft, m)
	}
	o.weight[m] += w
}

// assumptions drops the soft literals that are paid for, and returns the
// others.
func (o *oll) assumptions() []Lit {
	o.soft = slices.DeleteFunc(o.soft, func(m Lit) bool {
		if o.weight[m] > 0 {
			return false
		}
		delete(o.weight, m)
		return true
	})
	return o.soft
}

// trims is how often a core is solved again by itself to shrink it.
const trims = 3

// core returns a core of the last query, trimmed, without duplicates.
func (o *oll) core(ctx context.Context) ([]Lit, error) {
	core := o.s.Core(nil)
	for range trims {
		if len(core) <= 1 {
			break
		}
		status, err := o.s.Solve(ctx, core...)
		if status == Unknown {
			return nil, err
		}
		next := o.s.Core(nil)
		if len(next) >= len(core) {
			break
		}
		core = next
	}
	slices.Sort(core)
	return slices.Compact(core), nil
}

// relax pays for core and puts bounds in the place of its literals.
func (o *oll) relax(core []Lit) {
	w := o.weight[core[0]]
	for _, m := range core {
		w = min(w, o.weight[m])
	}
	o.cost += w
	failed := make([]Lit, len(core))
	for i, m := range core {
		failed[i] = m.Not()
		o.weight[m] -= w
		if b, ok := o.bounds[m]; ok && b.k+1 < b.t.root.size {
			o.bound(b.t, b.k+1, w)
		}
	}
	if len(core) > 1 {
		o.bound(NewTotalizer(o.s, failed...), 1, w)
	}
}

func (o *oll) bound(t *Totalizer, k, w int) {
	m := t.AtMost(k)
	o.bounds[m] = bound{t, k}
	o.add(m, w)
}

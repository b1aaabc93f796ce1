package sat

import (
	"context"
	"errors"
	"slices"
)

// ErrUnsat says that the clauses alone, or with the assumptions that must
// hold, are inconsistent.
var ErrUnsat = errors.New("sat: hard clauses are inconsistent")

// MaxSat finds a model of the clauses of s in which as few literals of soft
// as possible are false, and returns their number. The model is that of the
// last Solve of s. It adds clauses to s that don't exclude any values of
// older variables.
//
// The algorithm is OLL (Morgado, Dodaro and Marques-Silva, CP 2014): a core
// of soft literals becomes a counter, whose outputs become soft literals in
// their place. If the clauses are inconsistent the error is ErrUnsat.
func MaxSat(ctx context.Context, s Solver, soft []Lit) (cost int, err error) {
	o := &oll{s: s, weight: make(map[Lit]int), counters: make(map[Lit]bound)}
	for _, m := range soft {
		o.add(m, 1)
	}
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
			return o.cost, ErrUnsat
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
	s        Solver
	soft     []Lit // in the order in which they came
	weight   map[Lit]int
	counters map[Lit]bound
	cost     int
}

func (o *oll) add(m Lit, w int) {
	if _, ok := o.weight[m]; !ok {
		o.soft = append(o.soft, m)
	}
	o.weight[m] += w
}

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

// core returns a core of the last query, trimmed.
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
		if len(next) == len(core) {
			break
		}
		core = next
	}
	slices.Sort(core)
	return slices.Compact(core), nil
}

// relax pays for core and puts counters in the place of its literals.
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
		if b, ok := o.counters[m]; ok && b.k+1 < b.t.root.size {
			o.bound(b.t, b.k+1, w)
		}
	}
	if len(core) > 1 {
		o.bound(NewTotalizer(o.s, failed...), 1, w)
	}
}

func (o *oll) bound(t *Totalizer, k, w int) {
	m := t.AtMost(k)
	o.counters[m] = bound{t, k}
	o.add(m, w)
}

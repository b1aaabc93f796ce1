package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file orders repairs of several changes and leaves out those that are far
// less plausible than others. For single changes package slice/rank does so, in
// the same manner.

// A judged repair is one with what is known of it.
type judged struct {
	*Repair
	tier int // the lowest of the units that it changes
	size int // of what it changes

	// class is equal for repairs of the same units that mean the same to the
	// check and the run.
	class string
}

// compare orders repairs, the most plausible first.
func (a judged) compare(b judged) int {
	return cmp.Or(cmp.Compare(b.tier, a.tier), cmp.Compare(btoi(b.Keeps), btoi(a.Keeps)), cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.size, b.size), slices.Compare(a.alts, b.alts))
}

// plausible returns those of found, in sp, that were not found before, the most
// plausible first. Unless all are wanted, only one of each class is left, and none
// that costs much more than the cheapest.
func (s *searcher) plausible(sp *space, found []judged) (out []*Repair) {
	x := s.combination
	for _, j := range found {
		x.limit = min(x.limit, j.Cost+margin)
		if j.Keeps {
			x.limit = min(x.limit, j.Cost+marginKeeps)
		}
	}
	slices.SortFunc(found, judged.compare)
	for _, j := range found {
		if x.first(sp, j, s.cfg.All) && (s.cfg.All || j.Cost <= x.limit) {
			out = append(out, j.Repair)
		}
	}
	return out
}

// first reports whether j is new, unless all are wanted also in what it means, and
// notes it.
func (x *combination) first(sp *space, j judged, all bool) bool {
	ids := make([]int, len(j.alts))
	for i, k := range j.alts {
		ids[i] = sp.id[k]
	}
	key := fmt.Sprint(ids)
	known := x.found[key] || !all && x.found[j.class]
	x.found[key], x.found[j.class] = true, true
	return !known
}

// judge finds out what there is to know of a repair.
func (c *combiner) judge(ctx context.Context, r *Repair) (judged, error) {
	j := judged{Repair: r, tier: rank.TierSubject}
	var units []int
	for _, x := range r.Changes {
		n := c.sp.m.Nodes[x.Node]
		j.tier = min(j.tier, c.tiers[n.Unit])
		j.size += c.sp.gen.sizeOf(n.Rel)
		units = append(units, n.Unit)
	}
	var err error
	if r.Keeps, err = c.o.keeps(ctx, r); err != nil {
		return j, err
	}
	meaning, err := c.o.meaning(ctx, r)
	j.class = fmt.Sprint(units, meaning)
	return j, err
}

// meaning returns what is equal for repairs with the same circuits for the check
// and the run, else different.
func (o *oracle) meaning(ctx context.Context, r *Repair) (string, error) {
	var key []any
	for _, q := range o.all[:2] {
		if q.world == nil {
			return fmt.Sprint(r.alts), nil
		}
		g, err := q.world.gate(ctx, o.cfg, r.apply(q.f))
		if err != nil {
			return "", err
		}
		key = append(key, q.world.made, g)
	}
	return fmt.Sprint(key...), nil
}

// keeps reports whether changed facts hold where the facts and the assertion do.
func (o *oracle) keeps(ctx context.Context, r *Repair) (bool, error) {
	before := o.sp.m.Check.Premise()
	after := r.apply(before)
	q := o.all[0]
	if after == before || q.world == nil || q.world.bounds != o.sp.m.Check.Bounds {
		return after == before, nil
	}
	in, err := o.answer(ctx, q, &relation.Connective{Op: relation.And, Xs: []relation.Formula{before, o.sp.m.Check.Goal, &relation.Not{X: after}}})
	return in == nil, err
}

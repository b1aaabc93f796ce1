package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice/rank"
)

// This file finds repairs of several changes where the assertion is a conjunction,
// or what tests claim is: a change for a part of it, and in the model with that
// change one for the next.

// maxPerStage is with how many repairs of a part the search goes on, maxAtLast how
// many it takes of those that mend all parts that are left.
const (
	maxPerStage = 3
	maxAtLast   = 10
)

// A stage is a model with some changes, and with what is known of it.
type stage struct {
	m       *rank.Model
	changes []Change                                // nodes are those of the first model
	apply   func(relation.Formula) relation.Formula // to formulas of the first model
	cost    int
	goals   []relation.Formula // the parts, with the changes

	holds   int           // so many of the goals hold
	tried   bool          // for the next one
	repairs []rank.Repair // of that
	next    []*stage      // with them, made when they are needed
}

// staged yields repairs of n changes, one for each of n parts of the goal.
func (s *searcher) staged(ctx context.Context, n int, yield func(*Repair) bool) error {
	if s.cfg.All || s.cfg.Text == nil || s.m.Parts != nil {
		return nil
	}
	if s.stages == nil {
		first := s.m
		if s.cfg.Larger != nil {
			first = s.cfg.Larger
		}
		s.stages = newStage(first, operands(first.Check.Goal, nil))
	}
	if len(s.stages.goals) < 2 {
		return nil
	}
	return s.inStages(ctx, n, yield)
}

// ofParts yields the repairs of fewest changes of a model that says what to mend
// first, and returns whether there are any.
func (s *searcher) ofParts(ctx context.Context, yield func(*Repair) bool) (found bool, err error) {
	if s.m.Parts == nil || s.cfg.All || s.cfg.Text == nil {
		return false, nil
	}
	s.stages = newStage(s.m, s.m.Parts)
	for n := 1; n <= s.cfg.Size && !found && err == nil; n++ {
		err = s.inStages(ctx, n, func(r *Repair) bool {
			found = true
			return yield(r)
		})
	}
	return found, err
}

func newStage(m *rank.Model, goals []relation.Formula) *stage {
	return &stage{m: m, goals: goals, apply: func(f relation.Formula) relation.Formula { return f }}
}

// inStages yields repairs of n changes that mend all goals, in their order.
func (s *searcher) inStages(ctx context.Context, n int, yield func(*Repair) bool) error {
	return s.from(ctx, s.stages, n, func(x *stage) error {
		r, err := s.joint(ctx, x)
		if err != nil || r == nil || !s.isNew(r) {
			return err
		}
		if !yield(r) {
			return errStopped
		}
		return nil
	})
}

// from calls f for what mends all goals with n changes more than x has. Where one is
// left, it must mend all goals; else x's first goal that does not hold.
func (s *searcher) from(ctx context.Context, x *stage, n int, f func(*stage) error) error {
	if err := s.mend(ctx, x); err != nil || x.holds == len(x.goals) {
		return err
	}
	taken := 0
	for i := range x.repairs {
		switch {
		case n > 1 && i == maxPerStage || taken == maxAtLast:
			return nil
		case x.next[i] == nil:
			x.next[i] = x.with(x.repairs[i])
		}
		if n > 1 {
			if err := s.from(ctx, x.next[i], n-1, f); err != nil {
				return err
			}
			continue
		}
		holds, err := s.holds(ctx, x.next[i])
		if err == nil && holds {
			taken++
			err = f(x.next[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mend finds the repairs of x's first goal that does not hold, unless that was done.
func (s *searcher) mend(ctx context.Context, x *stage) error {
	for !x.tried && x.holds < len(x.goals) {
		m := *x.m
		m.Check.Goal = &relation.Connective{Op: relation.And, Xs: x.goals[:x.holds+1]}
		if x.holds+1 < len(x.goals) {
			m.Others = slices.Clone(m.Others)
			for i := range m.Others {
				m.Others[i].Must = false
			}
		}
		res, err := ordered(ctx, &m, s.cfg.config(), true)
		if res != nil {
			s.stats.Size, s.stats.Candidates, s.stats.Calls = len(x.changes)+1, s.stats.Candidates+res.Tried, s.stats.Calls+res.Calls
			s.observe()
		}
		switch {
		case errors.Is(err, rank.ErrHolds):
			x.holds++
			continue
		case undecided(err):
		case err != nil:
			return err
		default:
			x.repairs, x.next = res.Repairs, make([]*stage, len(res.Repairs))
		}
		x.tried = true
	}
	return nil
}

// holds reports whether all goals of x hold.
func (s *searcher) holds(ctx context.Context, x *stage) (bool, error) {
	c := x.m.Check
	c.Goal = &relation.Connective{Op: relation.And, Xs: x.goals}
	in, err := s.find(ctx, c.Bounds, failing(&c))
	if undecided(err) {
		return false, nil
	}
	return in == nil && err == nil, err
}

// operands returns the conjuncts of f.
func operands(f relation.Formula, out []relation.Formula) []relation.Formula {
	c, ok := f.(*relation.Connective)
	if !ok || c.Op != relation.And {
		return append(out, f)
	}
	for _, x := range c.Xs {
		out = operands(x, out)
	}
	return out
}

// with returns x with one change more. What is changed, and what is around it,
// doesn't change again.
func (x *stage) with(r rank.Repair) *stage {
	memo := make(map[relation.Node]relation.Node)
	var build func(n relation.Node) relation.Node
	build = func(n relation.Node) relation.Node {
		y, ok := memo[n]
		if !ok {
			if y = r.New; n != r.Old {
				y = relation.Rebuild(n, build)
			}
			memo[n] = y
		}
		return y
	}
	formula := func(f relation.Formula) relation.Formula { return build(f).(relation.Formula) }
	formulas := func(fs []relation.Formula) (out []relation.Formula) {
		for _, f := range fs {
			out = append(out, formula(f))
		}
		return out
	}
	m := *x.m
	m.Units, m.Nodes, m.Others = slices.Clone(m.Units), slices.Clone(m.Nodes), slices.Clone(m.Others)
	for i := range m.Units {
		m.Units[i].Body = build(m.Units[i].Body)
	}
	for i := range m.Nodes {
		m.Nodes[i].Rel = build(m.Nodes[i].Rel)
		m.Nodes[i].Hard = m.Nodes[i].Hard || x.m.Below(i, r.Node) || x.m.Below(r.Node, i)
	}
	for i := range m.Others {
		m.Others[i].Formula = formula(m.Others[i].Formula)
	}
	changed := func(c rank.Command) rank.Command {
		c.Implicit, c.Facts, c.Goal = formulas(c.Implicit), formulas(c.Facts), formula(c.Goal)
		return c
	}
	m.Check = changed(m.Check)
	if m.Run != nil {
		run := changed(*m.Run)
		m.Run = &run
	}
	before := x.apply
	return &stage{
		m: &m, changes: append(slices.Clone(x.changes), Change{r.Node, r.New}), cost: x.cost + r.Cost,
		apply: func(f relation.Formula) relation.Formula { return formula(before(f)) },
		goals: formulas(x.goals), holds: x.holds + 1,
	}
}

// joint returns what the changes of x are as a repair of the model, certified, or
// nil if they are none, or not all of them are needed.
func (s *searcher) joint(ctx context.Context, x *stage) (*Repair, error) {
	r := &Repair{Changes: x.changes, Cost: x.cost, apply: x.apply, found: x.m}
	for _, c := range r.Changes {
		r.Patch = append(r.Patch, s.cfg.Text.Edit(c.Node, c.New))
	}
	for i := range r.Changes {
		needed, err := s.needed(ctx, r, i)
		if err != nil || !needed {
			return nil, err
		}
	}
	slices.SortFunc(r.Patch, func(a, b ir.Edit) int { return a.Span.Start - b.Span.Start })
	if ok, err := s.certify(ctx, r); !ok {
		return nil, err
	}
	r.Keeps = true
	if err := s.keeps(ctx, r); err != nil {
		return nil, err
	}
	return r, s.grow(ctx, r)
}

// isNew notes a repair, and reports whether none was written so before.
func (s *searcher) isNew(r *Repair) bool {
	key := fmt.Sprint(r.Patch)
	known := s.written[key]
	s.written[key] = true
	return !known
}

// needed reports whether the check fails without the i-th change of r.
func (s *searcher) needed(ctx context.Context, r *Repair, i int) (bool, error) {
	f := failing(&s.m.Check)
	for k, c := range r.Changes {
		if k != i {
			f = rank.Repair{Old: s.m.Nodes[c.Node].Rel, New: c.New}.Apply(f)
		}
	}
	in, err := s.find(ctx, s.m.Check.Bounds, f)
	return in != nil, err
}

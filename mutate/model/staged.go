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

// maxPerStage is with how many repairs of a part the search goes on. Of those that
// mend all other parts, too, it takes maxAtLast more.
const (
	maxPerStage = 3
	maxAtLast   = 7
)

// A stage is a model with some changes.
type stage struct {
	m       *rank.Model
	changes []Change                                // nodes are those of the first model
	apply   func(relation.Formula) relation.Formula // to formulas of the first model
	cost    int
}

// staged yields repairs of n changes, one for each of n parts of the goal.
func (s *searcher) staged(ctx context.Context, n int, yield func(*Repair) bool) error {
	first := s.m
	if s.cfg.Larger != nil {
		first = s.cfg.Larger
	}
	goals := operands(first.Check.Goal, nil)
	if len(goals) < 2 || s.cfg.All || s.cfg.Text == nil || first.Parts != nil {
		return nil
	}
	return s.inStages(ctx, first, goals, sizes{n, n}, yield)
}

// ofParts yields repairs of a model that says what to mend first, and returns
// whether there are any.
func (s *searcher) ofParts(ctx context.Context, yield func(*Repair) bool) (found bool, err error) {
	if s.m.Parts == nil || s.cfg.All || s.cfg.Text == nil {
		return false, nil
	}
	err = s.inStages(ctx, s.m, s.m.Parts, sizes{1, s.cfg.Size}, func(r *Repair) bool {
		found = true
		return yield(r)
	})
	return found, err
}

// sizes are how many changes a repair has.
type sizes struct{ least, most int }

// inStages yields repairs of first that mend all goals, in their order.
func (s *searcher) inStages(ctx context.Context, first *rank.Model, goals []relation.Formula, n sizes, yield func(*Repair) bool) error {
	same := func(f relation.Formula) relation.Formula { return f }
	return s.stages(ctx, &stage{m: first, apply: same}, goals, 1, n, func(x *stage) error {
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

// stages calls f for what mends all goals with so many changes, of x, where those
// before the k-th hold.
func (s *searcher) stages(ctx context.Context, x *stage, goals []relation.Formula, k int, n sizes, f func(*stage) error) error {
	if k > len(goals) {
		if len(x.changes) >= n.least {
			return f(x)
		}
		return nil
	}
	m := *x.m
	m.Check.Goal = &relation.Connective{Op: relation.And, Xs: goals[:k]}
	if k < len(goals) {
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
	if errors.Is(err, rank.ErrHolds) {
		return s.stages(ctx, x, goals, k+1, n, f)
	}
	if err != nil || len(x.changes) == n.most {
		if undecided(err) {
			err = nil
		}
		return err
	}
	mending := 0 // the last parts
	for i, r := range res.Repairs {
		next, mended := x.with(r, goals)
		if i >= maxPerStage {
			if mending == maxAtLast {
				break
			}
			if holds, err := s.holds(ctx, next.m.Check, mended); err != nil {
				return err
			} else if !holds {
				continue
			}
			mending++
		}
		if err := s.stages(ctx, next, mended, k+1, n, f); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether a check holds with goals for its own.
func (s *searcher) holds(ctx context.Context, c rank.Command, goals []relation.Formula) (bool, error) {
	c.Goal = &relation.Connective{Op: relation.And, Xs: goals}
	in, err := s.find(ctx, c.Bounds, failing(&c))
	if undecided(err) {
		return false, nil
	}
	return in == nil, err
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

// with returns x with one change more, and the goals with it. What is changed, and
// what is around it, doesn't change again.
func (x *stage) with(r rank.Repair, goals []relation.Formula) (*stage, []relation.Formula) {
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
	}, formulas(goals)
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

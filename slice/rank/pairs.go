package rank

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// This file finds FLACK's pairs of instances.

// A Pair is a counterexample with the passing instance nearest to it: as few
// tuples of signatures and fields as possible differ.
type Pair struct{ Failing, Passing *relation.Instance }

// maxPairs is FLACK's number of pairs.
const maxPairs = 5

// ErrHolds says that there is nothing to explain: the check has no
// counterexample, and the run has an instance.
var ErrHolds = errors.New("rank: the check has no counterexample")

// errNoPassing says that the run has no instance.
var errNoPassing = errors.New("rank: the run's predicate has no instance")

// failingInstances returns up to maxPairs counterexamples, those with the fewest
// tuples, which may differ in the witnesses only. The tool takes its solver's
// next ones, which may do so, too.
func failingInstances(ctx context.Context, m *Model, cfg Config) (ins []*relation.Instance, err error) {
	c := m.Check
	all := append(append(append([]relation.Formula{}, c.Implicit...), c.Facts...), &relation.Not{X: c.Goal})
	f, b := relation.Skolemize(&relation.Connective{Op: relation.And, Xs: all}, c.Bounds)
	s := cfg.solver(ctx, b)
	if err := s.Assert(f); err != nil {
		return nil, err
	}
	s.AssertGate(s.Symmetry(0))
	var soft []sat.Lit
	for _, r := range b.Relations() {
		for _, g := range s.Free(r) {
			soft = append(soft, s.Lit(g.Not()))
		}
	}
	for len(ins) < maxPairs {
		if _, err := sat.MaxSat(ctx, s.SAT(), soft); errors.Is(err, sat.ErrUnsat) {
			return ins, nil
		} else if err != nil {
			return nil, err
		}
		in := s.Instance()
		if err := relation.Confirm(in, f); err != nil {
			return nil, err
		}
		ins = append(ins, in)
		s.AssertGate(s.Is(in).Not())
	}
	return ins, nil
}

// nearest finds the instances nearest to others.
type nearest struct {
	s       *relation.Solver
	formula relation.Formula
}

// newNearest returns a finder of instances of fs in c's bounds.
func newNearest(ctx context.Context, cfg Config, c *Command, fs ...relation.Formula) (*nearest, error) {
	n := &nearest{cfg.solver(ctx, c.Bounds), &relation.Connective{Op: relation.And, Xs: fs}}
	err := n.s.Assert(n.formula)
	if errors.Is(err, relation.ErrHigherOrder) {
		f, b := relation.Skolemize(n.formula, c.Bounds)
		n = &nearest{cfg.solver(ctx, b), f}
		err = n.s.Assert(f)
	}
	return n, err
}

// wide is the weight of a tuple that is not in the instance to be near to. One
// that is there weighs one less: of several nearest instances that with the
// fewest tuples counts, as solvers find that try false first.
const wide = 64

// find returns the instance nearest to c: with as few tuples as possible of which
// only one of both has them.
func (n *nearest) find(ctx context.Context, c *relation.Instance) (*relation.Instance, error) {
	b := n.s.Bounds()
	var soft []sat.Lit
	var weight []int
	for _, r := range b.Relations() {
		set := c.Get(r)
		if set == nil {
			continue
		}
		for t := range b.Upper(r).Minus(b.Lower(r)).All() {
			g, w := n.s.Tuple(r, t...), wide-1
			if !set.Has(t...) {
				g, w = g.Not(), wide
			}
			soft, weight = append(soft, n.s.Lit(g)), append(weight, w)
		}
	}
	if _, err := sat.WeightedMaxSat(ctx, n.s.SAT(), soft, weight); errors.Is(err, sat.ErrUnsat) {
		return nil, errNoPassing
	} else if err != nil {
		return nil, err
	}
	in := n.s.Instance()
	return in, relation.Confirm(in, n.formula)
}

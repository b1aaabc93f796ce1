package model

import (
	"context"
	"errors"
	"iter"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice/rank"
)

// This file is the front of the search for repairs.

// A Config says which repairs to search for. The zero value works.
type Config struct {
	// Size is the most changes of a repair; 0 means 1.
	Size int

	// All asks for all minimal repairs in the space of all changes, also those
	// that are far less plausible than others: see the package comment.
	All bool

	// Text, unless nil, is the model as it is written. Then each repair was
	// written into it, read back, and decided by what was read.
	Text *Text

	// Grow is by how much larger scopes the check of a repair that was read back
	// is asked: see Repair.Grown. 0 means in its own scope alone.
	Grow int

	// Larger, unless nil, is the model in scopes larger by Grow, with the same nodes.
	// Repairs of one change are searched for there, so that they are not right
	// by the lack of atoms, and if there is none in the model as it is. It needs a Text, from which all is
	// asked again.
	Larger *rank.Model

	// NewSolver makes the solvers of a search, which uses several one after
	// another; nil means the engine of sat.New that tries true first.
	NewSolver func() sat.Solver

	// Observer is told how far the search is.
	Observer func(Stats)
}

// Stats says what a search did.
type Stats struct {
	Size        int // changes in the candidates that are being inspected
	Candidates  int // inspected
	Uncertified int // repairs that are none as they are written
	Calls       int // of SAT solvers
}

// A Change replaces a node.
type Change struct {
	Node int           // index in Model.Nodes
	New  relation.Node // as it would be, were it the only change; nodes of the model occur in it
}

// A Repair is a set of changes after which the check holds in its scope while the
// run's predicate can still hold, and what the model's other questions had as
// wanted is still so. None of its proper subsets is one.
type Repair struct {
	Changes []Change
	Cost    int // small for small changes

	// Keeps says that no instance is excluded that satisfied the facts and
	// the assertion.
	Keeps bool

	// Patch writes the repair into the source, if there is a Config.Text.
	// Changes inside others' nodes are edits of the outermost.
	Patch ir.Patch

	// Grown is by how much the scopes of the check may be larger, as far as
	// Config.Grow asks.
	Grown int

	// Failing are the Model.Others that are not as wanted, nor were before.
	// Undecided are those that can't be decided.
	Failing, Undecided []int

	apply func(relation.Formula) relation.Formula
	found *rank.Model // where the search decided it; nil if in the model as it is
	alts  []int       // in the space where it was found
	file  *ir.File    // as it was written
}

// Apply returns f, a formula of the model, with the repair.
func (r *Repair) Apply(f relation.Formula) relation.Formula { return r.apply(f) }

// Repairs yields the repairs of m, those with fewest changes first, and of one
// size the most plausible first. The last error is rank.ErrHolds if there is
// nothing to repair, relation.ErrHigherOrder if the model can't be translated,
// relation.ErrTooLarge, or ctx's cause; without one the space is covered.
func Repairs(ctx context.Context, m *rank.Model, cfg Config) iter.Seq2[*Repair, error] {
	return func(yield func(*Repair, error) bool) {
		s := &searcher{Certifier: NewCertifier(m, cfg), written: make(map[string]bool)}
		if s.cfg.Size == 0 {
			s.cfg.Size = 1
		}
		if err := s.run(ctx, func(r *Repair) bool { return yield(r, nil) }); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// errStopped says that no more repairs are wanted.
var errStopped = errors.New("stopped")

// A searcher searches for the repairs of one model.
type searcher struct {
	*Certifier
	stats       Stats
	combination *combination    // made when it is needed
	written     map[string]bool // patches of repairs found in stages
	stages      *stage          // the first, if there is any
}

// run calls yield for each repair, until that returns false.
func (s *searcher) run(ctx context.Context, yield func(*Repair) bool) error {
	if found, err := s.ofParts(ctx, yield); found || err != nil {
		return err
	}
	first := 1
	if !s.cfg.All {
		if err := s.single(ctx, yield); err != nil {
			return err
		}
		first = 2
	}
	for n := first; n <= s.cfg.Size; n++ {
		if err := s.staged(ctx, n, yield); err != nil {
			return err
		}
		if s.combination == nil {
			var err error
			if s.combination, err = newCombination(ctx, s.m, s.cfg.config(), s.cfg.All); err != nil {
				return err
			}
		}
		if err := s.combined(ctx, n, yield); err != nil {
			return err
		}
	}
	return nil
}

// observe tells how far the search is.
func (s *searcher) observe() {
	if s.cfg.Observer != nil {
		now := s.stats
		now.Calls += s.calls
		s.cfg.Observer(now)
	}
}

// single yields the plausible repairs of one change.
func (s *searcher) single(ctx context.Context, yield func(*Repair) bool) error {
	s.stats.Size = 1
	s.observe()
	if fails, err := s.fails(ctx); err != nil && !undecided(err) {
		return err
	} else if s.cfg.Larger != nil && s.cfg.Text != nil && fails {
		found, err := s.singleOf(ctx, s.cfg.Larger, yield)
		if found || err != nil && !errors.Is(err, rank.ErrHolds) && !undecided(err) {
			return err
		}
	}
	_, err := s.singleOf(ctx, s.m, yield)
	return err
}

// fails reports whether there is something to repair in the model's own scopes.
func (s *searcher) fails(ctx context.Context) (bool, error) {
	in, err := s.find(ctx, s.m.Check.Bounds, failing(&s.m.Check))
	if in != nil || err != nil {
		return true, err
	}
	pass := s.m.Passing()
	in, err = s.find(ctx, pass.Bounds, passing(pass))
	return in == nil, err
}

// singleOf yields the plausible repairs of one change that are right in m, which is
// the model in its scopes or in larger ones. It returns whether there are any.
func (s *searcher) singleOf(ctx context.Context, m *rank.Model, yield func(*Repair) bool) (found bool, err error) {
	before := s.stats
	res, stopped := ordered(ctx, m, s.cfg.config(), true)
	if res != nil {
		s.stats.Candidates, s.stats.Calls = before.Candidates+res.Tried, before.Calls+res.Calls
		s.observe()
	}
	if stopped != nil {
		return false, stopped
	}
	for _, x := range res.Repairs {
		r, err := s.Certifier.singleOf(ctx, x, m)
		if err != nil {
			return found, err
		}
		if r == nil {
			s.stats.Uncertified++
			s.observe()
			continue
		}
		found = true
		if !yield(r) {
			return true, errStopped
		}
	}
	return found, nil
}

package lrat

// Solvers whose answers are checked.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/go-amend/amend/formula/sat"
)

// ErrUncertified is wrapped by the error of a Solve whose answer was not
// proved: the solver is wrong, or its proof.
var ErrUncertified = errors.New("answer without a proof")

// A Certifier makes solvers whose answers are checked before they are given.
// It is safe for concurrent use as far as New is; a single solver is not.
type Certifier struct {
	// New makes a solver that writes its proof to the argument.
	New func(sat.Proof) sat.Solver

	// Proof, unless nil, is called for each solver that is made; the result
	// gets the steps too, after they are checked.
	Proof func() sat.Proof

	sat, unsat, steps atomic.Int64
}

// A Count says how many answers of all its solvers a Certifier has checked,
// and by how many steps of proofs.
type Count struct{ Sat, Unsat, Steps int64 }

// Count returns the count so far.
func (c *Certifier) Count() Count { return Count{c.sat.Load(), c.unsat.Load(), c.steps.Load()} }

// NewSolver returns an empty solver that solves with one that New makes. It
// keeps the clauses that it is given. If a model satisfies them and the
// assumptions, Solve returns Sat, if the proof shows that the core is
// inconsistent with them, it returns Unsat, and else Unknown and an error that
// wraps ErrUncertified, then and for ever.
//
// The proof must start from the very clauses that were added. A clause costs
// time in its length, and each Sat that of all variables.
func (c *Certifier) NewSolver() sat.Solver {
	s := &certified{by: c}
	if c.Proof != nil {
		s.to = c.Proof()
	}
	s.Solver = c.New(s)
	return s
}

// A certified solver stands between a solver and who asks it, and between the
// solver and its proof.
type certified struct {
	sat.Solver
	by      *Certifier
	check   Checker
	to      sat.Proof // nil: nobody else wants the proof
	clauses []sat.Lit // each ended by zero
	models  models
	read    int   // how much of clauses the proof has as inputs
	counted int64 // steps that are in the count
	err     error
}

func (s *certified) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("lrat: %w: %w", ErrUncertified, fmt.Errorf(format, args...))
	}
}

// AddClause implements [sat.Solver].
func (s *certified) AddClause(ms ...sat.Lit) {
	for _, m := range ms {
		if m < 2 || m > maxLit {
			panic("sat: not a literal") // before it is kept
		}
	}
	s.clauses = append(append(s.clauses, ms...), 0)
	s.Solver.AddClause(ms...)
}

// Solve implements [sat.Solver].
func (s *certified) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	if s.err != nil {
		return sat.Unknown, s.err
	}
	assume = slices.Clone(assume) // the solver may not be trusted to leave it as it is
	status, err := s.Solver.Solve(ctx, assume...)
	switch {
	case err != nil || status == sat.Unknown:
		return sat.Unknown, err
	case status == sat.Sat:
		s.model(assume)
	default:
		s.refutation(assume)
	}
	s.count(status)
	if s.err != nil {
		return sat.Unknown, s.err
	}
	return status, nil
}

func (s *certified) count(status sat.Status) {
	n := s.check.Steps()
	steps := n.Inputs + n.Learned + n.Deleted
	s.by.steps.Add(steps - s.counted)
	s.counted = steps
	switch {
	case s.err != nil:
	case status == sat.Sat:
		s.by.sat.Add(1)
	default:
		s.by.unsat.Add(1)
	}
}

// model checks that the model satisfies all clauses and assume.
func (s *certified) model(assume []sat.Lit) {
	for _, m := range assume {
		if !holds(s.Solver, m) {
			s.fail("the assumption %d is not true in the model", m.Dimacs())
			return
		}
	}
	if c := s.models.check(s.clauses, s.Solver); c != nil {
		s.fail("the clause %v is not true in the model", dimacs(c))
	}
}

// refutation checks that the core is of the assumptions and is refuted.
func (s *certified) refutation(assume []sat.Lit) {
	core := s.Core(nil)
	for _, m := range core {
		if !slices.Contains(assume, m) {
			s.fail("%d is in the core, but not assumed", m.Dimacs())
			return
		}
	}
	if err := s.check.Refuted(core); err != nil {
		s.fail("%w", err)
	}
}

// Input implements [sat.Proof]: what is given must be what was added.
func (s *certified) Input(id uint64, clause []sat.Lit) {
	n := len(clause)
	rest := s.clauses[s.read:]
	if len(rest) <= n || rest[n] != 0 || !slices.Equal(rest[:n], clause) {
		s.fail("the proof is given %v, which was not added", dimacs(clause))
		return
	}
	s.read += n + 1
	s.check.Input(id, clause)
	if s.to != nil {
		s.to.Input(id, clause)
	}
}

// Learn implements [sat.Proof].
func (s *certified) Learn(id uint64, clause []sat.Lit, hints []uint64) {
	s.check.Learn(id, clause, hints)
	if s.to != nil {
		s.to.Learn(id, clause, hints)
	}
}

// Delete implements [sat.Proof].
func (s *certified) Delete(ids ...uint64) {
	s.check.Delete(ids...)
	if s.to != nil {
		s.to.Delete(ids...)
	}
}

func dimacs(ms []sat.Lit) []int {
	out := make([]int, len(ms))
	for i, m := range ms {
		out[i] = m.Dimacs()
	}
	return out
}

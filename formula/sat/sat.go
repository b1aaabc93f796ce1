// Package sat decides sets of clauses through a small interface.
//
// Everything else in the module talks to a SAT engine through [Solver],
// whose five methods every incremental engine can honour. [NewGini] returns
// the default engine, pure Go; [NewExternal] runs any competition-style
// binary instead. On top of the interface, for any engine: [ExactlyOne],
// [Totalizer] (at most k), [MinCore] and [MaxSat]. Package formula
// translates terms to clauses.
//
// Names in this package: m literal, s solver.
package sat

import (
	"context"
	"fmt"
)

// A Lit is a literal: variable v>>1, negated if the low bit is set.
// The zero Lit is not a literal.
type Lit uint32

// Not returns the complement of m.
func (m Lit) Not() Lit { return m ^ 1 }

// Dimacs returns m as DIMACS writes it: ±variable.
func (m Lit) Dimacs() int {
	if m&1 == 1 {
		return -int(m >> 1)
	}
	return int(m >> 1)
}

// Status is the outcome of a satisfiability query.
// The zero Status is Unknown, so that a forgotten result claims nothing.
type Status int8

const (
	Unknown Status = iota
	Sat
	Unsat
)

func (s Status) String() string {
	switch s {
	case Unknown:
		return "unknown"
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return fmt.Sprintf("Status(%d)", int8(s))
}

// A Solver decides clauses incrementally under assumptions.
// A Solver is not safe for concurrent use; different Solvers are.
type Solver interface {
	// NewVar returns the positive literal of a fresh variable.
	NewVar() Lit

	// AddClause adds the disjunction of ms. It does not retain ms. Earlier
	// models stay defined.
	AddClause(ms ...Lit)

	// Solve decides the clauses together with assume, which it then
	// forgets. If ctx ends first, it returns Unknown and ctx's cause; the
	// solver stays usable.
	Solve(ctx context.Context, assume ...Lit) (Status, error)

	// Value returns m's value in the model of the last Solve.
	// It is defined only if that Solve returned Sat. The positive literal of
	// a variable made later is false.
	Value(m Lit) bool

	// Core appends to dst a subset of the last assumptions that is
	// inconsistent with the clauses. The subset need not be minimal.
	// It is defined only if the last Solve returned Unsat.
	Core(dst []Lit) []Lit
}

// ExactlyOne adds to s that exactly one of ms is true.
func ExactlyOne(s Solver, ms ...Lit) {
	s.AddClause(ms...)
	AtMostOne(s, ms...)
}

// pairwise is the number of literals up to which all pairs are excluded
// directly; for more, groups are chained by fresh variables.
const pairwise = 6

// AtMostOne adds to s that at most one of ms is true, in at most 3n clauses
// and n/4 fresh variables for n literals.
func AtMostOne(s Solver, ms ...Lit) {
	for len(ms) > pairwise {
		// c is true if one of the group is; it stands for the group.
		group := ms[:pairwise-1]
		c := s.NewVar()
		for i, m := range group {
			s.AddClause(m.Not(), c)
			for _, k := range group[:i] {
				s.AddClause(m.Not(), k.Not())
			}
		}
		ms = append([]Lit{c}, ms[pairwise-1:]...)
	}
	for i, m := range ms {
		for _, k := range ms[:i] {
			s.AddClause(m.Not(), k.Not())
		}
	}
}

// MinCore returns a subset of core that is still inconsistent with the
// clauses of s, but no proper subset of it is. It solves once per literal.
// If ctx ends, it returns the smallest core found so far, and ctx's cause.
func MinCore(ctx context.Context, s Solver, core []Lit) ([]Lit, error) {
	core = append([]Lit(nil), core...)
	for i := 0; i < len(core); {
		rest := append(append([]Lit(nil), core[:i]...), core[i+1:]...)
		switch status, err := s.Solve(ctx, rest...); status {
		case Unknown:
			return core, err
		case Sat:
			i++ // needed
		case Unsat:
			core = keep(core[:i], s.Core(nil), rest[i:])
		}
	}
	return core, nil
}

// keep returns needed and those of rest that are in core.
func keep(needed, core, rest []Lit) []Lit {
	in := make(map[Lit]bool, len(core))
	for _, m := range core {
		in[m] = true
	}
	out := append([]Lit(nil), needed...)
	for _, m := range rest {
		if in[m] {
			out = append(out, m)
		}
	}
	return out
}

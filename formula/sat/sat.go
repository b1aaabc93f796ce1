package sat

import (
	"context"
	"fmt"
)

// A Lit is a literal: variable v>>1, negated if the low bit is set.
// Variables count from 1; the zero Lit is not a literal.
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

// maxVar keeps literals and DIMACS numbers in 31 bits in every solver.
const maxVar = 1<<29 - 1

// made returns the last variable made, if it was vars before ms are used.
func made(vars Lit, ms ...Lit) Lit {
	for _, m := range ms {
		v := m >> 1
		if v == 0 || v > maxVar {
			panic("sat: not a literal")
		}
		vars = max(vars, v)
	}
	return vars
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

// A Solver decides clauses incrementally under assumptions. Clauses may be
// empty, and hold a literal twice or with its complement.
//
// A literal whose variable NewVar has not returned yet may be used; this
// makes the variable, and all before it. The zero Lit, or a variable of
// 1<<29 or more, in a clause or an assumption panics.
//
// A Solver is not safe for concurrent use; different Solvers are.
type Solver interface {
	// NewVar returns the positive literal of a fresh variable.
	NewVar() Lit

	// AddClause adds the disjunction of ms. It does not retain ms. The
	// model or core of the last Solve stays defined.
	AddClause(ms ...Lit)

	// Solve decides the clauses together with assume, which it then
	// forgets, and does not retain. If it returns Unknown, the error says
	// why: ctx's cause if ctx ended first. The solver stays usable.
	Solve(ctx context.Context, assume ...Lit) (Status, error)

	// Value returns m's value in the model of the last Solve.
	// It is defined only if that Solve returned Sat. The positive literal of
	// a variable made later is false.
	Value(m Lit) bool

	// Core appends to dst a subset of the last assumptions that is
	// inconsistent with the clauses. The subset need not be minimal; if it
	// is empty, the clauses alone are inconsistent.
	// It is defined only if the last Solve returned Unsat.
	Core(dst []Lit) []Lit
}

package incremental

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file counts work, so that engines take turns at the same points on
// every machine.

// errTurn ends a turn: the work that was allowed for it is done.
var errTurn = errors.New("incremental: the turn is over")

// A meter counts work in ticks of SAT solvers, some ten million a second, and
// ends turns.
type meter struct {
	spent int64
	until int64 // when spent gets here the turn is over; 0: never
	last  int64 // when spent gets here queries end; 0: never

	store *formula.Store
	terms int // of store, that are in spent
}

// turn begins a turn of so much work. A query may go on for slack times as
// much.
func (m *meter) turn(work, slack int64) { m.until, m.last = m.spent+work, m.spent+slack*work }

// forever begins a turn that does not end.
func (m *meter) forever() { m.until, m.last = 0, 0 }

// within calls f, whose queries end when they have taken so much work, or
// the turn ends. It reports whether they took it all.
func (m *meter) within(work int64, f func() error) (all bool, err error) {
	last := m.last
	if end := m.spent + work; last == 0 || end < last {
		m.last = end
	}
	err = f()
	all = errors.Is(err, errTurn) && (last == 0 || m.last < last)
	m.last = last
	return all, err
}

// What work costs beside the search for models.
const (
	callTicks   = 500 // a query
	clauseTicks = 10  // a clause
	termTicks   = 20  // a term
)

// spend counts work done otherwise.
func (m *meter) spend(ticks int64) { m.spent += ticks }

// count adds what the terms made since the last call cost.
func (m *meter) count() {
	n := m.store.Len()
	m.spend(termTicks * int64(n-m.terms))
	m.terms = n
}

// over reports whether the turn is over.
func (m *meter) over() bool { return m.until > 0 && m.spent >= m.until }

// solvers returns a maker of solvers whose work m counts and bounds. Of
// solvers that don't count steps it counts the queries.
func (m *meter) solvers(make func() sat.Solver) func() sat.Solver {
	return func() sat.Solver { return &metered{Solver: make(), m: m} }
}

// metered is a solver whose work is counted.
type metered struct {
	sat.Solver
	m *meter
}

// AddClause implements sat.Solver.
func (s *metered) AddClause(ms ...sat.Lit) {
	s.m.spent += clauseTicks
	s.Solver.AddClause(ms...)
}

// Solve implements sat.Solver. The error is errTurn if the turn ended first.
func (s *metered) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	s.m.count()
	if s.m.last > 0 && s.m.spent >= s.m.last {
		return sat.Unknown, errTurn
	}
	if l, ok := s.Solver.(sat.Limited); ok {
		l.Limit(sat.Limits{Ticks: max(0, s.m.last-s.m.spent)})
	}
	before := s.ticks()
	status, err := s.Solver.Solve(ctx, assume...)
	s.m.spend(s.ticks() - before + callTicks)
	if errors.Is(err, sat.ErrLimit) {
		err = errTurn
	}
	return status, err
}

func (s *metered) ticks() int64 {
	if c, ok := s.Solver.(sat.Counted); ok {
		return c.Steps().Ticks
	}
	return 0
}

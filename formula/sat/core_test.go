package sat

import (
	"context"
	"slices"
	"testing"
)

// TestMinCore minimizes a core with one small reason, found among many
// literals that have nothing to do with it, and one twice in it.
func TestMinCore(t *testing.T) {
	s := NewGini()
	var ms []Lit
	for range 30 {
		ms = append(ms, s.NewVar())
	}
	s.AddClause(ms[7].Not(), ms[20].Not(), ms[21].Not())
	core, err := MinCore(t.Context(), s, append(ms[:25:25], ms[20]))
	slices.Sort(core)
	if want := []Lit{ms[7], ms[20], ms[21]}; err != nil || !slices.Equal(core, want) {
		t.Errorf("MinCore = %v, %v, want %v", core, err, want)
	}
	s.AddClause(ms[3])
	s.AddClause(ms[3].Not())
	if core, err := MinCore(t.Context(), s, ms); err != nil || len(core) > 0 {
		t.Errorf("MinCore = %v, %v, want none", core, err)
	}
}

// TestMinCoreEnds ends the context after some queries.
func TestMinCoreEnds(t *testing.T) {
	gini := NewGini()
	var ms []Lit
	for range 30 {
		ms = append(ms, gini.NewVar())
	}
	gini.AddClause(ms[7].Not(), ms[8].Not())
	for n := range 10 {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := &ender{Solver: &trivial{Solver: gini}, left: n, end: func() { cancel(errEnded) }}
		core, err := MinCore(ctx, s, ms)
		if err != errEnded || len(core) != 30-min(n, 7)-max(0, n-9) {
			t.Errorf("after %d queries: MinCore = %d literals, %v", n, len(core), err)
		}
		check(t, gini, false, core...)
	}
}

// An ender ends a context before one of its Solves.
type ender struct {
	Solver
	left int
	end  func()
}

func (s *ender) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	if s.left == 0 {
		s.end()
	}
	s.left--
	return s.Solver.Solve(ctx, assume...)
}

// A trivial solver has no cores but all assumptions.
type trivial struct {
	Solver
	assume []Lit
}

func (s *trivial) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	s.assume = slices.Clone(assume)
	return s.Solver.Solve(ctx, assume...)
}

func (s *trivial) Core(dst []Lit) []Lit { return append(dst, s.assume...) }

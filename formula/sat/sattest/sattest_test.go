package sattest_test

import (
	"context"
	"testing"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/lrat"
	"github.com/go-amend/amend/formula/sat/sattest"
)

func TestEngine(t *testing.T) { sattest.Run(t, sat.New) }

func TestGini(t *testing.T) { sattest.Run(t, sat.NewGini) }

// TestCertified checks the proof of each Unsat of the suite.
func TestCertified(t *testing.T) {
	c := &lrat.Certifier{New: func(p sat.Proof) sat.Solver { return sat.Options{Proof: p}.New() }}
	sattest.Run(t, c.NewSolver)
	if n := c.Count(); n.Sat < 100 || n.Unsat < 100 {
		t.Errorf("only %+v", n)
	}
}

// TestDrive checks that the driver finds the bugs of bad solvers, and that
// what it finds is shrunk.
func TestDrive(t *testing.T) {
	for name, bad := range map[string]func() sat.Solver{
		"loses clauses":     func() sat.Solver { return &bad{Solver: sat.NewGini(), forgets: 5} },
		"core of one":       func() sat.Solver { return &bad{Solver: sat.NewGini(), core: true} },
		"never unsat":       func() sat.Solver { return &bad{Solver: sat.NewGini(), always: sat.Sat} },
		"keeps assumptions": func() sat.Solver { return &bad{Solver: sat.NewGini(), keeps: true} },
	} {
		fails := func(prog []byte) bool { return sattest.Drive(t.Context(), bad(), prog) != nil }
		found := false
		for seed := range uint64(200) {
			prog := sattest.Program(seed, 400)
			if !fails(prog) {
				continue
			}
			found = true
			if less := sattest.Shrink(prog, fails); len(less) > 60 || !fails(less) {
				t.Errorf("%s: seed %d shrinks to %d bytes", name, seed, len(less))
			}
			break
		}
		if !found {
			t.Errorf("%s: not found", name)
		}
	}
}

// A bad solver has one bug.
type bad struct {
	sat.Solver
	forgets int
	core    bool
	always  sat.Status
	keeps   bool
	n       int
}

func (s *bad) AddClause(ms ...sat.Lit) {
	if s.n++; s.forgets == 0 || s.n%s.forgets != 0 {
		s.Solver.AddClause(ms...)
	}
}

func (s *bad) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	status, err := s.Solver.Solve(ctx, assume...)
	if s.keeps && len(assume) > 0 && status == sat.Sat {
		s.Solver.AddClause(assume[0])
	}
	if s.always != sat.Unknown && err == nil {
		status = s.always
	}
	return status, err
}

func (s *bad) Core(dst []sat.Lit) []sat.Lit {
	if core := s.Solver.Core(nil); s.core && len(core) > 1 {
		return append(dst, core[0])
	}
	return s.Solver.Core(dst)
}

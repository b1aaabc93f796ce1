package cegis_test

import (
	"context"
	"errors"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/mutate/cegis"
)

// A verbose oracle refutes every candidate and teaches large constraints. The
// context ends while the generator gets one.
type verbose struct {
	end    context.CancelFunc
	after  *int // where to count clauses, once the context has ended
	define bool // the constraint comes by definitions
}

func (verbose) Refute(context.Context, cegis.Candidate) (cegis.Verdict, error) {
	return cegis.Verdict{Counterexample: 1}, nil
}

// product returns a proposition that takes many gates.
func product(st *formula.Store) formula.Term {
	x, y := st.Var(64, "x"), st.Var(64, "y")
	for range 8 {
		x, y = st.Mul(x, y), x
	}
	return st.Eq(x, st.Const(64, 12345))
}

func (o verbose) Good(_ context.Context, v cegis.Encoding, _ cegis.Counterexample) (cegis.Constraint, error) {
	large := product(v.Store)
	if o.define {
		return cegis.Constraint{Good: v.Store.True(), Open: true, Define: func(s *formula.Solver) {
			o.end()
			*o.after = 1
			s.Assert(large)
		}}, nil
	}
	o.end()
	*o.after = 1
	return cegis.Constraint{Good: large, Open: true}, nil
}

// A counting solver counts clauses once n is positive.
type counting struct {
	sat.Solver
	n *int
}

func (c counting) AddClause(ms ...sat.Lit) {
	if *c.n > 0 {
		*c.n++
	}
	c.Solver.AddClause(ms...)
}

// TestDeadlineWithinConstraint: a search whose context ends while a constraint becomes
// clauses does not make the rest of them.
func TestDeadlineWithinConstraint(t *testing.T) {
	for _, define := range []bool{false, true} {
		for _, holes := range []bool{false, true} {
			ctx, end := context.WithCancel(t.Context())
			after := 0
			a := cegis.Alternative{}
			if holes {
				a.Holes = []cegis.Hole{{Width: 8, High: 200}}
			}
			cfg := cegis.Config{
				Space: cegis.Space{{Alternatives: []cegis.Alternative{a}}}, Oracle: verbose{end, &after, define},
				NewSolver: func() sat.Solver { return counting{sat.New(), &after} },
			}
			for _, err := range cegis.Solve(ctx, cfg, 1) {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("definitions %v, holes %v: got %v, want that the context was canceled", define, holes, err)
				}
			}
			if after == 0 || after > 100 {
				t.Errorf("definitions %v, holes %v: %d clauses after the end of the context", define, holes, after-1)
			}
			end()
		}
	}
}

package lrat

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// TestCertified checks that right answers pass, over many queries of one
// solver, and are counted.
func TestCertified(t *testing.T) {
	c := &Certifier{New: func(p sat.Proof) sat.Solver { return newTree(p) }}
	var want Count
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := c.NewSolver()
		pick := func() sat.Lit { return sat.Lit(2 + rng.IntN(2*4)) }
		for range 12 {
			s.AddClause(pick(), pick(), pick())
			status, err := s.Solve(t.Context(), pick(), pick())
			if err != nil {
				t.Fatal(err)
			}
			if status == sat.Sat {
				want.Sat++
			} else {
				want.Unsat++
			}
		}
	}
	got := c.Count()
	if want.Steps = got.Steps; got != want || got.Steps < got.Unsat || want.Sat < 100 || want.Unsat < 100 {
		t.Errorf("Count = %v, want %v", got, want)
	}
}

// A liar is a solver that changes what another one says.
type liar struct {
	sat.Solver
	lie sort
	p   sat.Proof
	n   int
}

type sort int

const (
	losesClause sort = iota
	saysUnsat
	saysSat
	badModel
	bothValues
	foreignCore
	emptyCore
	inventsInput
	sorts
)

func (s *liar) AddClause(ms ...sat.Lit) {
	if s.n++; s.lie != losesClause || s.n != 2 {
		s.Solver.AddClause(ms...)
	}
}

func (s *liar) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	if s.lie == inventsInput {
		s.p.Input(1000, []sat.Lit{assume[0].Not()})
		s.p.Learn(1001, []sat.Lit{assume[0].Not()}, []uint64{1000})
		return sat.Unsat, nil
	}
	status, err := s.Solver.Solve(ctx, assume...)
	switch s.lie {
	case saysUnsat:
		status = sat.Unsat
	case saysSat:
		status = sat.Sat
	}
	return status, err
}

func (s *liar) Value(m sat.Lit) bool {
	switch s.lie {
	case badModel:
		return !s.Solver.Value(m)
	case bothValues:
		return true
	}
	return s.Solver.Value(m)
}

func (s *liar) Core(dst []sat.Lit) []sat.Lit {
	switch s.lie {
	case foreignCore:
		return append(s.Solver.Core(dst), 100)
	case emptyCore:
		return dst
	}
	return s.Solver.Core(dst)
}

// TestUncertified checks that no lie passes.
func TestUncertified(t *testing.T) {
	consistent, not := []sat.Lit{2, 4}, []sat.Lit{2, 5}
	for lie, x := range [sorts]struct {
		ask  []sat.Lit
		want string
	}{
		losesClause:  {not, "the clause [-1 2] is not true in the model"},
		saysUnsat:    {consistent, "lrat: nothing is proved"},
		saysSat:      {not, "is not true in the model"},
		badModel:     {consistent, "the assumption 1 is not true in the model"},
		bothValues:   {consistent, "the assumption 1 is not true in the model"},
		foreignCore:  {not, "50 is in the core, but not assumed"},
		emptyCore:    {not, "lrat: the last clause has -1, which is not assumed to be false"},
		inventsInput: {consistent, "the proof is given [-1], which was not added"},
	} {
		c := &Certifier{New: func(p sat.Proof) sat.Solver { return &liar{newTree(p), sort(lie), p, 0} }}
		s := c.NewSolver()
		s.AddClause(2, 4, 6)
		s.AddClause(3, 4)
		status, err := s.Solve(t.Context(), x.ask...)
		if status != sat.Unknown || !errors.Is(err, ErrUncertified) || !strings.HasSuffix(err.Error(), x.want) {
			t.Errorf("lie %d: Solve = %v, %v, want unknown and %s", lie, status, err, x.want)
		}
		if again, err := s.Solve(t.Context()); again != sat.Unknown || !errors.Is(err, ErrUncertified) {
			t.Errorf("lie %d: then Solve = %v, %v", lie, again, err)
		}
	}
}

// TestCertifiedProof checks that the proof is passed on.
func TestCertifiedProof(t *testing.T) {
	var l list
	c := &Certifier{New: func(p sat.Proof) sat.Solver { return newTree(p) }, Proof: func() sat.Proof { return &l }}
	s := c.NewSolver()
	s.AddClause(2)
	s.AddClause(3)
	status, err := s.Solve(t.Context())
	if status != sat.Unsat || err != nil || !accepts(l, nil) {
		t.Errorf("Solve = %v, %v, with the proof %v", status, err, l)
	}
}

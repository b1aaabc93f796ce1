package model

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/slice/rank"
)

// This file holds the solver's side of a model: its failing and passing
// instances.

// A problem is a model with its solver, counterexamples and passing instances.
type problem struct {
	m   *rank.Model
	cfg rank.Config
	s   *relation.Solver
	sym relation.Gate

	fail, pass, facts relation.Formula // facts but not the assertion; facts and the run's predicate
	failing, fact     relation.Gate    // the first and the last as circuits
	ownBounds         bool             // the run has bounds of its own
	witnessed         bool             // the assertion is about sets: it fails for a witness

	counterexamples, passed []*relation.Instance
	cex, good               uint64 // the remembered ones, as in Solver.On
	calls                   int
}

func newProblem(ctx context.Context, m *rank.Model, cfg rank.Config) (*problem, error) {
	p := &problem{m: m, cfg: cfg}
	p.facts = m.Check.Premise()
	p.fail = &relation.Connective{Op: relation.And, Xs: []relation.Formula{p.facts, &relation.Not{X: m.Check.Goal}}}
	c := m.Passing()
	p.pass = &relation.Connective{Op: relation.And, Xs: []relation.Formula{c.Premise(), c.Goal}}
	p.ownBounds = !sameBounds(c.Bounds, m.Check.Bounds)
	err := p.translate(ctx, m.Check.Bounds)
	if errors.Is(err, relation.ErrHigherOrder) && m.Run != nil {
		b := m.Check.Bounds
		p.fail, b = relation.Skolemize(p.fail, b)
		if !p.ownBounds {
			p.pass, b = relation.Skolemize(p.pass, b)
		}
		p.witnessed = true
		err = p.translate(ctx, b)
	}
	return p, err
}

// translate makes the solver and its circuits.
func (p *problem) translate(ctx context.Context, b *relation.Bounds) (err error) {
	p.s = newSolver(ctx, b, p.cfg)
	p.sym = p.s.Symmetry(0)
	if p.failing, err = p.s.Gate(p.fail); err != nil {
		return err
	}
	p.fact, err = p.s.Gate(p.facts)
	return err
}

// sameBounds returns whether both bind the same relations in the same way.
func sameBounds(a, b *relation.Bounds) bool {
	if a == b {
		return true
	}
	if a.Universe.Len() != b.Universe.Len() || len(a.Relations()) != len(b.Relations()) {
		return false
	}
	if !slices.Equal(a.Sorts(), b.Sorts()) || a.Steps() != b.Steps() {
		return false
	}
	for _, r := range a.Relations() {
		if b.Upper(r) == nil || !a.Upper(r).Equal(b.Upper(r)) || !a.Lower(r).Equal(b.Lower(r)) {
			return false
		}
	}
	return true
}

// solve returns an instance of the gates, symmetric ones left out, or nil.
func (p *problem) solve(ctx context.Context, gs ...relation.Gate) (*relation.Instance, error) {
	p.calls++
	return solve(ctx, p.s, append(gs, p.sym)...)
}

// solve returns an instance of the gates, or nil.
func solve(ctx context.Context, s *relation.Solver, gs ...relation.Gate) (*relation.Instance, error) {
	switch status, err := s.Solve(ctx, gs...); status {
	case sat.Unknown:
		return nil, err
	case sat.Unsat:
		return nil, nil
	}
	return s.Instance(), nil
}

// Find returns an instance of f by a solver of cfg, or nil.
func Find(ctx context.Context, b *relation.Bounds, f relation.Formula, cfg Config) (*relation.Instance, error) {
	return relation.Find(ctx, b, f, engine(cfg.config()))
}

// engine returns a new solver.
func engine(cfg rank.Config) sat.Solver {
	if cfg.NewSolver == nil {
		return sat.Options{True: true, NoPlain: true}.New() // as package rank does
	}
	return cfg.NewSolver()
}

// newSolver returns a solver for formulas over b whose translation ends with ctx.
func newSolver(ctx context.Context, b *relation.Bounds, cfg rank.Config) *relation.Solver {
	s := relation.NewSolver(b, engine(cfg))
	s.StopWith(ctx)
	return s
}

package rank

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// This file holds the solver's side of a model: its failing and passing
// instances.

// ErrHolds says that there is nothing to explain: the check has no
// counterexample, and the run has an instance.
var ErrHolds = errors.New("rank: the check has no counterexample")

// A problem is a model with its solver, counterexamples and passing instances.
type problem struct {
	m   *Model
	s   *relation.Solver
	sym relation.Gate

	fail, pass, facts relation.Formula // facts but not the assertion; facts and the run's predicate
	failing, fact     relation.Gate    // the first and the last as circuits
	apart             bool             // the run has bounds of its own
	witnessed         bool             // the assertion is about sets: it fails for a witness

	cexs, goods []*relation.Instance
	cex, good   uint64 // the remembered ones, as in Solver.On
	calls       int
}

func newProblem(m *Model) (*problem, error) {
	p := &problem{m: m}
	p.facts = facts(&m.Check)
	p.fail = &relation.Connective{Op: relation.And, Xs: []relation.Formula{p.facts, &relation.Not{X: m.Check.Goal}}}
	c := goalOf(m)
	p.pass = &relation.Connective{Op: relation.And, Xs: []relation.Formula{facts(c), c.Goal}}
	p.apart = !sameBounds(c.Bounds, m.Check.Bounds)
	err := p.translate(m.Check.Bounds)
	if errors.Is(err, relation.ErrHigherOrder) && m.Run != nil {
		b := m.Check.Bounds
		p.fail, b = relation.Skolemize(p.fail, b)
		if !p.apart {
			p.pass, b = relation.Skolemize(p.pass, b)
		}
		p.witnessed = true
		err = p.translate(b)
	}
	return p, err
}

// translate makes the solver and its circuits.
func (p *problem) translate(b *relation.Bounds) (err error) {
	p.s = relation.NewSolver(b, sat.New())
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
	for _, r := range a.Relations() {
		if b.Upper(r) == nil || !a.Upper(r).Equal(b.Upper(r)) || !a.Lower(r).Equal(b.Lower(r)) {
			return false
		}
	}
	return true
}

// Recheck returns an instance of c's declarations and facts, changed by the
// repair, in which c's goal, changed as well, does not hold, or nil if there is
// none: c is the check in another scope.
func Recheck(ctx context.Context, c *Command, r Repair) (*relation.Instance, error) {
	f := &relation.Connective{Op: relation.And, Xs: []relation.Formula{facts(c), &relation.Not{X: c.Goal}}}
	return relation.Find(ctx, c.Bounds, r.Apply(f), sat.New())
}

// Apply returns f, a formula of the model, with the repair.
func (r Repair) Apply(f relation.Formula) relation.Formula {
	return relation.Replace(f, func(n relation.Node) relation.Node {
		if n == r.Old {
			return r.New
		}
		return nil
	}).(relation.Formula)
}

// facts returns what declarations and facts of a command say.
func facts(c *Command) relation.Formula {
	xs := append(append([]relation.Formula{}, c.Implicit...), c.Facts...)
	return &relation.Connective{Op: relation.And, Xs: xs}
}

// solve returns an instance of the gates, symmetric ones left out, or nil.
func (p *problem) solve(ctx context.Context, gs ...relation.Gate) (*relation.Instance, error) {
	p.calls++
	switch status, err := p.s.Solve(ctx, append(gs, p.sym)...); status {
	case sat.Unknown:
		return nil, err
	case sat.Unsat:
		return nil, nil
	}
	return p.s.Instance(), nil
}

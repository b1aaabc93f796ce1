package rank

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// This file holds the solver's side of a model: its failing and passing
// instances.

// ErrHolds says that the check has no counterexample.
var ErrHolds = errors.New("rank: the check has no counterexample")

// A problem is a model with its solver, counterexamples and passing instances.
type problem struct {
	m     *Model
	s     *relation.Solver
	sym   relation.Gate
	up    map[relation.Node][]relation.Node // operands to what holds them
	cexs  []*relation.Instance
	cex   uint64 // the remembered ones, as in Solver.On
	goods []*relation.Instance
	good  uint64
	calls int
}

func newProblem(m *Model) *problem {
	p := &problem{m: m, s: relation.NewSolver(m.Check.Bounds, sat.NewGini()), up: map[relation.Node][]relation.Node{}}
	p.sym = p.s.Symmetry(0)
	p.climb(m.Check.Goal)
	for _, f := range m.Check.Facts {
		p.climb(f)
	}
	if m.Run != nil {
		p.climb(m.Run.Goal)
	}
	return p
}

// climb notes what is above the nodes of a tree.
func (p *problem) climb(root relation.Node) {
	relation.Walk(root, func(n relation.Node) bool {
		for _, x := range relation.Children(n, nil) {
			if _, ok := x.(*relation.Var); !ok {
				p.up[x] = append(p.up[x], n)
			}
		}
		return true
	})
}

// A changer returns formulas with a node replaced.
type changer struct {
	old, new relation.Node
	above    map[relation.Node]bool
}

func (p *problem) change(old relation.Node) *changer {
	c := &changer{old: old, above: map[relation.Node]bool{}}
	var mark func(n relation.Node)
	mark = func(n relation.Node) {
		for _, x := range p.up[n] {
			if !c.above[x] {
				c.above[x] = true
				mark(x)
			}
		}
	}
	mark(old)
	return c
}

func (c *changer) apply(f relation.Formula) relation.Formula {
	if c == nil {
		return f
	}
	return relation.Replace(f, func(n relation.Node) relation.Node {
		switch {
		case n == c.old:
			return c.new
		case !c.above[n]:
			return n
		}
		return nil
	}).(relation.Formula)
}

// facts returns the circuit of a command's declarations and facts.
func (p *problem) facts(c *Command, ch *changer) (relation.Gate, error) {
	var gs []relation.Gate
	for _, f := range c.Implicit {
		g, err := p.s.Gate(f)
		if err != nil {
			return 0, err
		}
		gs = append(gs, g)
	}
	for _, f := range c.Facts {
		g, err := p.s.Gate(ch.apply(f))
		if err != nil {
			return 0, err
		}
		gs = append(gs, g)
	}
	return p.s.And(gs...), nil
}

// failing says that the facts hold and the assertion doesn't, passing that the
// facts and the run's predicate hold.
func (p *problem) failing(ch *changer) (relation.Gate, error) {
	f, err := p.facts(&p.m.Check, ch)
	if err != nil {
		return 0, err
	}
	a, err := p.s.Gate(ch.apply(p.m.Check.Goal))
	return p.s.And(f, a.Not()), err
}

func (p *problem) passing(ch *changer) (relation.Gate, error) {
	c := &p.m.Check
	if p.m.Run != nil {
		c = p.m.Run
	}
	f, err := p.facts(c, ch)
	if err != nil {
		return 0, err
	}
	a, err := p.s.Gate(ch.apply(c.Goal))
	return p.s.And(f, a), err
}

// refute returns an instance of g, symmetric ones left out, or nil.
func (p *problem) refute(ctx context.Context, g relation.Gate, more ...relation.Gate) (*relation.Instance, error) {
	p.calls++
	switch status, err := p.s.Solve(ctx, append(more, g, p.sym)...); status {
	case sat.Unknown:
		return nil, err
	case sat.Unsat:
		return nil, nil
	}
	return p.s.Instance(), nil
}

package cfa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/step"
)

// This file makes control-flow automata in which arrays are abstracted.

// NewAbstract returns a control-flow automaton of p as New does, but for arrays
// whose length is only known at run time: of these it knows no more elements
// than an assertion reads at once, at an index that is chosen once for each run
// (see [ssa.NewAbstractStepper]). If its words are infeasible, so are those of
// p, with arrays of any length; a feasible one says nothing about p.
func NewAbstract(p *ir.Program) (*Automaton, error) {
	var needed func() step.Watched
	b, err := flow(p, func(st *formula.Store) (s step.Stepper) {
		s, needed = ssa.NewAbstractStepper(st, p, step.Watched{})
		return s
	})
	if err != nil {
		return nil, err
	}
	if w := needed(); w.Elements > 0 {
		b, err = flow(p, func(st *formula.Store) step.Stepper {
			s, _ := ssa.NewAbstractStepper(st, p, w)
			return s
		})
		if err != nil {
			return nil, err
		}
	}
	c := b.finish()
	c.abstract = true
	return c, nil
}

// Allocates reports whether p has arrays whose length is only known at run
// time.
func Allocates(p *ir.Program) bool {
	found := false
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		_, ok := s.(*ir.Alloc)
		found = found || ok
	})
	return found
}

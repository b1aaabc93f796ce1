package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// An Input is a free choice of a run.
type Input struct {
	Choice ir.Choice
	Term   formula.Term // a variable, or a constant if the inputs are fixed
	Type   ir.Type      // scalar
	Name   string       // the variable's name, for people
}

// Inputs are the free choices that forms over one store have in common:
// equal choices are equal terms, so that several programs, or several
// bounds, can be compared on the same input.
type Inputs struct {
	st    *formula.Store
	index map[ir.Choice]int
	all   []Input
	given func(ir.Choice, ir.Type) formula.Term // nil if they are free
}

// NewInputs returns an empty set of inputs over st.
func NewInputs(st *formula.Store) *Inputs {
	return &Inputs{st: st, index: make(map[ir.Choice]int)}
}

// FixedInputs returns the inputs of the run on m: constants. Forms made with
// them are about that one run, and mostly fold away.
func FixedInputs(st *formula.Store, m Model) *Inputs {
	return GivenInputs(st, func(c ir.Choice, t ir.Type) formula.Term { return st.Const(ir.Width(t), m.Input(c)) })
}

// GivenInputs returns the inputs that have the values of the terms that given
// returns, which are as wide as the type.
func GivenInputs(st *formula.Store, given func(c ir.Choice, t ir.Type) formula.Term) *Inputs {
	in := NewInputs(st)
	in.given = given
	return in
}

// All returns the inputs in the order in which they were first read. The
// caller must not modify the result.
func (in *Inputs) All() []Input { return in.all }

// Term returns the term of choice c, and whether any form reads it.
func (in *Inputs) Term(c ir.Choice) (formula.Term, bool) {
	i, ok := in.index[c]
	if !ok {
		return 0, false
	}
	return in.all[i].Term, true
}

// Choice returns the term of c, whose value is of scalar type t, and makes
// it an input if it is none. The name is for people.
func (in *Inputs) Choice(c ir.Choice, t ir.Type, name string) formula.Term { return in.get(c, t, name) }

// get returns the term of choice c, whose value is of scalar type t.
func (in *Inputs) get(c ir.Choice, t ir.Type, name string) formula.Term {
	if i, ok := in.index[c]; ok {
		return in.all[i].Term
	}
	var x formula.Term
	if in.given != nil {
		x = in.given(c, t)
	} else {
		x = in.st.Var(ir.Width(t), name)
	}
	in.index[c] = len(in.all)
	in.all = append(in.all, Input{Choice: c, Term: x, Type: t, Name: name})
	return x
}

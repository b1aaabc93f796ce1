package cfa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/step"
)

// This file defines control-flow automata.

// An Automaton is the control-flow automaton of a program: its words are the
// traces of statements from the start to a violated assertion or check. It
// accepts by its one final state, Error, which has no edges.
type Automaton struct {
	Store   *formula.Store
	Vars    []Var
	Letters []*Letter
	Start   int
	Error   int
	Edges   [][]Edge // by state

	// Begin holds, by state, the statements that begin there. A loop begins
	// where its condition is tested, or with its body if that comes first. A
	// statement has a state for each copy that inlining makes. Of those in Open
	// some copy has none: the error can't be reached from it, or it is in the
	// middle of a block.
	Begin [][]ir.Stmt
	Open  map[ir.Stmt]bool

	printer *formula.Printer
	byText  map[string]int
	initial []input // the variables that are free at Start

	abstract   bool       // see Abstract
	statements *Automaton // what the letters are blocks of; nil if they are statements
}

// An Edge reads a letter.
type Edge struct {
	Letter int
	To     int

	// Cut says that the edge is to Error because an array is longer than its
	// type allows. That is no violation, but no proof either.
	Cut bool

	path   []pathOp // what happens to the path of the run
	inputs []input  // of the letter's Havoc, in its order
	block  *block   // that the letter is, or nil
}

// An input says which choice of the program, but for its path, the value of
// a variable is.
type input struct {
	of  ir.Choice
	v   int
	typ ir.Type
}

// A pathOp changes the unwinding and inlining path of a run: the path is cut
// to depth steps, then next counts up the last one, or key is added.
type pathOp struct {
	depth int
	next  bool
	key   ir.LocID
	loop  bool
}

// New returns the control-flow automaton of p, which must be well-formed:
// calls inlined, with fresh free locals at every entry; arrays and checks
// lowered by package ssa; each edge one letter. Its size is linear in the
// program with its calls inlined. The error is an *ir.UnsupportedError, for
// recursion and threads.
func New(p *ir.Program) (*Automaton, error) {
	b, err := flow(p, func(st *formula.Store) step.Stepper { return ssa.NewStepper(st, p) })
	if err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// Abstract reports whether c was made by NewAbstract, or is of blocks of such a
// one.
func (c *Automaton) Abstract() bool {
	return c.abstract || c.statements != nil && c.statements.Abstract()
}

// OfBlocks reports whether c's letters are blocks.
func (c *Automaton) OfBlocks() bool { return c.statements != nil }

// Letter returns the number of the letter that has a text, if one has.
func (c *Automaton) Letter(text string) (l int, ok bool) {
	l, ok = c.byText[text]
	return l, ok
}

// Text returns the text of a term over the variables of c, which
// Store.Parse reads back with those that Names returns, unless it is a digest.
func (c *Automaton) Text(x formula.Term) string { return c.printer.Text(x) }

// Shared is Text in a form that can be read back however large x is.
func (c *Automaton) Shared(x formula.Term) string { return c.printer.Shared(x) }

// Names returns the variables by name.
func (c *Automaton) Names() map[string]formula.Term {
	vars := make(map[string]formula.Term, len(c.Vars))
	for _, v := range c.Vars {
		vars[v.Name] = v.Term
	}
	return vars
}

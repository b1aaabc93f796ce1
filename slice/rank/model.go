package rank

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// A Config says how to search. The zero value works.
type Config struct {
	// NewSolver makes the solvers of a search, which uses several one after
	// another; nil means the engine of sat.New that tries true first.
	NewSolver func() sat.Solver
}

func (c Config) engine() sat.Solver {
	if c.NewSolver == nil {
		return rich()
	}
	return c.NewSolver()
}

// rich returns an engine whose instances hold more tuples rather than fewer:
// they tell more about a fault. Of 76 models 68 have a hit at rank 1 and 56 the
// guilty expression in the first five, instead of 67 and 54.
func rich() sat.Solver { return sat.Options{True: true, NoPlain: true}.New() }

// solver returns a solver for formulas over b whose translation ends with ctx.
func (c Config) solver(ctx context.Context, b *relation.Bounds) *relation.Solver {
	s := relation.NewSolver(b, c.engine())
	s.StopWith(ctx)
	return s
}

// A Model is a declarative model with a failing check: what a front end such as
// ir/alloy makes of one, without its syntax.
//
// The formulas of both commands share relations, facts and the bodies of
// predicates and functions: a body is one node however many calls there are,
// each of them a let around it, so that a changed body is changed in all calls.
type Model struct {
	Sigs   []Sig
	Fields []Field
	Units  []Unit // paragraphs that may be at fault
	Nodes  []Node // their nodes, in source order, outer before inner
	Check  Command
	Run    *Command // nil if there is none: any instance of the facts will do
	Others []Question

	// Parts are what the check's goal is the conjunction of, in the order in which
	// to mend them; nil if there is no such order.
	Parts []relation.Formula
}

// Below reports whether node i is node k or inside it.
func (m *Model) Below(i, k int) bool {
	for i >= 0 && i != k {
		i = m.Nodes[i].Parent
	}
	return i == k
}

// A Sig is a set of atoms that the model declares.
type Sig struct {
	Name     string
	Relation *relation.Relation
	Parent   int // index in Sigs, -1 for a top-level one
}

// A Field is a relation that the model declares in a Sig, its first column.
type Field struct {
	Name     string
	Sig      int // index in Sigs
	Relation *relation.Relation
}

// A UnitKind is what a paragraph is.
type UnitKind uint8

const (
	Fact      UnitKind = iota // a fact of the model
	Predicate                 // counts only where it is called
	Function                  // likewise
)

// A Unit is a paragraph of the model.
type Unit struct {
	Kind   UnitKind
	Name   string
	Params []relation.Decl
	Body   relation.Node // the conjunction of a block is one Connective, also of one or no formula
	Oracle bool          // says what is wanted: no repair copies or calls it
}

// A Node is an expression or formula of a Unit as it is written.
type Node struct {
	Rel    relation.Node // its translation, which no other Node of the model is; hence no Relation, Var or Const
	Unit   int           // index in Units
	Parent int           // index in Nodes, -1 for the outermost of a Unit
	Where  string        // position, for people
	Text   string        // the source, or a canonical form of it
	Call   bool          // of a predicate or function: Rel is a let around its body
	Hard   bool          // must not change, nor anything in it: it is never at fault
}

// A Command asks for an instance within bounds.
type Command struct {
	Bounds   *relation.Bounds
	Implicit []relation.Formula // what declarations say: never at fault
	Facts    []relation.Formula // the bodies of Units that are facts
	Goal     relation.Formula   // of a check: the assertion, which should hold; of a run: the predicate
}

// Premise returns what c's declarations and facts say.
func (c *Command) Premise() relation.Formula {
	return &relation.Connective{Op: relation.And, Xs: slices.Concat(c.Implicit, c.Facts)}
}

// Passing returns the command whose instances pass: the run, or without one the
// check, where its goal holds.
func (m *Model) Passing() *Command {
	if m.Run != nil {
		return m.Run
	}
	return &m.Check
}

// A Question is another command of the model. One whose answer is as wanted must
// keep it after a repair; one that is not may stay so.
type Question struct {
	Bounds  *relation.Bounds
	Formula relation.Formula // of a check: declarations and facts but not the assertion
	Want    bool             // whether it should have an instance
	Must    bool             // it must be as wanted after a repair, also if it is not
	Implied bool             // the check's goal says so, nearly: to be asked of what is written only
}

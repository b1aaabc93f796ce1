// Package step translates the statements of a program one by one, each to what
// it does to the state, for analyses that follow the control flow themselves and
// unwind nothing: package incremental. ssa.NewStepper makes a [Stepper].
package step

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A Stepper translates statements of one program. It lowers arrays, checks and
// calls exactly as ssa.Build does.
//
// The state is a list of scalar variables: see Scalar. One activation of each
// procedure has a place in it, so that recursion can't be told from a new
// activation: the caller must refuse it.
type Stepper interface {
	// Vars returns the variables of the state. Calls may add some: those for
	// offsets into arrays that are passed. The caller must not modify the result.
	Vars() []Scalar

	// Init returns the frame of the program's Init, and Entry that of its entry.
	Init() Frame
	Entry() Frame

	// Zero returns what makes all of v, a global, zero.
	Zero(v *ir.Var) *Effect

	// Locals returns the variables of f that are free at an entry, and what an
	// entry sets.
	Locals(f *ir.Proc) (free []int, sets []Set)

	// Step translates x, executed in a frame: an Assign, Havoc, Alloc, Assume,
	// Assert or Return, or the condition of an If or Loop. The error is an
	// *ir.UnsupportedError.
	Step(fr Frame, x ir.Stmt) (*Effect, error)

	// Call translates the arguments of x, a call made in a frame. It returns the
	// frame of the callee too.
	Call(fr Frame, x *ir.Call) (*Effect, Frame, error)

	// Return translates how the results of x, a call made in frame fr, are stored
	// when callee, its frame, is left.
	Return(fr, callee Frame, x *ir.Call) (*Effect, error)
}

// A Frame is a procedure as one call activates it, of one Stepper.
type Frame int

// A Part says what of a variable a Scalar is.
type Part uint8

const (
	PartValue   Part = iota // the value of a scalar or element
	PartLength              // the length of an array that an Alloc made
	PartOffset              // where, in the array passed, an array parameter begins
	PartValid               // whether that is in bounds
	PartWatched             // the value of the element at the Elem-th index that is watched
	PartIndex               // the first of these indices; Var is no variable of the program
)

// A Scalar is a variable of the state.
type Scalar struct {
	Term formula.Term // a variable: the value before a statement
	Var  *ir.Var
	Proc *ir.Proc // whose variable it is; nil for globals
	Part Part
	Elem int     // flat index, for PartValue
	Type ir.Type // scalar
}

// A Watched says which elements of the arrays whose length is only known at run
// time are in the state of an abstract Stepper: none, one at some index, or
// another Apart from it, too.
type Watched struct {
	Elements int
	Apart    uint64 // modulo 2^32
}

// A Set is an assignment to the i-th variable of the state.
type Set struct {
	Var   int
	Value formula.Term
}

// An Input is a free choice that a statement makes.
type Input struct {
	Choice ir.Choice // its path is empty
	Term   formula.Term
	Type   ir.Type // scalar
}

// A Claim is an assertion or check.
type Claim struct {
	Kind     ir.Kind
	Site     ir.SiteID // the checked operation; 0 for an assertion
	Violated formula.Term
}

// An Effect is what a statement does, over the state before it and Inputs.
type Effect struct {
	Inputs []Input
	Claims []Claim      // where none is violated, the statement is executed
	Pass   formula.Term // assumptions: where it is false, the run stops
	Cut    formula.Term // where it holds, an Alloc is too large
	Value  formula.Term // the condition of an If or Loop
	Sets   []Set        // simultaneous; others keep their values
}

package mutate

import (
	"fmt"
	"iter"

	"github.com/go-amend/amend/ir"
)

// This file says what an operator is: what plug-ins implement.

// An Operator is a part of a repair scheme: a rule that says what may take
// the place of an expression. Operators are values that callers may write.
type Operator struct {
	// Name identifies the operator in results. It must be unique in a
	// scheme and not empty.
	Name string

	// Doc says what the operator does, in a sentence.
	Doc string

	// On says at which sites Apply is called; the zero value means
	// expressions of the program. If it isn't that, the search adds
	// statements to the program that do nothing until they are changed.
	On Role

	// Cost orders the repairs of one size: those that cost less come
	// first. Changes of an operator or constant cost 0.
	Cost int

	// Apply yields the alternatives at a site. It must be pure: for the
	// same site the same alternatives in the same order, and for copies of
	// one site as many. An alternative has the type of the expression that
	// it replaces, and the types in it are those that ir.Check wants. It may
	// reuse that expression and its operands, by pointer: of the expression
	// itself it gets a copy. Nodes that it makes have no SiteID; those of
	// other sites are copied. Every alternative is looked at: what is wrong
	// with one, or a panic, ends the search with an *OperatorError.
	Apply func(s Site) iter.Seq[Alternative]

	// Plan, instead of On and Apply, says what the operator changes if that
	// isn't seen at one site: the changes of the Plan with the operator's name.
	Plan *Plan
}

// role returns the role of the sites that op is about.
func (op *Operator) role() Role {
	if op.Plan != nil {
		return inPlan
	}
	return op.On
}

// A Site is one occurrence of an expression that may be replaced.
type Site struct {
	ID   ir.SiteID
	Expr ir.Expr
	Stmt ir.Stmt
	Proc *ir.Proc // nil in the initializers of globals

	// Syntax is that of the source. C has no arithmetic on less than 32 bits,
	// says its Computes.
	Syntax ir.Syntax

	// Checks are what the program checks. An element out of range, and a quotient
	// by zero, is a choice unless that is checked: a copy of it is another one.
	Checks ir.Checks

	// Parent is the expression of which Expr is an operand; nil if Expr is
	// one of the statement's own.
	Parent ir.Expr

	// InScope are the scalar variables that can be named here and that
	// have been given a value: see ir.Program.InScope.
	InScope []*ir.Var

	// Assigned are the operations on variables and constants that the
	// procedure assigns somewhere, for an Insertion.
	Assigned []ir.Expr
}

// An Alternative is an expression that may take the place of another.
type Alternative struct {
	Expr ir.Expr

	// Holes are the constants in Expr that are to be found. An alternative
	// is one change, whatever their values. Each alternative of each call
	// of Apply has holes of its own; those of copies of one site correspond
	// by their order.
	Holes []Hole

	// Also are other sites that the same change sets: it is one change
	// however many sites it takes. Two alternatives of a repair may set one
	// site if they set it to the same.
	Also []Setting

	// Cost is added to that of the operator.
	Cost int
}

// A Setting replaces the expression at a site.
type Setting struct {
	Site ir.SiteID

	// Expr returns what takes the place of an occurrence of the site, by the
	// rules for what Apply yields. It may hold holes of the alternative.
	Expr func(old ir.Expr) ir.Expr
}

// A Hole is a symbolic constant of an alternative.
type Hole struct {
	// Var stands for the constant in Expr. NewHole makes one.
	Var *ir.Var

	// Low and High bound the value, both included, in the signed or
	// unsigned order of its type; both 0 means all values of the type.
	Low, High int64

	// Not are values that it must not take: those that would change
	// nothing, or that another alternative has.
	Not []uint64

	choice bool // by Choose: no constant of the source

	// Prefer are values to report rather than others, the best first. The
	// constants of the program come next, then what is simple in itself:
	// 0, 1, -1, powers of two, the bounds of the type; then what is closest
	// to 0.
	Prefer []uint64
}

// A Component yields expressions that a scheme may make others of, such as
// scheme.Synthesis: what can be said at a site besides what is in scope.
type Component struct {
	Name string

	// Apply is pure, as an Operator's is. Its expressions are scalar, and have
	// no effects and no holes.
	Apply func(s Site) iter.Seq[ir.Expr]
}

// NewHole returns a hole of type t, which is scalar.
func NewHole(t ir.Type) Hole {
	return Hole{Var: &ir.Var{Name: "hole", Type: t, Kind: ir.Hole}}
}

// Use returns the expression that stands for h's value.
func (h Hole) Use() ir.Expr { return &ir.Use{Var: h.Var} }

// Validate reports the first operator that a search can't use.
func Validate(ops []*Operator) error {
	seen := make(map[string]bool)
	for _, op := range ops {
		switch {
		case op == nil:
			return fmt.Errorf("mutate: nil operator")
		case op.Name == "":
			return fmt.Errorf("mutate: operator without a name")
		case op.Plan == nil && op.Apply == nil:
			return fmt.Errorf("mutate: operator %s has no Apply", op.Name)
		case op.Plan != nil && (op.Apply != nil || op.Plan.Make == nil):
			return fmt.Errorf("mutate: operator %s has Apply besides a Plan, or one without Make", op.Name)
		case seen[op.Name]:
			return fmt.Errorf("mutate: two operators named %s", op.Name)
		}
		seen[op.Name] = true
	}
	return nil
}

package relation

// This file holds the syntax tree.

// A Node is a node of a syntax tree: an Expr, an Int or a Formula.
//
// A node's identity is its pointer: Replace, Walk and whoever keeps facts about
// nodes use it as the key. Nodes must not change once they are used. One node
// may occur at many places; a called function or predicate is a Let around its
// body, so that all its calls share one body, and replacing a node of the body
// replaces it in all calls.
type Node interface{ node() }

// An Expr denotes a set of tuples. Implemented by *Relation, *Var, *Const,
// *ConstSet, *Unary, *Binary, *Comprehension, *IfExpr, *LetExpr, *IntSet, *Prime
// and *AnyExpr.
type Expr interface {
	Node
	Arity() int // 1 to 4
	expr()
}

// An Int denotes an integer in two's complement of the problem's bit width.
// Implemented by *IntConst, *Card, *Sum, *IntUnary, *IntBinary, *SumOver, *IfInt,
// *LetInt and *AnyInt.
type Int interface {
	Node
	intExpr()
}

// A Formula denotes a truth value. Implemented by *Bool, *Compare, *IntCompare,
// *Mult, *Disjoint, *Not, *Connective, *IfFormula, *Quant, *LetFormula, *Temporal
// and *AnyFormula.
type Formula interface {
	Node
	formula()
}

// A Relation is a free relation; Bounds say which tuples it may hold. The name
// is for people only.
type Relation struct {
	Name  string
	Width int // number of columns
}

// A Var is a variable of a quantifier, comprehension or let. Occurrences are
// the same pointer as the binding. The name is for people only. A variable may
// be bound at many places, also in its own scope (the inner binding counts).
type Var struct {
	Name  string
	Width int
}

// A ConstOp is a constant relation.
type ConstOp uint8

const (
	Univ  ConstOp = iota // all atoms that an instance has: see Bounds.SetSorts
	Iden                 // each atom of Univ with itself
	None                 // no tuple; of arity 1
	Ints                 // all atoms that stand for integers
	Atoms                // all atoms of the universe, also those that Univ lacks
)

// A Const is one of the constant relations.
type Const struct{ Op ConstOp }

// A ConstSet is a constant set of tuples.
type ConstSet struct{ Set *Set }

// A UnaryOp is an operator of Unary.
type UnaryOp uint8

const (
	Transpose        UnaryOp = iota // ~x
	Closure                         // ^x
	ReflexiveClosure                // *x, ^x and Iden
)

// A Unary applies an operator to a binary relation.
type Unary struct {
	Op UnaryOp
	X  Expr
}

// A BinaryOp is an operator of Binary.
type BinaryOp uint8

const (
	Union       BinaryOp = iota // x + y
	Intersect                   // x & y
	Difference                  // x - y
	Join                        // x . y
	Product                     // x -> y
	Override                    // x ++ y
	DomRestrict                 // x <: y, x a set
	RanRestrict                 // x :> y, y a set
)

// A Binary applies an operator to two expressions, whose arities must fit.
type Binary struct {
	Op   BinaryOp
	X, Y Expr
}

// A Comprehension {decls | body} denotes the tuples of its variables' values
// for which the body holds. All its variables are scalars: of arity 1 and with
// the multiplicity OneOf.
type Comprehension struct {
	Decls []Decl
	Body  Formula
}

// An IfExpr is Then where Cond holds, else Else.
type IfExpr struct {
	Cond       Formula
	Then, Else Expr
}

// A LetExpr is Body, with Vars bound to Values, whose variables are those outside.
// In a trace values are taken by name: in the state where the variable occurs.
type LetExpr struct {
	Vars   []*Var
	Values []Expr
	Body   Expr
}

// An IntSet is the set of the one atom that stands for X.
type IntSet struct{ X Int }

// A Prime is X in the next state.
type Prime struct{ X Expr }

// An AnyExpr is an arbitrary set of tuples, of those that Upper may hold: for
// each binding of the variables that occur in Upper or Over another one. The
// evaluator can't tell its value.
type AnyExpr struct {
	Upper Expr
	Over  Node // or nil
}

// An IntConst is a constant, wrapped around to the bit width.
type IntConst struct{ Value int }

// A Card is the number of tuples of X, wrapped around to the bit width.
type Card struct{ X Expr }

// A Sum is the sum of the integers that X's atoms stand for, wrapped around.
// X has arity 1; atoms that stand for none count as 0.
type Sum struct{ X Expr }

// An IntUnaryOp is an operator of IntUnary.
type IntUnaryOp uint8

const (
	Negate IntUnaryOp = iota
	Signum            // -1, 0 or 1
)

// An IntUnary applies an operator to an integer.
type IntUnary struct {
	Op IntUnaryOp
	X  Int
}

// An IntBinaryOp is an operator of IntBinary.
type IntBinaryOp uint8

const (
	Plus IntBinaryOp = iota
	Minus
	Times
	Divide     // toward zero; by zero 1 of what is negative, -1 of what is positive
	Remainder  // with the sign of X; by zero X
	ShiftLeft  // by the low bits of Y that can count the width
	ShiftRight // likewise, filled with the sign
	ShiftZero  // likewise, filled with zeros
)

// An IntBinary applies an operator to two integers, and wraps around.
type IntBinary struct {
	Op   IntBinaryOp
	X, Y Int
}

// A SumOver is the sum of X for all bindings of its variables, which are scalars,
// wrapped around.
type SumOver struct {
	Decls []Decl
	Body  Int
}

// An IfInt is Then where Cond holds, else Else.
type IfInt struct {
	Cond       Formula
	Then, Else Int
}

// A LetInt is Body, with Vars bound to Values, which are evaluated outside.
type LetInt struct {
	Vars   []*Var
	Values []Expr
	Body   Int
}

// An AnyInt is an arbitrary integer: for each binding of the variables that
// occur in Over another one. The evaluator can't tell its value.
type AnyInt struct{ Over Node } // or nil

// A Bool is a constant.
type Bool struct{ Value bool }

// A CompareOp is an operator of Compare.
type CompareOp uint8

const (
	In CompareOp = iota
	NotIn
	Equal
	NotEqual
)

// A Compare compares two expressions of equal arity.
type Compare struct {
	Op   CompareOp
	X, Y Expr
}

// An IntCompareOp is an operator of IntCompare.
type IntCompareOp uint8

const (
	IntEqual IntCompareOp = iota
	IntNotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
)

// An IntCompare compares two integers.
type IntCompare struct {
	Op   IntCompareOp
	X, Y Int
}

// A MultOp is a multiplicity of an expression.
type MultOp uint8

const (
	NoOf   MultOp = iota // no tuple
	SomeOf               // at least one
	LoneOf               // at most one
	OneOf                // exactly one
	SetOf                // any number
)

// A Mult says how many tuples X holds.
type Mult struct {
	Op MultOp
	X  Expr
}

// A Disjoint says that no two of Xs, of equal arity, have a tuple in common.
type Disjoint struct{ Xs []Expr }

// A Not is a negation.
type Not struct{ X Formula }

// A ConnectiveOp is an operator of Connective.
type ConnectiveOp uint8

const (
	And     ConnectiveOp = iota // of none: true
	Or                          // of none: false
	Implies                     // of two
	Iff                         // of two
)

// A Connective joins formulas.
type Connective struct {
	Op ConnectiveOp
	Xs []Formula
}

// An IfFormula is Then where Cond holds, else Else.
type IfFormula struct{ Cond, Then, Else Formula }

// A QuantOp is a quantifier.
type QuantOp uint8

const (
	All QuantOp = iota
	Some
	No
	Lone // at most one binding
	One  // exactly one binding
)

// A Decl declares variables that range over subsets of Bound: with OneOf over
// its single tuples, else over sets of tuples of that multiplicity, which only
// quantifiers have that Skolemize can remove. With Disj their values have no
// tuple in common. Bound may use the variables of earlier Decls.
type Decl struct {
	Vars  []*Var
	Disj  bool
	Mult  MultOp
	Bound Expr
}

// A Quant counts the bindings of its variables for which Body holds.
type Quant struct {
	Op    QuantOp
	Decls []Decl
	Body  Formula
}

// A LetFormula is Body, with Vars bound to Values, which are evaluated outside.
type LetFormula struct {
	Vars   []*Var
	Values []Expr
	Body   Formula
}

// A TemporalOp is an operator of Temporal.
type TemporalOp uint8

const (
	Always     TemporalOp = iota // now and ever after
	Eventually                   // now or at some time after
	After                        // in the next state
	Until                        // the second eventually, the first up to then
	Releases                     // the second up to and including when the first holds, or always
	Historically
	Once
	Before    // in the state before, of which the first has none
	Since     // the second once, the first ever since
	Triggered // the second ever since the first held, or always before
)

// A Temporal says of the states of a trace what its operator does of its one or
// two operands.
type Temporal struct {
	Op TemporalOp
	Xs []Formula
}

// An AnyFormula is an arbitrary truth value: for each binding of the variables
// that occur in Over another one. The evaluator can't tell its value.
type AnyFormula struct{ Over Node } // or nil

func (x *Relation) Arity() int      { return x.Width }
func (x *Var) Arity() int           { return x.Width }
func (x *ConstSet) Arity() int      { return x.Set.Arity() }
func (x *Unary) Arity() int         { return 2 }
func (x *Comprehension) Arity() int { return numVars(x.Decls) }
func (x *IfExpr) Arity() int        { return x.Then.Arity() }
func (x *LetExpr) Arity() int       { return x.Body.Arity() }
func (x *IntSet) Arity() int        { return 1 }
func (x *Prime) Arity() int         { return x.X.Arity() }
func (x *AnyExpr) Arity() int       { return x.Upper.Arity() }

func (x *Const) Arity() int {
	if x.Op == Iden {
		return 2
	}
	return 1
}

func (x *Binary) Arity() int {
	switch x.Op {
	case Join:
		return x.X.Arity() + x.Y.Arity() - 2
	case Product:
		return x.X.Arity() + x.Y.Arity()
	case DomRestrict:
		return x.Y.Arity()
	}
	return x.X.Arity()
}

func numVars(ds []Decl) int {
	n := 0
	for _, d := range ds {
		n += len(d.Vars)
	}
	return n
}

func (*Relation) node()      {}
func (*Var) node()           {}
func (*Const) node()         {}
func (*ConstSet) node()      {}
func (*Unary) node()         {}
func (*Binary) node()        {}
func (*Comprehension) node() {}
func (*IfExpr) node()        {}
func (*LetExpr) node()       {}
func (*IntSet) node()        {}
func (*Prime) node()         {}
func (*Temporal) node()      {}
func (*AnyExpr) node()       {}
func (*IntConst) node()      {}
func (*Card) node()          {}
func (*Sum) node()           {}
func (*IntUnary) node()      {}
func (*IntBinary) node()     {}
func (*SumOver) node()       {}
func (*IfInt) node()         {}
func (*LetInt) node()        {}
func (*AnyInt) node()        {}
func (*Bool) node()          {}
func (*Compare) node()       {}
func (*IntCompare) node()    {}
func (*Mult) node()          {}
func (*Disjoint) node()      {}
func (*Not) node()           {}
func (*Connective) node()    {}
func (*IfFormula) node()     {}
func (*Quant) node()         {}
func (*LetFormula) node()    {}
func (*AnyFormula) node()    {}

func (*Relation) expr()      {}
func (*Var) expr()           {}
func (*Const) expr()         {}
func (*ConstSet) expr()      {}
func (*Unary) expr()         {}
func (*Binary) expr()        {}
func (*Comprehension) expr() {}
func (*IfExpr) expr()        {}
func (*LetExpr) expr()       {}
func (*IntSet) expr()        {}
func (*Prime) expr()         {}
func (*AnyExpr) expr()       {}

func (*IntConst) intExpr()  {}
func (*Card) intExpr()      {}
func (*Sum) intExpr()       {}
func (*IntUnary) intExpr()  {}
func (*IntBinary) intExpr() {}
func (*SumOver) intExpr()   {}
func (*IfInt) intExpr()     {}
func (*LetInt) intExpr()    {}
func (*AnyInt) intExpr()    {}

func (*Bool) formula()       {}
func (*Compare) formula()    {}
func (*IntCompare) formula() {}
func (*Mult) formula()       {}
func (*Disjoint) formula()   {}
func (*Not) formula()        {}
func (*Connective) formula() {}
func (*IfFormula) formula()  {}
func (*Quant) formula()      {}
func (*LetFormula) formula() {}
func (*Temporal) formula()   {}
func (*AnyFormula) formula() {}

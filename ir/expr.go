package ir

// An Expr is an expression without side effects. The implementations are
// *Use, *Const, *Unary, *Binary, *Cond, *Index, *Convert, *Math and, for threads,
// *Self, *Ended and *Any.
type Expr interface {
	// Type returns the expression's type.
	Type() Type

	// Span returns the source text of the expression, without parentheses
	// around it.
	Span() Span

	// Site returns the place that a repair may change here, or 0.
	Site() SiteID

	// Operands appends the addresses of the operands to dst, in the order
	// of their evaluation. Callers may rewrite in place.
	Operands(dst []*Expr) []*Expr

	expr() *ExprInfo
}

// ExprInfo is what all expressions have.
type ExprInfo struct {
	ID     SiteID
	Around Around
	Pos    Span
}

// Around says whether parentheses are around an expression, where the text
// around its own doesn't: that of an argument of a macro.
type Around uint8

const (
	AsWritten Around = iota
	NoParentheses
	Parentheses
)

// ExprOf returns what all expressions have, of e.
func ExprOf(e Expr) *ExprInfo { return e.expr() }

func (e *ExprInfo) Span() Span      { return e.Pos }
func (e *ExprInfo) Site() SiteID    { return e.ID }
func (e *ExprInfo) expr() *ExprInfo { return e }

// Use is the value of a variable, or the array itself.
type Use struct {
	ExprInfo
	Var *Var
}

// Const is a constant of scalar type. Val holds its bits, zero-extended.
type Const struct {
	ExprInfo
	Val uint64
	Typ Type
}

// Op is an operator.
type Op uint8

const (
	OpInvalid Op = iota

	// Unary.
	Not   // of Bool
	Neg   // of a number
	Compl // of an integer, bit by bit

	// Binary, of two integers of one type, which is the result's type too;
	// the first four also of two Floats, without a choice.
	Add
	Sub
	Mul
	Div // truncated; x/0 is a free choice, and min/-1 is min
	Rem // x - x/y*y; x%0 is a free choice
	And
	Or
	Xor

	// Binary, of two integers; the left one's type is the result's. The
	// count is the right operand's value; counts that are negative or not
	// below the width shift all bits out.
	Shl
	Shr // arithmetic if the left operand is signed

	// Binary, of two numbers of one type or two Bool; the result is Bool.
	Eq
	Ne

	// Binary, of two numbers of one type; the result is Bool.
	Lt
	Le
	Gt
	Ge

	// Binary, of two Bool; the right operand is evaluated only if the left
	// one doesn't decide. The result is Bool.
	LAnd
	LOr

	numOps
)

// Form says how a Binary is written in the source.
type Form uint8

const (
	Infix    Form = iota // x + y
	Compound             // x += y, as the statement x = x + y
	Prefix               // ++x
	Postfix              // x++
)

// Unary applies Op, one of Not, Neg, Compl.
type Unary struct {
	ExprInfo
	Op Op
	X  Expr
}

// Binary applies Op, one of the binary operators.
//
// With a Form other than Infix its span is that of the whole compound
// assignment or increment; Value then says that the source uses its value, and
// Pointer that X is a pointer there, which is moved forwards or backwards.
type Binary struct {
	ExprInfo
	Op      Op
	X, Y    Expr
	Form    Form
	Value   bool
	Pointer bool
}

// Cond is X where C holds and Y elsewhere; only that one is evaluated.
type Cond struct {
	ExprInfo
	C, X, Y Expr
}

// Index is an element of X, a Use or Index of array type. I is an integer,
// read as a number by its own type.
type Index struct {
	ExprInfo
	X, I Expr
}

// Convert converts X to a scalar type: an integer to Bool by comparing it
// with 0, Bool to 0 or 1, and integers modulo 2^width, by X's sign. A Float
// that an integer cannot hold, its fraction dropped, becomes what compilers for
// x86-64 make of it: the low bits of -2^31, or of -2^63 for types of more than
// 32 bits and u32, unless the number fits i32, or i64; of what is 2^63 or more,
// 0 as u64.
//
// Explicit says that the source has a cast. Bits says that the bits of X
// are kept, as those of an integer or Float of the same width.
type Convert struct {
	ExprInfo
	To       Type
	X        Expr
	Explicit bool
	Bits     bool
}

// Self is the number of the thread that evaluates it, an Int of 32 bits.
type Self struct{ ExprInfo }

// Ended is the proposition that the thread numbered Thread, an integer, was
// started and has ended.
type Ended struct {
	ExprInfo
	Thread Expr
}

// Any is a free choice of scalar type Typ: one for each copy of the
// statement, however often a Guard that holds it is tried.
//
// With Wake set, Typ is Bool and the choice is that of a spurious wakeup. It
// is false where spurious wakeups are ruled out.
type Any struct {
	ExprInfo
	Typ  Type
	Wake bool
}

func (e *Use) Type() Type     { return e.Var.Type }
func (e *Const) Type() Type   { return e.Typ }
func (e *Unary) Type() Type   { return e.X.Type() }
func (e *Cond) Type() Type    { return e.X.Type() }
func (e *Convert) Type() Type { return e.To }
func (e *Index) Type() Type   { return e.X.Type().(Array).Elem }
func (e *Self) Type() Type    { return Int{Width: 32, Signed: true} }
func (e *Ended) Type() Type   { return Bool{} }
func (e *Any) Type() Type     { return e.Typ }
func (e *Binary) Type() Type {
	if e.Op.Relational() || e.Op == LAnd || e.Op == LOr {
		return Bool{}
	}
	return e.X.Type()
}

func (e *Use) Operands(dst []*Expr) []*Expr     { return dst }
func (e *Const) Operands(dst []*Expr) []*Expr   { return dst }
func (e *Unary) Operands(dst []*Expr) []*Expr   { return append(dst, &e.X) }
func (e *Binary) Operands(dst []*Expr) []*Expr  { return append(dst, &e.X, &e.Y) }
func (e *Cond) Operands(dst []*Expr) []*Expr    { return append(dst, &e.C, &e.X, &e.Y) }
func (e *Index) Operands(dst []*Expr) []*Expr   { return append(dst, &e.X, &e.I) }
func (e *Convert) Operands(dst []*Expr) []*Expr { return append(dst, &e.X) }

func (e *Self) Operands(dst []*Expr) []*Expr  { return dst }
func (e *Ended) Operands(dst []*Expr) []*Expr { return append(dst, &e.Thread) }
func (e *Any) Operands(dst []*Expr) []*Expr   { return dst }

// Relational reports whether o compares: Eq, Ne, Lt, Le, Gt or Ge.
func (o Op) Relational() bool { return o >= Eq && o <= Ge }

// Lazy reports whether o may leave its right operand unevaluated.
func (o Op) Lazy() bool { return o == LAnd || o == LOr }

var opTokens = [numOps]string{
	Not: "!", Neg: "-", Compl: "~", Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%",
	And: "&", Or: "|", Xor: "^", Shl: "<<", Shr: ">>", Eq: "==", Ne: "!=",
	Lt: "<", Le: "<=", Gt: ">", Ge: ">=", LAnd: "&&", LOr: "||",
}

// String returns the operator as C writes it.
func (o Op) String() string { return opTokens[o] }

// Root returns the variable of which e, a Use or Index, is a part; nil for any
// other expression.
func Root(e Expr) *Var {
	for {
		switch x := e.(type) {
		case *Index:
			e = x.X
		case *Use:
			return x.Var
		default:
			return nil
		}
	}
}

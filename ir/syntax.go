package ir

// This file says what a language must tell so that changes of its programs can
// be written as source text: a Syntax. The one of the text format is in
// text_syntax.go, those of other languages are with their front ends.

// A Syntax says how a language writes what a repair changes: expressions, and
// statements that come, go or get a condition. A front end puts its own into
// Program.Syntax, and nothing else in this module asks what language a program
// is in. BaseSyntax, embedded, is a start for one:
//
//	type syntax struct{ ir.BaseSyntax }
//
//	func (s syntax) Notation(e ir.Expr, was string) ir.Notation {
//		if b, ok := e.(*ir.Binary); ok && b.Op == ir.Ne {
//			return ir.Operator("<>", 3)
//		}
//		return s.BaseSyntax.Notation(e, was)
//	}
//
// A language with threads implements ThreadSyntax as well, or FenceSyntax, one that frees memory
// MemorySyntax. The methods are pure functions of their arguments; several
// goroutines may call them at a time. With mutate.Config.Parse a patch is read again
// before anybody sees it, so that what is wrong in a Syntax costs repairs and makes
// no wrong ones.
type Syntax interface {
	// Notation returns how the node of e is written around its operands; the
	// zero Notation if the language can't write it. If e is a constant in the
	// place of one of its type, was is the source text of that one, else "".
	// What is implicit, a conversion without a cast, is not asked for.
	Notation(e Expr, was string) Notation

	// Computes reports whether arithmetic operators compute in the type t,
	// rather than in a wider one that operands are converted to.
	Computes(t Type) bool

	// Words returns the texts of which statements are made.
	Words() Words

	// Reaches reports whether the name of v, a global without a Scope, can mean
	// it at a place in a procedure.
	Reaches(v *Var, at Span) bool
}

// A ThreadSyntax is the Syntax of a language with mutexes and threads. Calls
// are texts of statements without what ends them.
type ThreadSyntax interface {
	Syntax

	// Lock returns the call that takes v, or an element of it, a pair of
	// brackets [] for each index; "" if none follows from v alone.
	Lock(v *Var) string

	// Exchanged returns the call that frees what call takes, or takes what it
	// frees, and whether call takes. It is not ok if call does neither.
	Exchanged(call string) (other string, takes, ok bool)

	// Joining returns the call that waits for the thread that the call spawn
	// starts, whose number is what the expression thread says.
	Joining(spawn, thread string) (call string, ok bool)
}

// A FenceSyntax is the ThreadSyntax of a language whose threads may see writes late.
type FenceSyntax interface {
	ThreadSyntax

	// Fence returns the call that waits until what its thread wrote is in memory,
	// and does nothing else.
	Fence() string
}

// A MemorySyntax is the Syntax of a language with pointers that may be null, and
// memory that is freed. Calls are texts of statements without what ends them.
type MemorySyntax interface {
	Syntax

	// Null returns the null pointer, if t is the type of pointers.
	Null(t Type) (Expr, bool)

	// Freeing returns the statements that free what v points at, and the call
	// that they are; none if that can't be, or nobody asked for room for it.
	Freeing(v *Var) (list []Stmt, call string)

	// Freed returns the text of what the call frees.
	Freed(call string) (arg string, ok bool)

	// Returning returns the statement that returns value, "" for none.
	Returning(value string) string

	// Initialized returns what makes value the first value of a variable that
	// is declared without one; rest is the text behind its name there.
	Initialized(name, value, rest string) (text string, ok bool)
}

// SyntaxOf returns p's Syntax: that of the text format unless p has another.
func SyntaxOf(p *Program) Syntax {
	if p.Syntax == nil {
		return textSyntax{}
	}
	return p.Syntax
}

// A Notation says how a node is written: Text[0], the first operand, Text[1],
// the second one, and so on. Operands beyond Text are not written, as the 1 of
// i++.
type Notation struct {
	Text []string
	Min  []int // the precedence that each operand must have, or gets parentheses
	Prec int   // of the whole
}

// Precedences. Those of binary operators are the numbers between PrecCond and
// PrecUnary; the higher binds closer.
const (
	PrecAssign = -1 // stands nowhere but alone or in brackets
	PrecCond   = 0
	PrecUnary  = 20
	PrecAtom   = 30 // stands everywhere
)

// Operator returns the Notation of a binary operator that associates to the
// left.
func Operator(op string, prec int) Notation {
	return Notation{[]string{"", " " + op + " ", ""}, []int{prec, prec + 1}, prec}
}

// Atom returns the Notation of what has no operands and needs no parentheses.
func Atom(text string) Notation { return Notation{Text: []string{text}, Prec: PrecAtom} }

// min returns the precedence that the i-th operand must have.
func (n Notation) min(i int) int {
	if i < len(n.Min) {
		return n.Min[i]
	}
	return PrecAssign
}

// Words are texts of which statements are made.
type Words struct {
	Assign  string    // between what is assigned to and the value: " = "
	End     string    // ends a statement of a list: ";"
	Between string    // stands between two of them in a line, after End
	If      [2]string // around the condition of what follows: "if (", ") "
	Open    string    // before a list of statements that is one: "{ "
	Close   string    // and after it: " }"

	// Bare says that a statement may stand where a list could, without Open and
	// Close: so it does in a Block whose Pos is zero. Empty is the one that does
	// nothing.
	Bare  bool
	Empty string

	// Test is how a statement begins that tests a condition once, and Loop what
	// makes a loop of it, instead. "" if there is no such pair.
	Test, Loop string
}

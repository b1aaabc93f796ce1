package ir

import (
	"fmt"
	"slices"
	"strings"
)

// BaseSyntax writes expressions and statements as the text format of this
// package does. Languages much like C differ from it in few places.
type BaseSyntax struct{}

// precedence returns that of a binary operator, in C as in the text format.
func precedence(op Op) int {
	switch op {
	case LOr:
		return 1
	case LAnd:
		return 2
	case Or:
		return 3
	case Xor:
		return 4
	case And:
		return 5
	case Eq, Ne:
		return 6
	case Lt, Le, Gt, Ge:
		return 7
	case Shl, Shr:
		return 8
	case Add, Sub:
		return 9
	}
	return 10
}

// Notation implements Syntax.
func (BaseSyntax) Notation(e Expr, _ string) Notation {
	switch e := e.(type) {
	case *Use:
		return Atom(e.Var.Name)
	case *Const:
		return textConstant(e)
	case *Unary:
		return Notation{[]string{e.Op.String(), ""}, []int{PrecUnary}, PrecUnary}
	case *Binary:
		if e.Form == Infix {
			return Operator(e.Op.String(), precedence(e.Op))
		}
		return assigning(e)
	case *Cond:
		return Notation{[]string{"", " ? ", " : ", ""}, []int{PrecCond + 1, PrecAssign, PrecCond}, PrecCond}
	case *Index:
		return Notation{[]string{"", "[", "]"}, []int{PrecAtom, PrecAssign}, PrecAtom}
	case *Convert:
		open, end := e.To.String()+"(", ")"
		if e.Bits {
			open = e.To.String() + "bits("
		}
		if c, ok := e.X.(*Const); ok && c.Typ != Type(Bool{}) {
			open, end = open+"(", end+")" // not a literal of that type, which it may not fit
		}
		return Notation{[]string{open, end}, []int{PrecAssign}, PrecAtom}
	case *Math:
		text := slices.Repeat([]string{", "}, len(e.Args)+1)
		text[0], text[len(e.Args)] = e.Fn.String()+"(", ")"
		return Notation{text, nil, PrecAtom}
	}
	return Notation{}
}

// assigning returns the notation of e, an assignment: x += y, ++x or x++.
func assigning(e *Binary) Notation {
	op := e.Op.String()
	step := e.Op == Add || e.Op == Sub
	switch {
	case e.Form == Prefix && step:
		return Notation{[]string{op + op, ""}, []int{PrecUnary}, PrecAtom}
	case e.Form == Postfix && step:
		return Notation{[]string{"", op + op}, []int{PrecUnary}, PrecAtom}
	case e.Form == Postfix && e.Value, e.Pointer:
		return Notation{} // no other operator yields what was there before
	}
	return Notation{[]string{"", " " + op + "= ", ""}, []int{PrecUnary, PrecCond}, PrecAssign}
}

// textConstant returns the notation of e: with its type, unless that is the one
// that a number has anyway.
func textConstant(e *Const) Notation {
	switch text := FormatValue(e.Typ, e.Val); {
	case e.Typ == Type(Bool{}):
		return Atom(fmt.Sprint(e.Val == 1))
	case e.Typ == Type(Int{Width: 32, Signed: true}):
		return Number(text)
	default:
		return Atom(e.Typ.String() + "(" + text + ")")
	}
}

// Number returns the Notation of a number, which may have a sign.
func Number(text string) Notation {
	n := Atom(text)
	if strings.HasPrefix(text, "-") {
		n.Prec = PrecUnary - 1 // not after another sign
	}
	return n
}

// Computes implements Syntax: all types have operators of their own.
func (BaseSyntax) Computes(Type) bool { return true }

// Words implements Syntax.
func (BaseSyntax) Words() Words {
	return Words{
		Assign: " = ", Between: "; ", If: [2]string{"if ", " "}, Open: "{ ", Close: " }",
		Bare: true, Test: "if", Loop: "while", // nothing says which blocks have brackets
	}
}

// Reaches implements Syntax: a global means itself in what follows in its file.
func (BaseSyntax) Reaches(v *Var, at Span) bool {
	return v.Span.File == at.File && v.Span.Start < at.Start
}

// textSyntax is that of the text format, with its statements about threads.
type textSyntax struct{ BaseSyntax }

// Notation implements Syntax, for threads too.
func (t textSyntax) Notation(e Expr, was string) Notation {
	switch e := e.(type) {
	case *Self:
		return Atom("self")
	case *Ended:
		return Notation{Text: []string{"ended(", ")"}, Prec: PrecAtom}
	case *Any:
		if e.Wake {
			return Atom("wakeup")
		}
		return Notation{Text: []string{"any " + e.Typ.String()}, Prec: PrecUnary}
	}
	return t.BaseSyntax.Notation(e, was)
}

// Lock implements ThreadSyntax: any variable can be taken.
func (textSyntax) Lock(v *Var) string {
	text := "lock " + v.Name
	for t := v.Type; ; text += "[]" {
		a, ok := t.(Array)
		if !ok {
			return text
		}
		t = a.Elem
	}
}

// Exchanged implements ThreadSyntax.
func (textSyntax) Exchanged(call string) (other string, takes, ok bool) {
	if m, ok := strings.CutPrefix(call, "lock "); ok {
		return "unlock " + m, true, true
	}
	m, ok := strings.CutPrefix(call, "unlock ")
	return "lock " + m, false, ok
}

// Fence implements FenceSyntax.
func (textSyntax) Fence() string { return "atomic { }" }

// Joining implements ThreadSyntax.
func (textSyntax) Joining(_, thread string) (call string, ok bool) { return "join " + thread, true }

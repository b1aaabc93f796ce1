package gofront

import (
	"strings"

	"github.com/go-amend/amend/ir"
)

// syntax writes what repairs change as Go.
type syntax struct{ ir.BaseSyntax }

// Notation implements ir.Syntax.
func (s syntax) Notation(e ir.Expr, was string) ir.Notation {
	n := s.BaseSyntax.Notation(e, was)
	switch e := e.(type) {
	case *ir.Const:
		return constantNotation(e, was)
	case *ir.Math: // a function that the file may not import
		return ir.Notation{}
	case *ir.Unary:
		if e.Op == ir.Compl {
			n.Text[0] = "^"
		}
	case *ir.Binary:
		if e.Form == ir.Infix {
			return ir.Operator(e.Op.String(), precedence(e.Op))
		}
	case *ir.Convert:
		if e.Bits {
			return ir.Notation{}
		}
		n.Text = []string{e.To.String() + "(", ")"}
	}
	return n
}

// precedence returns that of a binary operator.
func precedence(op ir.Op) int {
	switch op {
	case ir.LOr:
		return 1
	case ir.LAnd:
		return 2
	case ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge:
		return 3
	case ir.Add, ir.Sub, ir.Or, ir.Xor:
		return 4
	}
	return 5
}

// constantNotation returns that of e, in the place of the constant was: T(1)
// keeps its type.
func constantNotation(e *ir.Const, was string) ir.Notation {
	text := ir.FormatValue(e.Typ, e.Val)
	if _, ok := e.Typ.(ir.Float); ok && (strings.ContainsAny(text, "IN") || text == "-0.0") {
		return ir.Notation{} // infinity, NaN and the negative zero are no constants
	}
	if e.Typ == ir.Type(ir.Bool{}) {
		return ir.Atom([]string{"false", "true"}[e.Val])
	}
	name, arg, found := strings.Cut(was, "(")
	if !found || strings.Contains(arg, "(") || !strings.HasSuffix(arg, ")") || strings.ContainsAny(name, " +-*/%&|^<>=!'\"") {
		return ir.Number(text)
	}
	return ir.Atom(name + "(" + text + ")")
}

// Words implements ir.Syntax.
func (s syntax) Words() ir.Words {
	w := s.BaseSyntax.Words()
	w.Bare, w.Loop = false, "for"
	return w
}

// Reaches implements ir.Syntax: what any file of a package declares is known in
// all its functions, but for what tests declare.
func (syntax) Reaches(v *ir.Var, at ir.Span) bool {
	return folder(v.Span.File) == folder(at.File) && !strings.HasSuffix(v.Span.File, "_test.go")
}

// folder returns the part of a file's name before what it is called there.
func folder(name string) string { return name[:strings.LastIndexAny(name, `/\`)+1] }

// Lock implements ir.ThreadSyntax: mutexes are found by the calls that take
// them.
func (syntax) Lock(*ir.Var) string { return "" }

// Exchanged implements ir.ThreadSyntax.
func (syntax) Exchanged(call string) (other string, takes, ok bool) {
	for _, m := range [][2]string{{".Lock()", ".Unlock()"}, {".RLock()", ".RUnlock()"}} {
		if v, ok := strings.CutSuffix(call, m[0]); ok {
			return v + m[1], true, true
		}
		if v, ok := strings.CutSuffix(call, m[1]); ok {
			return v + m[0], false, true
		}
	}
	return "", false, false
}

// Joining implements ir.ThreadSyntax: goroutines have no name.
func (syntax) Joining(_, _ string) (call string, ok bool) { return "", false }

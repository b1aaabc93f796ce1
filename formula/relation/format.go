package relation

import (
	"fmt"
	"strings"
)

// This file prints nodes.

var constNames = [...]string{"univ", "iden", "none", "Int", "atoms"}
var unaryNames = [...]string{"~", "^", "*"}
var binaryNames = [...]string{" + ", " & ", " - ", ".", " -> ", " ++ ", " <: ", " :> "}
var intBinaryNames = [...]string{"plus", "minus", "mul", "div", "rem", "shl", "sha", "shr"}
var compareNames = [...]string{"in", "!in", "=", "!="}
var intCompareNames = [...]string{"=", "!=", "<", "<=", ">", ">="}
var multNames = [...]string{"no", "some", "lone", "one", "set"}
var connectiveNames = [...]string{" && ", " || ", " => ", " <=> "}
var temporalNames = [...]string{"always", "eventually", "after", "until", "releases", "historically", "once", "before", "since", "triggered"}
var quantNames = [...]string{"all", "some", "no", "lone", "one"}

// Format returns n as text in the manner of Alloy, fully parenthesized, for
// people.
func Format(n Node) string {
	switch n := n.(type) {
	case *Relation:
		return n.Name
	case *Var:
		return n.Name
	case *Const:
		return constNames[n.Op]
	case *ConstSet:
		return fmt.Sprint(n.Set.tuples)
	case *Unary:
		return unaryNames[n.Op] + Format(n.X)
	case *Binary:
		return "(" + Format(n.X) + binaryNames[n.Op] + Format(n.Y) + ")"
	case *Comprehension:
		return "{" + formatDecls(n.Decls) + " | " + Format(n.Body) + "}"
	case *IfExpr:
		return formatIf(n.Cond, n.Then, n.Else)
	case *LetExpr:
		return formatLet(n.Vars, n.Values, n.Body)
	case *IntSet:
		return "Int[" + Format(n.X) + "]"
	case *Prime:
		return "(" + Format(n.X) + ")'"
	case *AnyExpr:
		return "any[" + Format(n.Upper) + "]"
	case *IntConst:
		return fmt.Sprint(n.Value)
	case *Card:
		return "#" + Format(n.X)
	case *Sum:
		return "int[" + Format(n.X) + "]"
	case *IntUnary:
		return [...]string{"negate", "signum"}[n.Op] + "[" + Format(n.X) + "]"
	case *IntBinary:
		return intBinaryNames[n.Op] + "[" + Format(n.X) + ", " + Format(n.Y) + "]"
	case *SumOver:
		return "(sum " + formatDecls(n.Decls) + " | " + Format(n.Body) + ")"
	case *IfInt:
		return formatIf(n.Cond, n.Then, n.Else)
	case *LetInt:
		return formatLet(n.Vars, n.Values, n.Body)
	case *AnyInt:
		return "any"
	case Formula:
		return formatFormula(n)
	}
	return "?"
}

func formatFormula(n Formula) string {
	switch n := n.(type) {
	case *Bool:
		return fmt.Sprint(n.Value)
	case *Compare:
		return Format(n.X) + " " + compareNames[n.Op] + " " + Format(n.Y)
	case *IntCompare:
		return Format(n.X) + " " + intCompareNames[n.Op] + " " + Format(n.Y)
	case *Mult:
		return multNames[n.Op] + " " + Format(n.X)
	case *Disjoint:
		return "disj[" + formatList(n.Xs, ", ") + "]"
	case *Not:
		return "!(" + Format(n.X) + ")"
	case *Connective:
		if len(n.Xs) == 0 {
			return fmt.Sprint(n.Op == And)
		}
		return "(" + formatList(n.Xs, connectiveNames[n.Op]) + ")"
	case *Temporal:
		if len(n.Xs) == 1 {
			return temporalNames[n.Op] + " (" + Format(n.Xs[0]) + ")"
		}
		return "(" + formatList(n.Xs, " "+temporalNames[n.Op]+" ") + ")"
	case *IfFormula:
		return formatIf(n.Cond, n.Then, n.Else)
	case *Quant:
		return "(" + quantNames[n.Op] + " " + formatDecls(n.Decls) + " | " + Format(n.Body) + ")"
	case *LetFormula:
		return formatLet(n.Vars, n.Values, n.Body)
	case *AnyFormula:
		return "any"
	}
	return "?"
}

func formatIf(c, x, y Node) string {
	return "(" + Format(c) + " => " + Format(x) + " else " + Format(y) + ")"
}

func formatLet(vs []*Var, xs []Expr, body Node) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.Name + " = " + Format(xs[i])
	}
	return "(let " + strings.Join(parts, ", ") + " | " + Format(body) + ")"
}

func formatDecls(ds []Decl) string {
	parts := make([]string, len(ds))
	for i, d := range ds {
		names := formatList(d.Vars, ", ")
		if d.Disj {
			names = "disj " + names
		}
		parts[i] = names + ": " + multNames[d.Mult] + " " + Format(d.Bound)
	}
	return strings.Join(parts, ", ")
}

func formatList[T Node](xs []T, sep string) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = Format(x)
	}
	return strings.Join(parts, sep)
}

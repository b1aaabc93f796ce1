package gotest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file finds schemes by their names.

// Schemes returns the names of the schemes, those of package mutate/scheme
// and "fixes":
//
//	level1      another operator of the class, ++ for --
//	level2      level1, and C+1, C-1, 0, -C for C
//	operators   any other operator, or none for a sign
//	variables   another variable or field of the same type
//	constants   another constant of the same declaration, another literal of
//	            the function, another truth
//	conditions  negate or fix a condition, drop or add an operand
//	statements  delete a statement, assign or leave before it, count in a loop
//	linear      one more or one less of a value, drop an operand, add or
//	            subtract a variable or length
//	calls       another function or method of the same type
//	fixes       compute in a wider type, reduce by a length, other bounds of
//	            slices and ranges, exchange operands, arguments or statements,
//	            other result lists, guards that return, continue, break, clamp
//	            or panic, defer, wrap in a call or leave one out, copy a slice,
//	            insert a statement of the function once more, or one that stands
//	            between the same elsewhere, or the value that is assigned to
//	            the same there, count, append, assign to fields and from elements,
//	            compare with nil,
//	            move declarations into loops and function literals,
//	            spaces at the ends of strings
func Schemes() []string {
	return []string{"level1", "level2", "operators", "variables", "constants", "conditions", "statements", "linear", "calls", schemata.Fixes}
}

// ParseSchemes returns schemes by their names, joined by commas: those of all
// for "all". A level has the levels below it, and the classes of 2016 are not
// told apart.
func ParseSchemes(names string) ([]string, error) {
	var out []string
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSuffix(strings.TrimSpace(name), "-2016")
		switch {
		case name == "all":
			return Schemes(), nil
		case name == "level2":
			out = append(out, "level1", "level2")
		case name == "locks", name == "memory":
			return nil, &ir.UnsupportedError{Construct: "scheme " + name + " with candidates that are compiled and run", Hint: "use the oracle of formulas"}
		case slices.Contains(Schemes(), name):
			out = append(out, name)
		default:
			return nil, fmt.Errorf("gotest: no scheme is called %q: want %s, or all", name, strings.Join(Schemes(), ", "))
		}
	}
	return out, nil
}

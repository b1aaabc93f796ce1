// Package smtlib writes terms as SMT-LIB 2 text, for people and for other
// solvers.
//
// It stands beside the flow of the module: package formula decides terms by
// itself; this text is for cross-checks and for export. There is no reader.
//
// Propositions, the terms of width 1, have the sort Bool, all others are
// bit-vectors. A variable is written |name#term|, its Term being part of
// the symbol, so that symbols are unique and never those of the logic.
package smtlib

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-amend/amend/formula"
)

// A Query is what Write writes. The zero Query is satisfiable.
type Query struct {
	// Logic is the argument of set-logic; "" stands for QF_BV.
	Logic string

	// Defs are definitions of variables, in any order, without a cycle:
	// what [formula.Solver.Define] was told. Those that nothing else in the
	// query depends on are left out.
	Defs []Def

	// Asserts are the propositions to satisfy.
	Asserts []formula.Term

	// Values are the terms to ask the values of. A solver answers that
	// only if the query is satisfiable; others report an error.
	Values []formula.Term
}

// A Def says that the variable Name stands for Value.
type Def struct{ Name, Value formula.Term }

// Write writes q, over terms of st. The text and the time are linear in the
// number of terms, shared ones counted once. The output depends on st and q
// alone. It panics if definitions depend on each other or define what is no
// variable; the error is that of w.
func Write(w io.Writer, st *formula.Store, q *Query) error {
	p := newPrinter(w, st, q.Defs)
	logic := q.Logic
	if logic == "" {
		logic = "QF_BV"
	}
	if len(q.Values) > 0 {
		fmt.Fprintln(p.out, "(set-option :produce-models true)")
	}
	fmt.Fprintf(p.out, "(set-logic %s)\n", logic)
	for _, t := range q.Asserts {
		p.count(t)
	}
	for _, t := range q.Values {
		p.count(t)
		p.uses[t]++ // so that it gets a name
	}
	p.declare()
	for _, t := range q.Asserts {
		fmt.Fprint(p.out, "(assert ")
		p.term(t)
		fmt.Fprintln(p.out, ")")
	}
	fmt.Fprintln(p.out, "(check-sat)")
	if len(q.Values) > 0 {
		p.values(q.Values)
	}
	return p.out.Flush()
}

// Symbol returns the symbol that Write gives to t, a variable.
func Symbol(st *formula.Store, t formula.Term) string {
	name := strings.Map(func(r rune) rune {
		if r == '|' || r == '\\' || r < ' ' || r > '~' {
			return '_'
		}
		return r
	}, st.Name(t))
	return fmt.Sprintf("|%s#%d|", name, t)
}

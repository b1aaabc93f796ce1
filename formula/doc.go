// Package formula represents and decides quantifier-free formulas over
// bit-vectors of width 1 to 64.
//
// A [Term] is an index into its [Store]. Structurally equal terms of one
// Store are equal as Go values, so == decides syntactic equality and a
// slice indexed by Term replaces a map. Terms are simplified while they are
// built. A term of width 1 is also a proposition. Operators have the
// meaning of SMT-LIB's theory of bit-vectors, which [Store.Eval] defines;
// the meaning of a programming language is up to who builds the terms.
//
// A [Solver] decides terms on a SAT solver of package sat by bit-blasting.
// [Important] and [ImportantVars] say which variables of a model matter.
// Package smtlib writes terms for other solvers.
//
// There are no arrays, no quantifiers, and no widths above 64. What is
// simplified depends on the order in which terms are made, so different
// terms may mean the same; a Solver finds most such twins again, as gates.
//
// Names in this package: st store, t x y z terms, w width, m literal,
// v value or variable.
package formula

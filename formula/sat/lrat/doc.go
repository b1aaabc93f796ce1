// Package lrat checks proofs of unsatisfiability, apart from the solvers that
// find them: all it has in common with package sat is what a literal and a
// proof are.
//
// A proof is a list of clauses (LRAT: Cruz-Filipe, Heule, Hunt, Kaufmann and
// Schneider-Kamp, CADE 2017). Some are given; each other one says by which
// earlier clauses it follows, in the order in which they propagate units, so
// that checking it takes no search: it is linear in the length of the proof. It
// proves what solvers say if the clause that they end with is empty or, under
// assumptions, holds nothing but complements of assumptions.
//
// A [Checker] takes the steps while a solver makes them, also over many
// queries with clauses added in between, and a [Certifier] makes solvers whose
// every answer is checked before it is given. [Check] reads text. [NewWriter]
// and [NewDRATWriter] write text for other checkers.
//
// Only reverse unit propagation counts. There are no steps that preserve
// satisfiability but don't follow (RAT): they mean nothing when clauses are
// added later, so no solver of package sat needs them.
//
// Names in this package: id number of a clause, m literal, c checker.
package lrat

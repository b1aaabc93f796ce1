// Package model finds changes of a declarative model that repair its failing
// check. A front end, such as ir/alloy, describes the model by relational
// formulas: see package slice/rank, which ranks nodes by what is found here.
//
// A change replaces a node by another expression: operators, quantifiers,
// multiplicities and operands changed, conjuncts dropped, expressions copied from
// elsewhere in the model or from the assertion.
//
// [Localize] tries single changes of the nodes that could remove every known
// counterexample, were their values free. Changes after which the check holds,
// while the run remains possible and the answers of the other commands are what
// they should be if they were, are repairs. They are tried on remembered
// instances at once (relation.Hole), so that few need the solver. A
// counterexample of a change joins them.
//
// The search has no clock and one goroutine: equal models give equal results.
//
// Bounded and missing: copies have at most three free variables; what depends on
// many bindings of variables is tried less; repairs hold in the check's scope.
// Other commands of the model are asked again for each repair, those that can't
// be decided left out.
//
// Names in this package: m model or mutant, p problem, l explorer, g generator or
// gate, n node, i k indices of nodes.
package model

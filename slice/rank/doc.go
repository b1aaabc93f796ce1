// Package rank orders the expressions of a declarative model by how likely they
// are at fault for a failing check, and finds changes that repair it. It also
// orders the locations of a program by how a failing run differs from the nearest
// passing one: see [Nearest], which takes the constraint set of package ssa.
//
// A front end, such as ir/alloy, describes the model by relational formulas: see
// [Model]. Two methods rank its nodes.
//
// [Flack] is FLACK (Zheng et al., ICSE 2021): it compares counterexamples with
// the nearest instances that satisfy a predicate, found by partial MaxSAT, and
// scores the expressions whose values differ. Where the tool of that name
// departs from the paper, it follows the tool.
//
// [Localize] asks instead what changes would do, since such models are small. A
// node is a candidate if it could remove every known counterexample, were its
// value free. Candidates are mutated: operators, quantifiers, multiplicities and
// operands changed, conjuncts dropped, expressions copied from elsewhere in the
// model or from the assertion. A mutant after which the check holds, while the
// run remains possible and the answers of the other commands are what they should
// be if they were, is a [Repair]. Of repairs that mean the same one of each unit
// stays. Nodes with repairs come first: those that
// keep every instance that was good, then the cheapest. The other nodes follow
// by what they could do if free and by FLACK's scores. Nodes of equal evidence
// share a range of ranks: neither the order of the source nor that of the search
// says anything. Units that the assertion
// defines, as in P <=> F, come before others; that order is a heuristic.
//
// Mutants are tried on remembered instances at once (relation.Hole), so that few
// need the solver. A counterexample of a mutant joins them.
//
// The search has no clock and one goroutine: equal models give equal results.
//
// Bounded and missing: only single changes; copies have at most three free
// variables; what depends on many bindings of variables is tried less; repairs
// hold in the check's scope ([Recheck] asks for another). Other commands of the
// model are asked again for each repair, those that can't be decided left out.
//
// Names in this package: m model, p problem, l localizer, f a run of FLACK, g
// generator or gate, n node, i k indices of nodes.
package rank

// Package model finds repairs of a declarative model whose check fails. A front
// end, such as ir/alloy, describes the model by relational formulas: see package
// slice/rank, which also ranks nodes by what is found here. Package
// mutate/alloyfix does both for Alloy.
//
// # Changes
//
// The places are the nodes of the model. The alternatives of a node are other
// operators, quantifiers, multiplicities and operands, negations, dropped
// operands, closures around it, expressions copied from elsewhere in the
// model, in its place or joined to it, and for repairs of one change what is
// synthesized. Units that are the oracle (rank.Unit.Oracle) and the assertion are
// neither copied nor called. Each change has a cost,
// small for small changes. A change inside another one's node is made there too,
// where that stays in place; what is copied is copied as it was written, but
// calls what is called now.
//
// A [Repair] is a set of changes after which the check has no counterexample in
// its scope, the run has an instance (without one: the facts, with the
// assertion), and every other command has the answer that it should have, if it
// had it. No proper subset of it is a repair. Commands that can't be decided are
// left out, and a change that makes one so is no repair; with a [Text] each repair was written, read back, and decided by what
// was read.
//
// # Search
//
// All searches are those of mutate/cegis. A counterexample is an instance of a
// question that should have none. It says exactly which candidates it refutes:
// the formula with selectors at its nodes, translated with the instance as exact
// bounds, is a proposition over selectors alone. A question that should have an
// instance and has none teaches its formula with selectors in its own bounds: a
// candidate is good if there is some instance. A question teaches that once, if
// it is not too large; else the candidate alone is blocked. Hence every candidate
// is proposed at most once, and what is not proposed is refuted or contains a
// repair: the search ends, and then all minimal repairs are found. While the
// candidates of two changes are few enough, a table holds those that no
// counterexample refutes, and the search is told what is left.
//
// [Repairs] with Config.All yields all minimal repairs, which are many: the
// assertion can be joined to any fact. Without it, it yields plausible ones. Of
// one change those are what [Localize] lists: in the units that are most
// suspicious (rank.Tiers) and have repairs, of nodes that could remove every known
// counterexample were their values free, such that an instance passes that did so
// before, one of those in a unit that mean the same, with costs of at most
// rank.Margin above that of the cheapest which keeps all good instances. Of
// several changes: none of what the assertion claims to hold, one of those in the
// same units that mean the same, with costs up to a margin above the cheapest, in
// spaces of growing costs; what is found in one space comes before what is found
// in the next.
//
// # Synthesis
//
// Where no small change of a node, or of a node in it, is a repair that keeps what
// is good, any small expression over the variables, signatures and fields in scope
// may be one: by joins, set operations, restrictions, products that can be compared
// with a field, closures and transpositions; a ternary field whose outer columns hold
// the same is a relation between these, too. A formula is a multiplicity of such an
// expression, or a comparison of two; two of these by and, or, implies, or one with
// what was there; these over all, some, one or at most one of a variable more; or a
// quantifier over another range.
//
// They are enumerated by size, with their values in up to 64 remembered instances
// at once under each binding, of those with equal values only the first. What is
// right in all remembered instances goes to the solver, what is close to the old
// text first. The instance that refutes it joins the others: a counterexample, or a
// good one that would be lost, as long as anything loses none. The work is limited
// by a number of steps, not by a clock; so there may be small expressions that are
// not found.
//
// With Config.Larger all this happens in larger scopes, where fewer
// expressions are right by chance.
//
// Of several changes those are combined that copy or mutate. Synthesized ones are
// found in stages, where the assertion is a conjunction: a repair of a part of it,
// and with that one of the next, at most [Config.Size] of them. A model of which a
// front end says the parts (rank.Model.Parts), such as tests, is repaired so first,
// and in no other way if that finds something.
//
// If the search is stopped by its context, that is its last error; what came
// before it are repairs, but perhaps not all.
//
// # Localization
//
// [Localize] tries single changes, node by node, on remembered instances at once
// (relation.Hole), so that few need the solver. A counterexample of a change joins
// them. Nothing is synthesized, but what the oracle says is tried as well: where that
// would do, the fault may be (rank.Repair.Wish).
//
// There is no clock and one goroutine: equal models give equal results.
//
// Bounded and missing: copies have at most three free variables, and are of no
// quantifier over sets; among several changes none adds a call of what comes later
// in the order of calls, so that there is no recursion; for single changes what
// depends on many bindings of variables is tried less. Repairs hold in the scopes
// of the commands; Config.Grow asks for larger ones of the check.
//
// Names in this package: m model or mutant, p place or problem, l explorer, sp
// space, o oracle, q question, g generator or gate, n node, i k indices.
package model

// Package alloy reads declarative models in Alloy 4.2 and makes relational
// problems of their commands: the front end for models. It parses and resolves
// a Model (Parse), puts a command of it in a scope (Model.Problem), for
// formula/relation to solve and slice/rank to localize faults in, and leads
// from formulas back to the source (Model.Nodes, Model.Format).
//
// Supported are signatures with fields and multiplicities, extends, in and
// abstract, enums, facts, facts after signatures, predicates, functions,
// assertions, check and run with scopes, quantifiers also over sets where a
// solver can skolemize them, let, comprehension, if-then-else, all operators on
// sets and relations of up to four columns, cardinality and integer
// comparison, box joins, calls with a receiver, and util/ordering, integer,
// boolean and relation. Not supported are macros, seq, strings, shifts, sums
// over declarations, division, recursion and other modules; each is reported
// where it occurs, but not in functions and predicates that nothing reaches.
//
// Of an overloaded name the meaning counts that is relevant where it stands, as in
// Alloy: the one of which a tuple can make a difference to the operators around
// it. In p.*prev that is the order of p's signature, not that of integers; Alloy
// wants to be told in some such places. A join that is always empty is no error:
// see Model.Warnings.
//
// univ holds the atoms of signatures and, as in Alloy 6, all integers, also if the
// model uses none; iden and reflexive closures relate atoms of univ. As in Alloy
// 4.2, integers are sets of atoms: + and - are union and difference,
// arithmetic is plus and minus of util/integer, which is always open, and
// comparisons take sums. Integers have 4 bits unless the scope says otherwise,
// and wrap around. An ordered signature is exact; enums are not ordered.
//
// Names in this package: r resolver, b bounder, p parser or printer, x
// expression, v value, s signature, d declaration.
package alloy

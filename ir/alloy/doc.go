// Package alloy reads declarative models in Alloy 4.2 and 6 and makes relational
// problems of their commands: the front end for models. It parses and resolves
// a Model (Parse), puts a command of it in a scope (Model.Problem), for
// formula/relation to solve and slice/rank to localize faults in, and leads
// from formulas back to the source (Model.Nodes, Model.Format).
//
// Supported are signatures with fields and multiplicities, extends, in, = and
// abstract, enums, facts, facts after signatures, predicates, functions,
// assertions, check and run with scopes, quantifiers also over sets where a
// solver can skolemize them, let, macros, comprehension, sums, if-then-else, all
// operators on sets and relations of up to four columns, cardinality, integer
// comparison and shifts, box joins, calls with a receiver, modules with parameters,
// from files if Config.Open finds them, and util/ordering, integer, boolean,
// relation, graph, natural, sequence and ternary. Not supported are seq, strings,
// recursion and growing scopes; each is reported where it occurs, but not in
// functions and predicates that nothing reaches.
//
// Models may be about traces: var, primes, and formulas about past and future. A
// model in which var declares something, or a word of Alloy 6 is used but not
// declared, is one for Alloy 6, where primes are no letters. A command looks at
// traces that repeat after at most as many states as its scope of steps says, 10
// without; longer ones, and a scope without an end, are out of its reach. Facts are
// about the first state, what declarations say holds in all. As in Alloy, let and
// parameters stand for expressions: "let a = A | after some a" is about the next
// state's A. In sequences of formulas (a; b) each is about the state after.
//
// Division rounds toward zero; by zero it is -1 of what is positive and 1 of what
// is negative, as in Alloy. Alloy's quotient of the least integer and some odd
// divisors is off by one; here it is not.
//
// Of an overloaded name the meaning counts that is relevant where it stands, as in
// Alloy: the one of which a tuple can make a difference to the operators around
// it. In p.*prev that is the order of p's signature, not that of integers; Alloy
// wants to be told in some such places. A join that is always empty is no error:
// see Model.Warnings. Of functions with one name those are called whose parameters
// have as many columns as the arguments.
//
// univ holds the atoms of signatures and, as in Alloy 6, all integers, also if the
// model uses none; iden and reflexive closures relate atoms of univ. As in Alloy
// 4.2, integers are sets of atoms: + and - are union and difference,
// arithmetic is plus and minus of util/integer, which is always open, and
// comparisons take sums. Integers have 4 bits unless the scope says otherwise,
// and wrap around. An ordered signature is exact, and orders of it under several names are
// one. An enum is ordered as its names are written, and its first, next and the like
// need no opening.
//
// Names in this package: r resolver, b bounder, p parser or printer, x
// expression, v value, s signature, d declaration.
package alloy

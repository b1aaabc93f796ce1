// Package relation decides bounded relational logic, in the manner of Kodkod
// (Torlak and Jackson, TACAS 2007): free relations of arity 1 to 4 between lower
// and upper bounds over a finite universe, and formulas over them with joins,
// closures, comprehensions, cardinalities, quantifiers and wrap-around integers.
//
// Instances may be traces of states (Bounds.SetSteps) in which relations vary and
// after the last of which one comes again; formulas may be about the states before
// and after (Temporal, Prime). What is bounded is the number of states: traces that
// don't repeat within them are not looked at.
//
// Package ir/alloy makes such problems of models, package mutate/model changes
// their formulas and asks again.
//
// Names in this package: u universe, r relation, v variable, b bounds, in
// instance, m literal.
package relation

// Package relation decides bounded relational logic, in the manner of Kodkod
// (Torlak and Jackson, TACAS 2007): free relations of arity 1 to 3 between lower
// and upper bounds over a finite universe, and formulas over them with joins,
// closures, comprehensions, cardinalities, quantifiers and wrap-around integers.
//
// Package ir/alloy makes such problems of models, package mutate/model changes
// their formulas and asks again.
//
// Names in this package: u universe, r relation, v variable, b bounds, in
// instance, m literal.
package relation

// Package slice says where a fix must touch a program.
//
// Given a failing run, [Graph.Must] returns a must location set: every
// change of the program's expressions that repairs this run changes a
// location in it. It is FOSFL, formula-slicing fault localization, of
// Rothenberg and Grumberg, "Must Fault Localization for Program Repair"
// (CAV 2020; chapter 5 of Rothenberg's thesis): the dependencies of the
// violated assertion that the run really followed.
//
// [Angelic] says which single expressions, or pairs, could repair all of some
// failing runs by values that it finds: fewer than must sets hold, where there
// are several runs, but of changes at one site or two alone.
//
// The package stands between ssa, whose constraint sets it reads, and
// mutate, whose search it prunes. Other localizers are there for comparison
// behind the same interface, [Localizer]: [Dynamic] slicing and [MaxSat].
// They are not must: they can miss locations that a fix could touch, or
// every one of them.
package slice

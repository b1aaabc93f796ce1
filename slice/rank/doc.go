// Package rank orders the expressions of a declarative model by how likely they
// are at fault for a failing check. It also orders the locations of a program by
// how a failing run differs from the nearest passing one: see [Nearest], which
// takes the constraint set of package ssa.
//
// A front end, such as ir/alloy, describes the model by relational formulas: see
// [Model]. There are two ways to rank its nodes.
//
// [Flack] is FLACK (Zheng et al., ICSE 2021): it compares counterexamples with
// the nearest instances that satisfy a predicate, found by partial MaxSAT, and
// scores the expressions whose values differ. Where the tool of that name
// departs from the paper, it follows the tool.
//
// [Order] takes [Evidence] of what changes of the nodes do, which package
// mutate/model collects. Nodes with repairs come first: those that keep every
// instance that was good, then the cheapest. Of repairs that mean the same one
// of each unit stays. The other nodes follow by what they could do if free and
// by FLACK's scores. Nodes of equal evidence share a range of ranks: neither the
// order of the source nor that of a search says anything. Units that the
// assertion defines, as in P <=> F, come before others: see [Tiers]; that order
// is a heuristic.
//
// The package searches for no changes, has no clock and one goroutine: equal
// models give equal results.
//
// Names in this package: m model, f a run of FLACK, o orderer, n node, i k
// indices of nodes.
package rank

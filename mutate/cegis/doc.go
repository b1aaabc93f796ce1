// Package cegis finds all minimal solutions in a finite space of candidates,
// by counterexample-guided inductive synthesis (CEGIS: Solar-Lezama et al.,
// "Combinatorial Sketching for Finite Programs", ASPLOS 2006).
//
// A [Space] says at which places there is something to change, which
// alternatives each has, and which holes are in these. An [Oracle] refutes a
// candidate by a counterexample, and says of a counterexample which
// candidates are good on it, as a proposition over selectors and holes. The
// package knows nothing else of either: programs, models and tables are
// spaces like any other.
//
// A solution is a set of changes that nothing refutes, and that contains no
// smaller one. There are two sources of proposals: a generator of sets of
// alternatives, in growing size, and for each set with holes a solver of
// these. Both learn from the same counterexamples, through encodings of their
// own. An oracle that has no proposition to offer may say how far a
// refutation goes instead: see [Verdict].
//
// What a counterexample teaches is a [Constraint] on candidates. A large one is
// lazy: it is evaluated, and asserted only if it refutes many.
//
// A candidate travels through the package in this order: generate.go and
// holes.go propose it, in queue.go it waits for its turn, where a worker may
// begin with it early, the oracle refutes it, learn.go keeps others from
// failing alike; Config.Certify, Prove and Accept see what is left.
package cegis

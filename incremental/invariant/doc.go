// Package invariant writes what a proof knows of loops in the language of the
// program: as text beside each statement, and as assertions in the source,
// which other tools can take as loop invariants.
//
// A proof (package proof) annotates the locations of the control-flow automaton
// by propositions over bit-vectors. Here these become expressions of package
// ir, and so source text. What has no words there (temporaries, pointers, widths
// without a type, variables that can't be named at the place) is left out, which
// makes an invariant weaker and never wrong: a [Loop] says so.
//
// Names: t terms, x and y terms of t, e expressions.
package invariant

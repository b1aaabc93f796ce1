// Package cfa makes control-flow automata of programs: automata whose words
// are the traces of statements that lead from the start to a violated
// assertion or check. A program is right if no such trace can be executed.
//
// Package incremental searches for proofs of that, and package
// incremental/proof checks them; both know the program by its automaton only.
//
// Names: b builder, c automaton, l letter, s state.
package cfa

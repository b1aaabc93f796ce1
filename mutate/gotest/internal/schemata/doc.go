// Package schemata compiles many versions of a Go package into one: mutant
// schemata (Untch, Offutt and Harrold, "Mutation Analysis Using Mutant
// Schemata", ISSTA 1993).
//
// A [Place] is a statement, or an expression in the head of one, that may
// change as a whole. Its [Alternative]s are the texts that a patch would put
// there; they stand beside the original behind a selector, so that what is run
// is what the patch says, order of evaluation included. Wrapping single
// operands would be smaller, but reads a variable before a call that writes
// it, where the compiler reads it after. Choosing is one place, one number.
//
// Code travels through the files in this order: place.go finds places,
// step.go numbers statements, expressions.go, operands.go, conditions.go,
// widths.go, statements.go, reshape.go, nearby.go, siblings.go, shadow.go and moved.go
// say what else could stand there, idiom.go says how much that looks like the rest of the
// package, commute.go which of them do the same, write.go writes the file and check.go drops what go/types rejects.
// runtime.go.txt, loop.go.txt and state.go.txt are compiled in beside it.
//
// Left alone are constants' declarations, package-level variables and init
// (they are not run again for each candidate), functions with go: directives,
// calls of recover, files with cgo, and the labels of a switch with a tag.
package schemata

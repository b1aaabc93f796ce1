// Package ir represents programs with assertions: what the front ends
// produce and what every analysis of this module reads.
//
// A [Program] is structured: procedures hold statements, statements hold
// expressions without side effects. Each [Stmt] is a location and each
// expression that a repair may change is a site; both lead back to the
// exact bytes of the source, however often they are unwound or inlined.
//
// Reading a program: [Parse] for this package's own text format, packages
// cfront and gofront for C and Go. Writing: [Fprint], whose output Parse
// reads back. [Check] finds what is ill-formed. Package interp runs
// programs; package ssa translates them to formulas.
//
// Names in this package: p program, f procedure, b block, s statement,
// e expression, l location, v variable.
package ir

// Package sattest tests implementations of [sat.Solver].
//
// [Run] is a suite for any solver, as package testing/fstest has one for file
// systems: what the interface promises, case by case, and random sequences of
// calls that are compared with enumeration. [Drive] is one such sequence, for
// fuzzing. The solvers of package sat pass the suite in the package's own
// tests.
//
// Names in this package: s solver, m literal, d driver, x set of assignments.
package sattest

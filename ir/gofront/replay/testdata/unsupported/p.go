// Package unsupported has tests with runs that can't be written as tests.
package unsupported

// A Box is shared.
type Box struct{ X, Y int }

// Package house tests what the design promises of the whole repository and
// the compiler does not hold it to: who may import whom.
package house

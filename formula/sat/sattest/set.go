package sattest

// Sets of assignments: the definition of what clauses and counters mean.

import "github.com/go-amend/amend/formula/sat"

// numVars is the number of variables that a driver enumerates.
const numVars = 8

// A set is a set of assignments to numVars variables. Variable i is true in
// assignment a if bit i of a is set.
type set [1 << numVars / 64]uint64

func (x set) has(a int) bool { return x[a/64]>>(a%64)&1 == 1 }

// where returns the assignments with the property p.
func where(p func(a int) bool) (x set) {
	for a := range 1 << numVars {
		if p(a) {
			x[a/64] |= 1 << (a % 64)
		}
	}
	return x
}

func everywhere() set { return where(func(int) bool { return true }) }

func (x set) and(y set) set {
	for i := range x {
		x[i] &= y[i]
	}
	return x
}

func (x set) or(y set) set {
	for i := range x {
		x[i] |= y[i]
	}
	return x
}

// An assumption is a literal and where it may hold.
type assumption struct {
	m  sat.Lit
	in set
}

func lits(as []assumption) (ms []sat.Lit) {
	for _, a := range as {
		ms = append(ms, a.m)
	}
	return ms
}

// trues returns how many of as hold in a.
func trues(as []assumption, a int) (n int) {
	for _, x := range as {
		if x.in.has(a) {
			n++
		}
	}
	return n
}

// union returns where at least one of as holds.
func union(as []assumption) (x set) {
	for _, a := range as {
		x = x.or(a.in)
	}
	return x
}

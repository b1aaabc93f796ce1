// Package bitset is sets of small numbers, as words of bits.
package bitset

import "math/bits"

// A Set is a set of small numbers. Sets that are compared have the same
// length.
type Set []uint64

// New returns the empty set of numbers less than n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether i is in s.
func (s Set) Has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

// Add adds i.
func (s Set) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Remove removes i.
func (s Set) Remove(i int) { s[i>>6] &^= 1 << (i & 63) }

// In reports whether s is a subset of t.
func (s Set) In(t Set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// Meets reports whether s and t, whose lengths may differ, have an element
// in common.
func (s Set) Meets(t Set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// Intersect returns s ∩ t, both made for the same n, in memory of its own.
func (s Set) Intersect(t Set) Set {
	out := make(Set, len(s))
	for i, w := range s {
		out[i] = w & t[i]
	}
	return out
}

// Each calls f for the elements of s in order.
func (s Set) Each(f func(i int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// List returns the elements of s in order.
func (s Set) List() []int {
	var out []int
	s.Each(func(i int) { out = append(out, i) })
	return out
}

// Key returns s as a key of maps.
func (s Set) Key() string {
	b := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for k := 0; k < 64; k += 8 {
			b = append(b, byte(w>>k))
		}
	}
	return string(b)
}

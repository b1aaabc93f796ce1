package incremental

import "math/bits"

// A set is a set of small numbers, as words of bits. Sets that are compared
// have the same length.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) remove(i int)   { s[i>>6] &^= 1 << (i & 63) }

// in reports whether s is a subset of t.
func (s set) in(t set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// meets reports whether s and t, whose lengths may differ, have an element
// in common.
func (s set) meets(t set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// each calls f for the elements of s in order.
func (s set) each(f func(i int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// list returns the elements of s in order.
func (s set) list() []int {
	var out []int
	s.each(func(i int) { out = append(out, i) })
	return out
}

// key returns s as a key of maps.
func (s set) key() string {
	b := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for k := 0; k < 64; k += 8 {
			b = append(b, byte(w>>k))
		}
	}
	return string(b)
}

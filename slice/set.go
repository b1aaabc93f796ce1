package slice

import (
	"iter"
	"math/bits"

	"github.com/go-amend/amend/ir"
)

// A Set is a set of locations. The zero Set is empty.
type Set struct{ words []uint64 }

// Add adds l.
func (s *Set) Add(l ir.LocID) {
	i := int(l) / 64
	for len(s.words) <= i {
		s.words = append(s.words, 0)
	}
	s.words[i] |= 1 << (l % 64)
}

// Has reports whether l is in s.
func (s *Set) Has(l ir.LocID) bool {
	i := int(l) / 64
	return i < len(s.words) && s.words[i]>>(l%64)&1 == 1
}

// Len returns the number of locations in s.
func (s *Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the locations in s, in order.
func (s *Set) All() iter.Seq[ir.LocID] {
	return func(yield func(ir.LocID) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(ir.LocID(64*i + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

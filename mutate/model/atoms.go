package model

import (
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// This file enumerates formulas over the terms of a bank.

// An atom is a formula with its values: a word for each binding.
type atom struct {
	f    relation.Formula
	size int
	v    []uint64
}

// A shelf holds atoms, of those with equal values the first.
type shelf struct {
	care  []uint64
	atoms []*atom
	seen  map[[2]uint64]bool
	most  int
}

func newShelf(care []uint64, most int) *shelf {
	s := &shelf{care: care, seen: make(map[[2]uint64]bool), most: most}
	v := make([]uint64, len(care))
	s.seen[digest(v, care)] = true // never true
	for i := range v {
		v[i] = ^uint64(0)
	}
	s.seen[digest(v, care)] = true // always true
	return s
}

// add puts what f makes on the shelf, unless something means the same as v.
func (s *shelf) add(v []uint64, size int, f func() relation.Formula) {
	if len(s.atoms) >= s.most {
		return
	}
	d := digest(v, s.care)
	if !s.seen[d] {
		s.seen[d] = true
		s.atoms = append(s.atoms, &atom{f(), size, slices.Clone(v)})
	}
}

// atoms returns the comparisons and multiplicities of terms whose sizes are at most
// most together.
func (b *bank) atoms(most, count int, more []*atom) *shelf {
	s := newShelf(b.care, count)
	for _, a := range more {
		s.add(a.v, a.size, func() relation.Formula { return a.f })
	}
	for size := 1; size <= most && len(s.atoms) < count; size++ {
		for _, x := range b.ofSize(size) {
			b.multiplicities(x, s)
		}
		for _, shape := range b.order {
			b.comparisons(shape, size, s)
		}
	}
	return s
}

// multiplicities adds those of x.
func (b *bank) multiplicities(x *term, s *shelf) {
	w := b.ds.all(x.shape)
	some, more := make([]uint64, b.n), make([]uint64, b.n)
	for k := range b.n {
		for _, in := range x.v[k*w : (k+1)*w] {
			more[k] |= some[k] & in
			some[k] |= in
		}
	}
	*b.left -= 4*b.n + b.n*w
	v := make([]uint64, b.n)
	put := func(op relation.MultOp, value func(some, more uint64) uint64) {
		for k := range v {
			v[k] = value(some[k], more[k])
		}
		s.add(v, x.size, func() relation.Formula { return &relation.Mult{Op: op, X: x.x} })
	}
	put(relation.SomeOf, func(some, _ uint64) uint64 { return some })
	put(relation.NoOf, func(some, _ uint64) uint64 { return ^some })
	put(relation.LoneOf, func(_, more uint64) uint64 { return ^more })
	put(relation.OneOf, func(some, more uint64) uint64 { return some &^ more })
}

// comparisons adds those of two terms of a shape whose sizes are size together.
func (b *bank) comparisons(shape rank.Shape, size int, s *shelf) {
	w := b.ds.all(shape)
	in, equal := make([]uint64, b.n), make([]uint64, b.n)
	for _, x := range b.shape[shape] {
		for _, y := range b.shape[shape] {
			if x.size+y.size != size || x == y {
				continue
			}
			if *b.left -= b.n*w + 8; *b.left < 0 || len(s.atoms) >= s.most {
				return
			}
			for k := range b.n {
				sub, super := ^uint64(0), ^uint64(0)
				for i := k * w; i < (k+1)*w; i++ {
					sub &= ^x.v[i] | y.v[i]
					super &= x.v[i] | ^y.v[i]
				}
				in[k], equal[k] = sub, sub&super
			}
			b.compare(relation.In, relation.NotIn, x, y, in, s)
			if x.size >= y.size {
				b.compare(relation.Equal, relation.NotEqual, x, y, equal, s)
			}
		}
	}
}

// compare adds a comparison that has the value v, and its opposite.
func (b *bank) compare(op, not relation.CompareOp, x, y *term, v []uint64, s *shelf) {
	s.add(v, x.size+y.size, func() relation.Formula { return &relation.Compare{Op: op, X: x.x, Y: y.x} })
	for k := range v {
		v[k] = ^v[k]
	}
	s.add(v, x.size+y.size, func() relation.Formula { return &relation.Compare{Op: not, X: x.x, Y: y.x} })
}

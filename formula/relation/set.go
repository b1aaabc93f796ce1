package relation

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// This file holds universes, sets of tuples and bounds.

// An Atom is an element of a universe: an index from 0.
type Atom uint16

// A Universe is what atoms are: their names, and the integers that some of them
// stand for.
type Universe struct {
	names []string
	value []int // of atoms that stand for integers
	isInt []bool
	atom  map[int]Atom
	bits  int
}

// NewUniverse returns a universe whose integers have width bits in two's
// complement, 1 to 16. It holds no atoms.
func NewUniverse(width int) *Universe {
	if width < 1 || width > 16 {
		panic("relation: bit width must be 1 to 16")
	}
	return &Universe{bits: width, atom: map[int]Atom{}}
}

// Add adds an atom. The name is for people only.
func (u *Universe) Add(name string) Atom {
	u.names = append(u.names, name)
	u.value = append(u.value, 0)
	u.isInt = append(u.isInt, false)
	return Atom(len(u.names) - 1)
}

// AddInts adds an atom for each integer of the bit width, smallest first,
// and returns the first. It may be called once.
func (u *Universe) AddInts() Atom {
	if len(u.atom) > 0 {
		panic("relation: integers added twice")
	}
	first := Atom(len(u.names))
	for v := -1 << (u.bits - 1); v < 1<<(u.bits-1); v++ {
		a := u.Add(fmt.Sprint(v))
		u.value[a], u.isInt[a], u.atom[v] = v, true, a
	}
	return first
}

// Len returns the number of atoms.
func (u *Universe) Len() int { return len(u.names) }

// Width returns the integers' number of bits.
func (u *Universe) Width() int { return u.bits }

// Name returns an atom's name.
func (u *Universe) Name(a Atom) string { return u.names[a] }

// Int returns the integer that a stands for, and whether it stands for one.
func (u *Universe) Int(a Atom) (int, bool) { return u.value[a], u.isInt[a] }

// IntAtom returns the atom that stands for v, and whether there is one.
func (u *Universe) IntAtom(v int) (Atom, bool) {
	a, ok := u.atom[v]
	return a, ok
}

// Wrap returns v wrapped around to the bit width.
func (u *Universe) Wrap(v int) int {
	m := 1 << u.bits
	v &= m - 1
	if v >= m/2 {
		v -= m
	}
	return v
}

// MaxArity is how many columns a relation may have.
const MaxArity = 4

// A tuple packs up to four atoms, first column highest, so that tuples of one
// arity sort lexicographically.
type tuple uint64

func pack(as []Atom) tuple {
	t := tuple(0)
	for _, a := range as {
		t = t<<16 | tuple(a)
	}
	return t
}

func (t tuple) unpack(arity int) []Atom {
	as := make([]Atom, arity)
	for i := arity - 1; i >= 0; i-- {
		as[i], t = Atom(t), t>>16
	}
	return as
}

// A Set is a set of tuples of one arity, 1 to 4. It does not change.
type Set struct {
	arity  int
	tuples []tuple // sorted
}

// NewSet returns the set of the tuples, each of which must have the arity.
func NewSet(arity int, tuples ...[]Atom) *Set {
	if arity < 1 || arity > MaxArity {
		panic("relation: arity must be 1 to 4")
	}
	ts := make([]tuple, len(tuples))
	for i, t := range tuples {
		if len(t) != arity {
			panic("relation: tuple of another arity")
		}
		ts[i] = pack(t)
	}
	return sorted(arity, ts)
}

// SetOfAtoms returns the set of the atoms, of arity 1.
func SetOfAtoms(as ...Atom) *Set {
	ts := make([]tuple, len(as))
	for i, a := range as {
		ts[i] = tuple(a)
	}
	return sorted(1, ts)
}

func sorted(arity int, ts []tuple) *Set {
	slices.Sort(ts)
	return &Set{arity, slices.Compact(ts)}
}

// Arity returns the number of columns.
func (s *Set) Arity() int { return s.arity }

// Len returns the number of tuples.
func (s *Set) Len() int { return len(s.tuples) }

// All yields the tuples in lexicographic order. They are the caller's.
func (s *Set) All() iter.Seq[[]Atom] {
	return func(yield func([]Atom) bool) {
		for _, t := range s.tuples {
			if !yield(t.unpack(s.arity)) {
				return
			}
		}
	}
}

// Has returns whether the tuple is in the set.
func (s *Set) Has(t ...Atom) bool {
	return len(t) == s.arity && s.has(pack(t))
}

func (s *Set) has(t tuple) bool {
	_, ok := slices.BinarySearch(s.tuples, t)
	return ok
}

// Equal returns whether both sets hold the same tuples.
func (s *Set) Equal(o *Set) bool { return slices.Equal(s.tuples, o.tuples) }

// In returns whether all tuples of s are in o.
func (s *Set) In(o *Set) bool {
	return !slices.ContainsFunc(s.tuples, func(t tuple) bool { return !o.has(t) })
}

// Union returns the tuples of either set; the arities must be equal.
func (s *Set) Union(o *Set) *Set {
	return sorted(s.arity, slices.Concat(s.tuples, o.tuples))
}

// Minus returns the tuples of s that are not in o.
func (s *Set) Minus(o *Set) *Set {
	return s.filter(func(t tuple) bool { return !o.has(t) })
}

// Intersect returns the tuples of both sets.
func (s *Set) Intersect(o *Set) *Set { return s.filter(o.has) }

func (s *Set) filter(keep func(tuple) bool) *Set {
	r := &Set{arity: s.arity}
	for _, t := range s.tuples {
		if keep(t) {
			r.tuples = append(r.tuples, t)
		}
	}
	return r
}

// Product returns each tuple of s followed by each of o; the arities must add
// up to at most MaxArity.
func (s *Set) Product(o *Set) *Set {
	if s.arity+o.arity > MaxArity {
		panic("relation: arity above 4")
	}
	r := &Set{arity: s.arity + o.arity}
	for _, t := range s.tuples {
		for _, v := range o.tuples {
			r.tuples = append(r.tuples, t<<(16*o.arity)|v)
		}
	}
	return r
}

// Format returns the set with the names of u: {A$0->B$1, A$1->B$1}.
func (s *Set) Format(u *Universe) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, t := range s.tuples {
		if i > 0 {
			b.WriteString(", ")
		}
		for j, a := range t.unpack(s.arity) {
			if j > 0 {
				b.WriteString("->")
			}
			b.WriteString(u.Name(a))
		}
	}
	b.WriteByte('}')
	return b.String()
}

// Bounds say for each relation which tuples it must hold (lower) and which it
// may hold (upper).
type Bounds struct {
	Universe     *Universe
	rels         []*Relation
	lower, upper map[*Relation]*Set
	sorts        []*Relation // nil if Univ holds all atoms
	steps        int         // states of a trace, 0 without one
	varying      map[*Relation]bool
}

// NewBounds returns bounds of no relation.
func NewBounds(u *Universe) *Bounds {
	return &Bounds{Universe: u, lower: map[*Relation]*Set{}, upper: map[*Relation]*Set{}, varying: map[*Relation]bool{}}
}

// Bind sets the bounds of r, which is then one of Relations. A nil lower is the
// empty set. Lower must be in upper.
func (b *Bounds) Bind(r *Relation, lower, upper *Set) {
	if lower == nil {
		lower = &Set{arity: r.Width}
	}
	if lower.arity != r.Width || upper.arity != r.Width || !lower.In(upper) {
		panic("relation: bounds of " + r.Name + " don't fit")
	}
	if _, ok := b.upper[r]; !ok {
		b.rels = append(b.rels, r)
	}
	b.lower[r], b.upper[r] = lower, upper
}

// Relations returns the relations in the order of their first Bind.
// The caller must not modify it.
func (b *Bounds) Relations() []*Relation { return b.rels }

// Lower returns the tuples that r must hold; r must be bound.
func (b *Bounds) Lower(r *Relation) *Set { return b.lower[r] }

// Upper returns the tuples that r may hold; r must be bound.
func (b *Bounds) Upper(r *Relation) *Set { return b.upper[r] }

// SetSorts says that the atoms of an instance, which Univ holds, are those of the
// sets rs in it, and the integers. Without it they are all atoms of the universe.
func (b *Bounds) SetSorts(rs ...*Relation) {
	for _, r := range rs {
		if r.Width != 1 || b.upper[r] == nil {
			panic("relation: " + r.Name + " is no set that is bound")
		}
	}
	b.sorts = append([]*Relation{}, rs...)
}

// Sorts returns what SetSorts was given, nil if it was not called. The caller must
// not modify it.
func (b *Bounds) Sorts() []*Relation { return b.sorts }

// SetSteps says that an instance is a trace of n states, after the last of which
// one of them comes again: that stands for every such trace with fewer states, too.
func (b *Bounds) SetSteps(n int) {
	if n < 1 || n > MaxSteps {
		panic("relation: no such number of states")
	}
	b.steps = n
}

// MaxSteps is how many states a trace may have.
const MaxSteps = 1 << 10

// Steps returns what SetSteps was given, 0 if it was not called.
func (b *Bounds) Steps() int { return b.steps }

// Vary says that the relations may have other tuples in each state of a trace.
func (b *Bounds) Vary(rs ...*Relation) {
	for _, r := range rs {
		b.varying[r] = true
	}
}

// Varies returns whether r was given to Vary.
func (b *Bounds) Varies(r *Relation) bool { return b.varying[r] }

// Clone returns a copy, to which relations can be added.
func (b *Bounds) Clone() *Bounds {
	c := NewBounds(b.Universe)
	c.sorts, c.steps, c.varying = b.sorts, b.steps, maps.Clone(b.varying)
	for _, r := range b.rels {
		c.Bind(r, b.lower[r], b.upper[r])
	}
	return c
}

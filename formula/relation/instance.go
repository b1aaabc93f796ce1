package relation

import "maps"

// This file holds instances, of one state or of many.

// An Instance gives each relation of its bounds a set of tuples, in each state if
// the bounds have a trace: the states follow each other, and after the last comes
// that at Loop again.
type Instance struct {
	Bounds *Bounds
	sets   map[*Relation]*Set   // in the first state
	later  []map[*Relation]*Set // varying relations in the states after it
	loop   int
}

// NewInstance returns an instance in which each relation is its lower bound, in
// all states.
func NewInstance(b *Bounds) *Instance {
	in := &Instance{Bounds: b, sets: map[*Relation]*Set{}}
	for i := 1; i < b.steps; i++ {
		in.later = append(in.later, map[*Relation]*Set{})
	}
	in.loop = len(in.later)
	for _, r := range b.rels {
		in.set(r, b.lower[r])
	}
	return in
}

// set sets the tuples of r in all states.
func (in *Instance) set(r *Relation, s *Set) {
	in.sets[r] = s
	for _, m := range in.later {
		if in.Bounds.varying[r] {
			m[r] = s
		}
	}
}

// Get returns the tuples of r, in the first state, or nil if r is not bound.
func (in *Instance) Get(r *Relation) *Set { return in.sets[r] }

// Put sets the tuples of r, which must be within its bounds, in all states.
func (in *Instance) Put(r *Relation, s *Set) {
	in.within(r, s)
	in.set(r, s)
}

func (in *Instance) within(r *Relation, s *Set) {
	if !in.Bounds.lower[r].In(s) || !s.In(in.Bounds.upper[r]) {
		panic("relation: tuples outside the bounds of " + r.Name)
	}
}

// States returns the number of states, 1 without a trace.
func (in *Instance) States() int { return 1 + len(in.later) }

// Loop returns the state that comes after the last.
func (in *Instance) Loop() int { return in.loop }

// SetLoop says which state, from 0, comes after the last.
func (in *Instance) SetLoop(i int) {
	if i < 0 || i >= in.States() {
		panic("relation: no such state")
	}
	in.loop = i
}

// GetAt returns the tuples of r in the i-th state, from 0.
func (in *Instance) GetAt(i int, r *Relation) *Set {
	if i > 0 && in.Bounds.varying[r] {
		return in.later[i-1][r]
	}
	return in.sets[r]
}

// PutAt sets the tuples of r, which must be within its bounds, in the i-th state;
// if r doesn't vary, in all.
func (in *Instance) PutAt(i int, r *Relation, s *Set) {
	in.within(r, s)
	if i > 0 && in.Bounds.varying[r] {
		in.later[i-1][r] = s
	} else {
		in.sets[r] = s
	}
}

// State returns the i-th state as an instance whose only state lasts for ever.
func (in *Instance) State(i int) *Instance {
	out := &Instance{Bounds: in.Bounds, sets: maps.Clone(in.sets)}
	if i > 0 {
		maps.Copy(out.sets, in.later[i-1])
	}
	return out
}

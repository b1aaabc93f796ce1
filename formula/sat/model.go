package sat

import "slices"

// Every model is evaluated in the clauses as the caller added them, which
// are kept apart from those that the engine works on. The cost is that of
// what changed: each clause is in the list of a literal that was true in the
// last model (as clauses are in the list of a watched literal), and is looked
// at only if it no longer is. The part of the trail that outlived the last
// model has not changed.

type modelCheck struct {
	vals  []int8   // of the last model, by literal: 1 true, -1 false
	known Lit      // the last variable of the model
	kept  int      // length of the trail that is as it was in the last model
	lits  []Lit    // the clauses: link to the next of the list, literals, zero
	lists []uint32 // by literal: the first clause of its list; 0 those new
	fell  []Lit    // scratch: literals that were true and are false
}

// add keeps a clause of the caller.
func (k *modelCheck) add(ms []Lit) {
	if len(k.lists) == 0 {
		k.lists, k.lits = make([]uint32, 2), make([]Lit, 1, 64)
	}
	k.put(0, ms)
}

// put puts a clause into the list of m.
func (k *modelCheck) put(m Lit, c []Lit) {
	i := uint32(len(k.lits))
	k.lits = lengthen(k.lits, len(c)+2)
	a := k.lits[i:]
	a[0], a[len(c)+1] = Lit(k.lists[m]), 0
	copy(a[1:], c)
	k.lists[m] = i
}

// model takes the values of e for a model. It is false if they are none.
func (k *modelCheck) model(e *engine) bool {
	k.vals = extend(k.vals, 2*int(e.vars+1))
	k.lists = extend(k.lists, 2*int(e.vars+1))
	k.known = e.vars
	k.fell = append(k.fell[:0], 0)
	for _, m := range e.trail[k.kept:] {
		if k.vals[m] < 0 {
			k.fell = append(k.fell, m^1)
		}
		k.vals[m], k.vals[m^1] = 1, -1
	}
	k.kept = len(e.trail)
	k.fell = e.recon.extend(k.vals, k.fell)
	for _, m := range k.fell {
		if !k.holds(m) {
			return false
		}
	}
	for _, m := range e.assume {
		if k.vals[m] <= 0 {
			return false
		}
	}
	return true
}

// holds reports whether all clauses of m's list, which it empties, hold.
func (k *modelCheck) holds(m Lit) bool {
	i := k.lists[m]
	k.lists[m] = 0
	for i != 0 {
		next := uint32(k.lits[i])
		t := k.trueIn(i)
		if t == 0 {
			return false
		}
		k.lits[i], k.lists[t] = Lit(k.lists[t]), i
		i = next
	}
	return true
}

// trueIn returns a true literal of a clause, or 0.
func (k *modelCheck) trueIn(i uint32) Lit {
	for i++; ; i++ {
		if m := k.lits[i]; m == 0 || k.vals[m] > 0 {
			return m
		}
	}
}

// forget forgets the clauses that have a literal which is true at the root: it
// is so in each model to come.
func (k *modelCheck) forget(e *engine) {
	old, lists := k.lits, k.lists
	if len(lists) == 0 {
		return
	}
	k.lits, k.lists = make([]Lit, 1, cap(old)/2+64), make([]uint32, len(lists))
	for m, i := range lists {
		for i != 0 {
			c := clauseAt(old, i)
			if !slices.ContainsFunc(c, func(m Lit) bool { return e.rootValue(m) > 0 }) {
				k.put(Lit(m), c)
			}
			i = uint32(old[i])
		}
	}
}

// clauseAt returns the literals of the clause at i.
func clauseAt(lits []Lit, i uint32) []Lit {
	n := slices.Index(lits[i+1:], 0)
	return lits[i+1 : int(i)+1+n]
}

func (k *modelCheck) value(m Lit) bool {
	if m>>1 > k.known {
		return m&1 == 1
	}
	return k.vals[m] > 0
}

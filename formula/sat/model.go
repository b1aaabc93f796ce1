package sat

import "slices"

// Every model is evaluated in the clauses as the caller added them, which
// are kept apart from those that the engine works on. The cost is that of
// what changed: each clause is in the list of a literal that was true in the
// last model (as clauses are in the list of a watched literal), and is looked
// at only if it no longer is. The part of the trail that outlived the last
// model has not changed.

type modelCheck struct {
	vals    []int8   // of the last model, by literal: 1 true, -1 false
	known   Lit      // the last variable of the model
	same    int      // length of the trail that is as it was in the last model
	clauses kept     // each with a link to the next of its list
	lists   []uint32 // by literal: the first clause of its list; 0 those new
	fell    []Lit    // scratch: literals that were true and are false
}

// add keeps a clause of the caller.
func (k *modelCheck) add(ms []Lit) {
	if len(k.lists) == 0 {
		k.lists = make([]uint32, 2)
	}
	k.put(0, ms)
}

// put puts a clause into the list of m.
func (k *modelCheck) put(m Lit, c []Lit) {
	k.lists[m] = k.clauses.add(k.lists[m], c)
}

// model takes the values of e for a model. It is false if they are none.
func (k *modelCheck) model(e *engine) bool {
	k.vals = extend(k.vals, 2*int(e.vars+1))
	k.lists = extend(k.lists, 2*int(e.vars+1))
	k.known = e.vars
	k.fell = append(k.fell[:0], 0)
	for _, m := range e.trail[k.same:] {
		if k.vals[m] < 0 {
			k.fell = append(k.fell, m^1)
		}
		k.vals[m], k.vals[m^1] = 1, -1
	}
	k.same = len(e.trail)
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
		words := k.clauses.at(i)
		next := uint32(words[0])
		t := k.trueIn(words)
		if t == 0 {
			return false
		}
		words[0], k.lists[t] = Lit(k.lists[t]), i
		i = next
	}
	return true
}

// trueIn returns a true literal of a clause, or 0.
func (k *modelCheck) trueIn(words []Lit) Lit {
	for i := 1; ; i++ {
		if m := words[i]; m == 0 || k.vals[m] > 0 {
			return m
		}
	}
}

// forget forgets the clauses that have a literal which is true at the root: it
// is so in each model to come.
func (k *modelCheck) forget(e *engine) {
	old, lists := k.clauses, k.lists
	if len(lists) == 0 {
		return
	}
	k.clauses, k.lists = kept{}, make([]uint32, len(lists))
	for m, i := range lists {
		for i != 0 {
			words := old.at(i)
			c := clause(words)
			if !slices.ContainsFunc(c, func(m Lit) bool { return e.rootValue(m) > 0 }) {
				k.put(Lit(m), c)
			}
			i = uint32(words[0])
		}
	}
}

func (k *modelCheck) value(m Lit) bool {
	if m>>1 > k.known {
		return m&1 == 1
	}
	return k.vals[m] > 0
}

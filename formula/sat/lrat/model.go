package lrat

import "github.com/go-amend/amend/formula/sat"

// Models are checked in all clauses, but a clause is looked at only if the
// literal that was true in it in the last model no longer is: where thousands
// of models differ little, evaluating all clauses takes most of the time.

type models struct {
	starts []uint32 // by clause: where it begins
	next   []uint32 // by clause: the next in its list, counted from 1
	lists  []uint32 // by literal: the first clause that it is true in, from 1
	trues  []bool   // by literal: true in the last model
	read   int      // how much of the clauses is in lists
	fell   []sat.Lit
}

// check returns a clause that the model of s does not satisfy, or nil. Each of
// clauses is ended by zero; they begin with those of the last call.
func (k *models) check(clauses []sat.Lit, s sat.Solver) []sat.Lit {
	k.grow(clauses[k.read:])
	k.compare(s)
	for _, m := range k.fell {
		i := k.lists[m]
		k.lists[m] = 0
		for i != 0 {
			next := k.next[i-1]
			if c := k.put(clauses, i); c != nil {
				return c
			}
			i = next
		}
	}
	for k.read < len(clauses) {
		k.starts, k.next = append(k.starts, uint32(k.read)), append(k.next, 0)
		c := clauseAt(clauses, k.read)
		k.read += len(c) + 1
		if c := k.put(clauses, uint32(len(k.starts))); c != nil {
			return c
		}
	}
	return nil
}

// grow makes room for the literals of clauses that are new.
func (k *models) grow(clauses []sat.Lit) {
	top := sat.Lit(1)
	for _, m := range clauses {
		top = max(top, m|1)
	}
	if n := int(top) + 1 - len(k.lists); n > 0 {
		k.lists = append(k.lists, make([]uint32, n)...)
		k.trues = append(k.trues, make([]bool, n)...)
	}
}

// compare takes the values of s, and notes which literals are no longer true.
func (k *models) compare(s sat.Solver) {
	k.fell = k.fell[:0]
	for m := sat.Lit(2); int(m) < len(k.trues); m += 2 {
		yes, no := s.Value(m), s.Value(m.Not())
		k.set(m, yes && !no)
		k.set(m.Not(), no && !yes)
	}
}

func (k *models) set(m sat.Lit, now bool) {
	if k.trues[m] && !now {
		k.fell = append(k.fell, m)
	}
	k.trues[m] = now
}

// put puts clause i, counted from 1, into the list of a literal that is true,
// or returns it.
func (k *models) put(clauses []sat.Lit, i uint32) []sat.Lit {
	c := clauseAt(clauses, int(k.starts[i-1]))
	for _, m := range c {
		if k.trues[m] {
			k.next[i-1], k.lists[m] = k.lists[m], i
			return nil
		}
	}
	return c
}

// clauseAt returns the clause that begins at i.
func clauseAt(clauses []sat.Lit, i int) []sat.Lit {
	n := i
	for clauses[n] != 0 {
		n++
	}
	return clauses[i:n]
}

// holds tells whether m is true in the model of s, and its complement is not.
func holds(s sat.Solver, m sat.Lit) bool { return s.Value(m) && !s.Value(m.Not()) }

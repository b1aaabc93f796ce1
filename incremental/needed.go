package incremental

import (
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/incremental/proof"
)

// This file leaves out of an automaton the triples that it doesn't need. A state
// goes to all predicates that hold, of which most say nothing about why a trace is
// infeasible; each would be proved anew by the check of the proof, and asked of
// every new letter of each revision to come.

// A demand is what is needed of a Floyd-Hoare automaton f, so that it accepts
// what it does: by state of its product with what is left of a program, the
// predicates that must hold there. It is found from the accepting states
// backwards.
type demand struct {
	f      *hoareAutomaton
	pairs  []together
	in     [][]arc      // by pair: letters that lead to it, and from where
	need   []bitset.Set // by pair
	wanted map[*triple]bool
	todo   []int32 // pairs of which more is needed
	sizes  []int   // of predicates; 0 if not known yet
}

// together is a state of a product.
type together struct{ a, f int32 }

// fewTriples is how many triples cost too little to be chosen from. A choice
// leaves what was asked first, which is not always what is said best: a reader of
// invariants would rather have them all.
const fewTriples = 16

// needOnly leaves f only triples with which it accepts all traces of a that it
// does by known triples. It leaves all of them if they are few, or if the
// product has more than limit states.
func (f *hoareAutomaton) needOnly(a *automaton, limit int) {
	if f.uses() <= fewTriples {
		return
	}
	d := &demand{f: f, wanted: make(map[*triple]bool), sizes: make([]int, len(f.preds))}
	if !d.product(a, limit) {
		return
	}
	for len(d.todo) > 0 {
		x := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		for _, e := range d.in[x] {
			d.need[x].Each(func(i int) { d.want(e.to, int(e.letter), i) })
		}
	}
	for l := range f.triples {
		for i := range f.triples[l] {
			x := &f.triples[l][i]
			x.used = d.wanted[x]
		}
	}
	f.memory = nil // of recall
}

// uses returns how many triples f has made use of.
func (f *hoareAutomaton) uses() int {
	n := 0
	for _, triples := range f.triples {
		for i := range triples {
			if triples[i].used {
				n++
			}
		}
	}
	return n
}

// product makes the pairs, and wants of each what makes f accept. It reports
// whether there are at most limit pairs.
func (d *demand) product(a *automaton, limit int) bool {
	index := make(map[together]int32)
	number := func(p together) int32 {
		i, ok := index[p]
		if !ok {
			i = int32(len(d.pairs))
			index[p] = i
			d.pairs, d.in, d.need = append(d.pairs, p), append(d.in, nil), append(d.need, bitset.New(len(d.f.preds)))
		}
		return i
	}
	number(together{a.start, 0})
	for i := int32(0); int(i) < len(d.pairs); i++ {
		if len(d.pairs) > limit {
			return false
		}
		p := d.pairs[i]
		for _, e := range a.out[p.a] {
			q := d.f.recall(p.f, int(e.letter))
			if q == accepting {
				d.want(i, int(e.letter), proof.False)
				continue
			}
			to := number(together{e.to, q})
			d.in[to] = append(d.in[to], arc{e.letter, i})
		}
	}
	return true
}

// size returns how many terms predicate i has, or maxSize if there are more.
func (d *demand) size(i int) int {
	const maxSize = 32
	if d.sizes[i] == 0 {
		d.sizes[i] = d.f.e.t.size(d.f.preds[i], maxSize)
	}
	return d.sizes[i]
}

// want sees to it that the predicate post holds after letter l is read at x:
// if it can, by what is needed there already.
func (d *demand) want(x int32, l, post int) {
	f, s := d.f, d.f.states[d.pairs[x].f]
	framed := post != proof.False && s.Has(post) && f.e.t.frame(l, f.preds[post])
	if framed && d.need[x].Has(post) {
		return
	}
	var best *triple
	least := 0
	for i := range f.triples[l] {
		t := &f.triples[l][i]
		if !t.used || t.post != post || !t.pre.In(s) {
			continue
		}
		cost := 0 // what more is needed: short predicates rather than long ones
		t.pre.Each(func(i int) {
			if !d.need[x].Has(i) {
				cost += d.size(i)
			}
		})
		if !d.wanted[t] {
			cost++
		}
		if best == nil || cost < least {
			best, least = t, cost
		}
	}
	before := bitset.New(len(f.preds))
	if framed && (best == nil || least > d.size(post)) {
		before.Add(post)
	} else {
		d.wanted[best] = true
		before = best.pre
	}
	more := false
	before.Each(func(i int) {
		if !d.need[x].Has(i) {
			d.need[x].Add(i)
			more = true
		}
	})
	if more {
		d.todo = append(d.todo, x)
	}
}

package sat

import "slices"

// Reconstruction and restoring: what makes it right to remove clauses that do
// not follow from the others (Järvisalo, Heule and Biere, IJCAR 2012; for
// incremental use: Fazekas, Biere and Scholl, SAT 2019). A removed clause
// waits on a stack with a literal of it, its witness: whatever satisfies the
// clauses left satisfies this one too, once the witness is made true where
// nothing else of the clause is. From the last clause to the first this makes
// a model of the caller's clauses out of a model of those left.
//
// A witness's variable is gone. Should it come back, in a clause or as an
// assumption, then so do all clauses whose witness it is, and with them the
// variables that have gone since. It does not go again.

type reconstruction struct {
	gone   []bool // by variable
	frozen []bool // by variable: may not go
	spans  []span // by variable: its clauses in starts
	starts []uint32
	stack  []Lit // each clause: witness or 0 if it came back, size, literals, and its number in a proof
	dead   int   // words of clauses that came back
	back   []uint32
}

// A span is a range of clauses on the stack.
type span struct{ from, to uint32 }

func (r *reconstruction) grow(n int) {
	r.gone = extend(r.gone, n)
	r.frozen = extend(r.frozen, n)
	r.spans = extend(r.spans, n)
}

// push puts a removed clause onto the stack.
func (r *reconstruction) push(e *engine, witness Lit, c []Lit, id uint64) {
	r.starts = append(r.starts, uint32(len(r.stack)))
	r.stack = append(append(r.stack, witness, Lit(len(c))), c...)
	if e.proof.on {
		r.stack = append(r.stack, Lit(id), Lit(id>>32))
	}
}

// at returns the ith clause.
func (r *reconstruction) at(i uint32) (witness Lit, c []Lit) {
	s := r.starts[i]
	return r.stack[s], r.stack[s+2 : s+2+uint32(r.stack[s+1])]
}

// id returns the number of the ith clause.
func (r *reconstruction) id(i uint32) uint64 {
	s := r.starts[i]
	s += 2 + uint32(r.stack[s+1])
	return uint64(r.stack[s]) | uint64(r.stack[s+1])<<32
}

// extend makes vals, by literal, a model of the removed clauses too. It
// appends to fell the literals that are no longer true.
func (r *reconstruction) extend(vals []int8, fell []Lit) []Lit {
	for i := len(r.starts); i > 0; i-- {
		w, c := r.at(uint32(i - 1))
		if w > 0 && vals[w] == 0 { // never had a value
			vals[w&^1], vals[w|1] = -1, 1
		}
		if w == 0 || slices.ContainsFunc(c, func(m Lit) bool { return vals[m] > 0 }) {
			continue
		}
		vals[w], vals[w^1] = 1, -1
		fell = append(fell, w^1)
	}
	return fell
}

// leave removes v, whose clauses are those on the stack from index from on.
func (e *engine) leave(v uint32, from int) {
	r := &e.recon
	r.gone[v] = true
	r.spans[v] = span{uint32(from), uint32(len(r.starts))}
	e.queue.remove(int32(v))
}

// comeBack restores the variables of ms that are gone.
func (e *engine) comeBack(ms []Lit) {
	r := &e.recon
	if len(r.starts) == 0 {
		return
	}
	r.back = r.back[:0]
	e.summon(ms)
	for k := 0; k < len(r.back); k++ { // before any clause is
		for i := r.spans[r.back[k]].from; i < r.spans[r.back[k]].to; i++ {
			_, c := r.at(i)
			e.summon(c)
		}
	}
	for k := 0; k < len(r.back); k++ {
		for i := r.spans[r.back[k]].from; i < r.spans[r.back[k]].to; i++ {
			e.restore(i)
		}
	}
}

// summon notes the variables of ms that are gone as coming back.
func (e *engine) summon(ms []Lit) {
	r := &e.recon
	for _, m := range ms {
		v := uint32(m >> 1)
		if !r.gone[v] {
			continue
		}
		e.stats.returned++
		r.gone[v], r.frozen[v] = false, true
		r.back = append(r.back, v)
		e.queue.append(int32(v))
		if e.heap.pos[v] < 0 {
			e.heap.insert(v)
		}
	}
}

// restore adds the ith clause again.
func (e *engine) restore(i uint32) {
	r := &e.recon
	_, c := r.at(i)
	r.stack[r.starts[i]] = 0
	r.dead += len(c) + 2
	var id uint64
	if e.proof.on {
		id = r.id(i)
	}
	if e.inconsistent {
		return
	}
	short, holds := e.normal(c)
	if holds {
		e.proof.delete(id)
		return
	}
	if len(short) < len(c) {
		id = e.proof.shortened(e, c, short, id)
	}
	e.install(short, id)
}

// compact takes the clauses that came back off the stack.
func (r *reconstruction) compact(e *engine) {
	if r.dead < len(r.stack)/2 {
		return
	}
	old := *r
	r.stack, r.starts, r.dead = nil, nil, 0
	for i := uint32(0); i < uint32(len(old.starts)); {
		w, _ := old.at(i)
		if w == 0 {
			i++
			continue
		}
		v := w >> 1
		s := old.spans[v]
		from := uint32(len(r.starts))
		for ; i < s.to; i++ {
			var id uint64
			if e.proof.on {
				id = old.id(i)
			}
			w, c := old.at(i)
			r.push(e, w, c, id)
		}
		r.spans[v] = span{from, uint32(len(r.starts))}
	}
}

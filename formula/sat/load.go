package sat

import "context"

// Loading: clauses that are added before the first query wait, as they are
// kept for the check of models anyway, until that query. Then the arena and
// the lists of watches are made at once, in their sizes. Binary clauses come
// first in each list.

// loading is how far that is. It counts watches by literal, and has the binary
// clauses.
type loading struct {
	at     int // in modelCheck.lits
	counts []uint32
	pairs  []pair
}

type pair struct {
	m, n Lit
	ref  uint32
}

// loadSlice is how many clauses go by until load looks at its context.
const loadSlice = 1 << 12

// load takes in the clauses that wait. It is false if ctx ends before; the
// next call goes on.
func (e *engine) load(ctx context.Context) bool {
	l := e.loading
	if l == nil {
		return true
	}
	lits := e.check.lits
	if l.at == 0 && len(lits) > cap(e.arena) && !e.proof.on {
		e.arena = make([]Lit, 1, len(lits)+len(lits)/4)
	}
	l.counts = extend(l.counts, len(e.vals))
	l.at = max(l.at, 1)
	for n := 1; l.at < len(lits); n++ {
		if n%loadSlice == 0 && ctx.Err() != nil {
			return false
		}
		c := clauseAt(lits, uint32(l.at))
		l.at += len(c) + 2
		l.take(e, c)
	}
	e.loading = nil
	if !e.inconsistent {
		l.watch(e)
	}
	return true
}

// take takes one clause.
func (l *loading) take(e *engine, ms []Lit) {
	if e.inconsistent {
		e.proof.input(ms)
		return
	}
	c, id, holds := e.taken(ms)
	switch {
	case holds:
		return
	case len(c) == 0:
		e.inconsistent = true
		return
	case len(c) == 1:
		e.assignRoot(c[0], id)
		return
	case len(c) == 2:
		l.pairs = append(l.pairs, pair{c[0], c[1], binary | e.proof.newBinary(id)})
	default:
		e.alloc(c, 0, id)
	}
	e.elim.clauses++
	l.counts[c[0]]++
	l.counts[c[1]]++
}

// watch makes the lists.
func (l *loading) watch(e *engine) {
	w := &e.watches
	n := uint32(0)
	for m, k := range l.counts {
		room := watchList{n: k}.roomy()
		w.lists[m] = watchList{n, 0, room}
		n += room
	}
	w.pool = make([]watch, n, n+n/4)
	for _, p := range l.pairs {
		w.add(p.m, watch{p.n, p.ref})
		w.add(p.n, watch{p.m, p.ref})
	}
	for ref := uint32(1); ref < uint32(len(e.arena)); ref += e.words(uint32(e.arena[ref])) {
		c := e.lits(ref)
		w.add(c[0], watch{c[1], ref})
		w.add(c[1], watch{c[0], ref})
	}
}

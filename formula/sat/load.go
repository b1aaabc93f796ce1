package sat

// Loading: clauses that are added before the first query wait, as they are
// kept for the check of models anyway, until that query. Then the arena and
// the lists of watches are made at once, in their sizes. Binary clauses come
// first in each list.

// load takes in the clauses that wait.
func (e *engine) load() {
	if e.loaded {
		return
	}
	e.loaded = true
	if room := len(e.check.lits) + len(e.check.lits)/4; room > cap(e.arena) && !e.proof.on {
		e.arena = make([]Lit, 1, room)
	}
	l := loading{counts: make([]uint32, len(e.vals))}
	for i := 1; i < len(e.check.lits); {
		c := clauseAt(e.check.lits, uint32(i))
		i += len(c) + 2
		l.take(e, c)
	}
	if e.inconsistent {
		return
	}
	l.watch(e)
}

// loading counts watches by literal, and has the binary clauses.
type loading struct {
	counts []uint32
	pairs  []pair
}

type pair struct {
	m, n Lit
	ref  uint32
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

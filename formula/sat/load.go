package sat

import "context"

// Loading: clauses that are added before the first query wait, as they are
// kept for the check of models anyway, until that query. Then the arena and
// the lists of watches are made at once, in their sizes. Binary clauses come
// first in each list.

// loading is how far that is. It counts watches by literal, and has the binary
// clauses.
type loading struct {
	piece, at int // where the next clause is, in kept
	counts    []uint32
	pairs     []pair
	paired    int    // pairs[:paired] are watched
	ref       uint32 // the next clause of the arena to watch; 0 before the lists are made
}

type pair struct {
	m, n Lit
	ref  uint32
}

// loadSlice is how many clauses go by until load looks at its context.
const loadSlice = 1 << 10

// load takes in the clauses that wait. It is false if ctx ends before; the
// next call goes on.
func (e *engine) load(ctx context.Context) bool {
	l := e.loading
	if l == nil {
		return true
	}
	if n := e.check.clauses.words; l.piece == 0 && l.at == 0 && n > int64(cap(e.arena)) && !e.proof.on {
		e.arena = make([]Lit, 1, n+n/4)
	}
	l.counts = extend(l.counts, len(e.vals))
	if !l.takeAll(ctx, e) || !e.inconsistent && !l.watchAll(ctx, e) {
		return false
	}
	e.loading = nil
	return true
}

// takeAll takes the clauses. It is false if ctx ends before.
func (l *loading) takeAll(ctx context.Context, e *engine) bool {
	pieces := e.check.clauses.pieces
	for n := 1; l.piece < len(pieces); n++ {
		p := pieces[l.piece]
		switch {
		case n%loadSlice == 0 && ctx.Err() != nil:
			return false
		case l.piece == 0 && l.at == 0:
			l.at = 1 // index 0 is none
		case l.at < len(p):
			c := clause(p[l.at:])
			l.at += len(c) + 2
			l.take(e, c)
		case l.piece < len(pieces)-1:
			l.piece, l.at = l.piece+1, 0
		default: // more may come here
			return true
		}
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

// watchAll makes the lists. It is false if ctx ends before.
func (l *loading) watchAll(ctx context.Context, e *engine) bool {
	w := &e.watches
	if l.ref == 0 {
		l.room(w)
		l.ref = 1
	}
	for n := 1; l.paired < len(l.pairs) || l.ref < uint32(len(e.arena)); n++ {
		if n%loadSlice == 0 && ctx.Err() != nil {
			return false
		}
		if l.paired < len(l.pairs) { // they come first in each list
			p := l.pairs[l.paired]
			w.add(p.m, watch{p.n, p.ref})
			w.add(p.n, watch{p.m, p.ref})
			l.paired++
			continue
		}
		c := e.lits(l.ref)
		w.add(c[0], watch{c[1], l.ref})
		w.add(c[1], watch{c[0], l.ref})
		l.ref += e.words(uint32(e.arena[l.ref]))
	}
	return true
}

// room makes room for what was counted.
func (l *loading) room(w *watching) {
	n := uint32(0)
	for m, k := range l.counts {
		room := watchList{n: k}.roomy()
		w.lists[m] = watchList{n, 0, room}
		n += room
	}
	w.pool = make([]watch, n, n+n/4)
}

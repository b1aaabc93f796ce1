package sat

// Collection of garbage, at any level. Clauses are copied to the other arena
// in their order; by watches or by activity gains nothing (0.97 to 1.4 times
// as long a propagation). On the way, clauses lose literals that are false
// at the root and go if they hold there. A reason of a literal that is not at
// the root never does, and the literals that a clause watches are not false
// at the root unless it holds there: all levels above keep their meaning.

// tidy collects what the root has made superfluous, if the search since the
// last time has cost twice as much: scopes that are over must not pile
// up, however easy the queries are. As soon as it has cost as much, it took
// 1.06 times the CPU time on 78 recorded queries.
func (e *engine) tidy() {
	if e.rooted > e.simplified && e.steps.Ticks-e.collected > 2*int64(len(e.arena)) {
		e.collect()
	}
}

// collect removes garbage, and what the root has made superfluous.
func (e *engine) collect() {
	e.stats.collections++
	news := e.rooted > e.simplified
	e.simplified, e.collected = e.rooted, e.steps.Ticks
	if news {
		e.check.forget(e)
	}
	old := e.arena
	e.arena = append(e.spare[:0], 0)
	e.moveAll(old, news)
	for m := range e.vals {
		e.moveWatches(old, Lit(m), news)
	}
	e.watches.compact()
	for _, m := range e.trail[e.rooted:] {
		if r := e.at[m>>1].reason; r != noReason && r < unexplained {
			e.at[m>>1].reason = e.movedReason(old, r, m)
		}
	}
	e.learned = movedRefs(old, e.learned)
	e.spare, e.wasted = old, 0
}

// moveAll copies the clauses that stay.
func (e *engine) moveAll(old []Lit, news bool) {
	for ref := uint32(1); ref < uint32(len(old)); {
		size := uint32(old[ref])
		next := ref + e.words(size)
		if old[ref+1]&garbage == 0 {
			e.move(old, ref, news)
		}
		ref = next
	}
}

// move copies a clause and leaves its new reference behind.
func (e *engine) move(old []Lit, ref uint32, news bool) {
	size, info := uint32(old[ref]), uint32(old[ref+1])
	c := old[ref+header : ref+header+size]
	var id uint64
	if e.proof.on {
		id = uint64(old[ref+header+size]) | uint64(old[ref+header+size+1])<<32
	}
	if news {
		short, holds := e.shorten(c)
		if holds {
			old[ref+1] |= garbage
			e.proof.delete(id)
			return
		}
		if len(short) < len(c) {
			id = e.proof.shortened(e, c, short, id)
			c = c[:len(short)]
		}
	}
	if len(c) == 2 {
		index := binary | e.proof.newBinary(id)
		if info&isLearned != 0 {
			index |= isLearnedBinary
		}
		old[ref], old[ref+1] = Lit(index), moved|shrunk
		return
	}
	info = info&^glueMask | min(info&glueMask, uint32(len(c)-1))
	old[ref], old[ref+1] = Lit(e.alloc(c, info, id)), moved
}

// shorten moves the literals of c that are false at the root behind the
// others, which it returns, in their order, and whether c holds there.
func (e *engine) shorten(c []Lit) (short []Lit, holds bool) {
	j := 0
	for i, m := range c {
		switch x := e.rootValue(m); {
		case x > 0:
			return c, true
		case x == 0:
			c[i], c[j] = c[j], m
			j++
		}
	}
	return c[:j], false
}

// moveWatches corrects the watches of m.
func (e *engine) moveWatches(old []Lit, m Lit, news bool) {
	ws := e.watches.of(m)
	j := 0
	for _, w := range ws {
		switch {
		case w.ref >= binary:
			if news && (e.rootValue(m) != 0 || e.rootValue(w.blocker) != 0) {
				if m < w.blocker {
					e.proof.deleteBinary(w.ref)
				}
				continue
			}
		case old[w.ref+1]&moved == 0:
			continue
		case old[w.ref+1]&shrunk != 0:
			w = watch{old[w.ref+header] ^ old[w.ref+header+1] ^ m, uint32(old[w.ref])}
		default:
			w.ref = uint32(old[w.ref])
			if news && e.rootValue(w.blocker) != 0 {
				c := e.lits(w.ref)
				w.blocker = c[0] ^ c[1] ^ m
			}
		}
		ws[j] = w
		j++
	}
	e.watches.cut(m, j)
}

// movedReason corrects the reason r of m.
func (e *engine) movedReason(old []Lit, r uint32, m Lit) uint32 {
	if old[r+1]&shrunk == 0 {
		return uint32(old[r])
	}
	e.proof.by(m, uint32(old[r]))
	return binary | uint32(old[r+header]^old[r+header+1]^m)
}

// movedRefs corrects a list of references to clauses in the arena.
func movedRefs(old []Lit, refs []uint32) []uint32 {
	j := 0
	for _, ref := range refs {
		if old[ref+1]&(moved|shrunk) == moved {
			refs[j] = uint32(old[ref])
			j++
		}
	}
	return refs[:j]
}

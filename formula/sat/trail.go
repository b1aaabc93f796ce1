package sat

// The trail lists the literals that are true, in the order in which they
// became so. A decision, or an assumption, opens a level.

// depth returns the current level.
func (e *engine) depth() int { return len(e.limit) }

// open opens a level.
func (e *engine) open() {
	e.limit = append(e.limit, len(e.trail))
	if e.guest.p != nil {
		e.guest.p.Level()
	}
}

// assign makes m, which has no value, true at the current level.
func (e *engine) assign(m Lit, reason uint32) {
	e.vals[m], e.vals[m^1] = 1, -1
	e.at[m>>1] = place{int32(len(e.limit)), reason}
	e.trail = append(e.trail, m)
}

// assignRoot makes m, which has no value at the root, true there. The level
// must be 0. The clause id says so.
func (e *engine) assignRoot(m Lit, id uint64) {
	e.assign(m, noReason)
	e.proof.unit(m, id)
}

// backtrack undoes all levels above level; all if they are not those of the
// assumptions.
func (e *engine) backtrack(level int) {
	level = max(level, 0)
	if e.depth() <= level {
		return
	}
	if e.loose {
		e.loose, level = false, 0
	}
	start := e.limit[level]
	vals, saved, rank, queued := e.vals, e.phase.saved, e.queue.rank, e.opt.VMTF
	for i := len(e.trail) - 1; i >= start; i-- {
		m := e.trail[i]
		v := m >> 1
		vals[m], vals[m^1] = 0, 0
		saved[v] = 1 - 2*int8(m&1)
		if e.heap.pos[v] < 0 {
			e.heap.insert(uint32(v))
		}
		if queued && rank[v] > rank[e.queue.search] {
			e.queue.search = int32(v)
		}
	}
	e.trail = e.trail[:start]
	e.limit = e.limit[:level]
	e.placed = e.placed[:min(len(e.placed), level)]
	e.qhead = start
	e.check.same = min(e.check.same, start)
	if g := &e.guest; g.p != nil {
		g.told = min(g.told, start)
		g.p.Backtrack(level)
	}
}

// root takes the reasons of what became true at level 0, after propagation
// there: it is true for good, and no clause is needed for that.
func (e *engine) root() {
	for ; e.rooted < len(e.trail); e.rooted++ {
		m := e.trail[e.rooted]
		if e.at[m>>1].reason != noReason {
			e.proof.derivedUnit(e, m)
			e.at[m>>1].reason = noReason
		}
		e.queue.remove(int32(m >> 1))
	}
}

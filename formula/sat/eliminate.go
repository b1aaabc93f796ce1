package sat

import "slices"

// Bounded variable elimination (Eén and Biere, SatELite, SAT 2005): the
// clauses of a variable give way to all their resolvents, if these are not
// more. The removed clauses wait to be reconstructed or restored:
// reconstruct.go says why that is right between queries. Variables that were
// assumed, that a propagator observes, or that have come back, stay.
//
// It begins when the search has cost as much as it is likely to, so that easy
// queries do without; then again when there is something new, and the search
// has cost several times as much. It works at the root, without propagation:
// units that it finds wait on the trail.
//
// On 78 recorded queries the CPU time is the same with it as without, if it
// begins after 100 to 400 ticks for each clause; after 10 ticks 1.2 times.
// Arithmetic has more conflicts with it, threads do without a fifth of the
// propagations: fib_bench with six iterations takes 0.7 of the time if it
// begins after 100, 0.9 if after 300.

const (
	elimSize   = 100 // literals of a resolvent
	elimOccurs = 200 // clauses of a variable
	elimRounds = 4
	elimYield  = 50 // another round if one in so many variables went
	elimPause  = 4  // how much longer the search goes on each time
)

type elimination struct {
	clauses int64 // not learned, so far
	known   int64 // of them, at the end of the last elimination
	units   int   // length of the root trail by then
	from    int64 // ticks by then
	pause   int64 // ticks for each clause until the next; 0 at first

	occs    [][]watch // by literal: the clauses that are not learned
	touched []bool    // by variable: to be tried
	barred  []bool    // by variable: not to be
	out     []Lit     // scratch: a resolvent
	found   []containing
}

// eliminate eliminates variables if it is time to.
func (e *engine) eliminate() bool {
	x := &e.elim
	if e.opt.NoEliminate || x.clauses == x.known && e.rooted == x.units ||
		e.steps.Ticks-x.from < max(x.pause, e.pace.eliminate)*x.clauses {
		return false
	}
	e.stats.eliminations++
	e.backtrack(0)
	e.collect()
	e.recon.compact(e)
	e.freeze()
	x.connect(e)
	if !e.opt.NoSubsume {
		e.subsumeAll()
	}
	e.eliminateAll()
	x.occs, x.touched, x.barred = nil, nil, nil
	e.forgetGone()
	e.collect()
	if x.from = e.steps.Ticks; e.limits.err == nil {
		x.pause = elimPause * max(x.pause, e.pace.eliminate)
		x.known, x.units = x.clauses, len(e.trail)
	}
	return true
}

// freeze keeps the variables of the current assumptions and of a propagator.
func (e *engine) freeze() {
	for _, m := range e.assume {
		e.recon.frozen[m>>1] = true
	}
	for v, observed := range e.guest.observed {
		if observed {
			e.recon.frozen[v] = true
		}
	}
}

// connect lists the clauses that are not learned by their literals. Those
// that are too long to be resolved keep their variables.
func (x *elimination) connect(e *engine) {
	x.touched = make([]bool, len(e.at))
	x.barred = make([]bool, len(e.at))
	counts := make([]uint32, len(e.vals))
	e.inputs(func(c []Lit, _ uint32) {
		for _, m := range c {
			counts[m]++
		}
	})
	for m := range e.vals {
		for _, w := range e.watches.of(Lit(m)) {
			if w.ref >= binary && w.ref&isLearnedBinary == 0 {
				counts[m]++
			}
		}
	}
	x.room(counts)
	e.inputs(func(c []Lit, ref uint32) { x.list(c, ref) })
	for m := range e.vals {
		for _, w := range e.watches.of(Lit(m)) {
			if w.ref >= binary && w.ref&isLearnedBinary == 0 {
				x.occs[m] = append(x.occs[m], w)
				x.touched[m>>1] = true
			}
		}
	}
}

// inputs calls do for the clauses of the arena that are not learned.
func (e *engine) inputs(do func(c []Lit, ref uint32)) {
	for ref := uint32(1); ref < uint32(len(e.arena)); ref += e.words(uint32(e.arena[ref])) {
		if e.arena[ref+1]&(isLearned|garbage) == 0 {
			do(e.lits(ref), ref)
		}
	}
}

// room makes lists of these lengths, in one piece.
func (x *elimination) room(counts []uint32) {
	n := uint32(0)
	for _, k := range counts {
		n += k
	}
	all := make([]watch, n)
	x.occs = make([][]watch, len(counts))
	for m, k := range counts {
		x.occs[m], all = all[:0:k], all[k:]
	}
}

// list adds a clause of the arena.
func (x *elimination) list(c []Lit, ref uint32) {
	for _, m := range c {
		x.occs[m] = append(x.occs[m], watch{0, ref})
		x.touched[m>>1] = true
		if len(c) > elimSize {
			x.barred[m>>1] = true
		}
	}
}

// eliminateAll tries the variables that were touched, those of few clauses
// first, until the query must end.
func (e *engine) eliminateAll() {
	x := &e.elim
	cost := func(v uint32) int { return len(x.occs[2*v]) * len(x.occs[2*v+1]) }
	for range elimRounds {
		var vars []uint32
		for v, touched := range x.touched {
			if touched && e.mayGo(uint32(v)) {
				vars = append(vars, uint32(v))
			}
		}
		clear(x.touched)
		slices.SortStableFunc(vars, func(v, w uint32) int { return cost(v) - cost(w) })
		before := e.stats.eliminated
		for _, v := range vars {
			if e.inconsistent || e.limits.look(e) {
				return
			}
			e.tryEliminate(v)
		}
		if (e.stats.eliminated-before)*elimYield < int64(len(vars)) {
			return
		}
	}
}

func (e *engine) mayGo(v uint32) bool {
	return !e.recon.gone[v] && !e.recon.frozen[v] && e.vals[2*v] == 0
}

// tryEliminate eliminates v if that takes no more clauses.
func (e *engine) tryEliminate(v uint32) {
	x := &e.elim
	if x.barred[v] || len(x.occs[2*v])+len(x.occs[2*v+1]) > 2*elimOccurs {
		return
	}
	pos, neg := e.alive(Lit(2*v)), e.alive(Lit(2*v+1))
	e.steps.Ticks += int64(len(pos)+len(neg)) >> 1
	if len(pos)+len(neg) > elimOccurs || len(pos)+len(neg) == 0 || !e.mayGo(v) {
		return
	}
	if !e.fewResolvents(Lit(2*v), pos, neg) {
		return
	}
	e.stats.eliminated++
	for _, p := range pos {
		for _, n := range neg {
			if e.resolvent(Lit(2*v), p, n) {
				e.addResolvent(p, n)
			}
		}
	}
	from := len(e.recon.starts)
	e.remove(Lit(2*v), pos)
	e.remove(Lit(2*v+1), neg)
	e.leave(v, from)
}

// fewResolvents reports whether the clauses pos of m and neg of its complement
// have no more resolvents than they are, and none that is too long. All are
// alive.
func (e *engine) fewResolvents(m Lit, pos, neg []watch) bool {
	room := len(pos) + len(neg)
	seen := e.an.seen
	for _, p := range pos {
		size := 0
		for _, k := range e.clause(m, p) {
			if k != m && e.vals[k] == 0 {
				seen[k>>1] = uint8(1 + k&1)
				size++
			}
		}
		for _, n := range neg {
			e.steps.Ticks++
			if more := e.more(m^1, n); more >= 0 {
				if room--; size+more > elimSize {
					room = -1
				}
			}
			if room < 0 {
				break
			}
		}
		for _, k := range e.clause(m, p) {
			seen[k>>1] = 0
		}
		if room < 0 {
			return false
		}
	}
	return true
}

// more returns how many literals a clause of m adds to those that are marked,
// or -1 if it has the complement of one.
func (e *engine) more(m Lit, w watch) (n int) {
	for _, k := range e.clause(m, w) {
		switch {
		case k == m || e.vals[k] != 0:
		case e.an.seen[k>>1] == 0:
			n++
		case e.an.seen[k>>1] != uint8(1+k&1):
			return -1
		}
	}
	return n
}

// alive returns the clauses of m that are not garbage and do not hold at the
// root.
func (e *engine) alive(m Lit) []watch {
	x := &e.elim
	x.occs[m] = slices.DeleteFunc(x.occs[m], func(w watch) bool {
		if w.ref >= binary {
			return e.vals[w.blocker] > 0 || e.recon.gone[w.blocker>>1]
		}
		return e.arena[w.ref+1]&garbage != 0 ||
			slices.ContainsFunc(e.lits(w.ref), func(n Lit) bool { return e.vals[n] > 0 })
	})
	return x.occs[m]
}

// clause returns the literals of an occurrence of m.
func (e *engine) clause(m Lit, w watch) []Lit {
	if w.ref >= binary {
		e.an.pair = [2]Lit{m, w.blocker}
		return e.an.pair[:]
	}
	return e.lits(w.ref)
}

// resolvent resolves clause p of m with clause n of its complement, without
// literals that are false at the root. It is false if the result always
// holds.
func (e *engine) resolvent(m Lit, p, n watch) bool {
	x := &e.elim
	e.steps.Ticks++
	x.out = x.out[:0]
	seen := e.an.seen
	ok := true
	for _, k := range e.clause(m, p) {
		switch {
		case k == m || e.vals[k] < 0:
		case e.vals[k] > 0: // by a resolvent that is a unit clause
			ok = false
		default:
			seen[k>>1] = uint8(1 + k&1)
			x.out = append(x.out, k)
		}
	}
	first := x.out
	for _, k := range e.clause(m^1, n) {
		switch {
		case k == m^1 || e.vals[k] < 0 || seen[k>>1] == uint8(1+k&1):
		case e.vals[k] > 0 || seen[k>>1] != 0:
			ok = false
		default:
			x.out = append(x.out, k)
		}
	}
	for _, k := range first {
		seen[k>>1] = 0
	}
	return ok
}

// addResolvent adds the last resolvent, of p and n.
func (e *engine) addResolvent(p, n watch) {
	x := &e.elim
	id := e.proof.resolved(e, x.out, p, n)
	switch len(x.out) {
	case 0:
		e.inconsistent = true
	case 1:
		e.assignRoot(x.out[0], id)
	case 2:
		ref := e.attach(x.out, id, false, 0)
		for i, m := range x.out {
			x.occs[m] = append(x.occs[m], watch{x.out[1-i], ref})
			x.touched[m>>1] = true
		}
	default:
		ref := e.attach(x.out, id, false, 0)
		x.list(x.out, ref)
	}
}

// remove puts the clauses of m onto the stack.
func (e *engine) remove(m Lit, ws []watch) {
	for _, w := range ws {
		c := e.clause(m, w)
		e.recon.push(e, m, c, e.proof.numberOf(e, w))
		if w.ref < binary {
			e.arena[w.ref+1] |= garbage // but not deleted: it may come back
		}
		for _, k := range c {
			e.elim.touched[k>>1] = true
		}
	}
	e.elim.occs[m] = nil
}

// forgetGone drops all clauses that have a variable that is gone: what was
// learned, and the binary clauses on the stack.
func (e *engine) forgetGone() {
	gone := e.recon.gone
	for _, ref := range e.learned {
		if e.arena[ref+1]&garbage == 0 && slices.ContainsFunc(e.lits(ref), func(m Lit) bool { return gone[m>>1] }) {
			e.drop(ref)
		}
	}
	for m := range e.vals {
		ws := slices.DeleteFunc(e.watches.of(Lit(m)), func(w watch) bool {
			if w.ref < binary || !gone[m>>1] && !gone[w.blocker>>1] {
				return false
			}
			if w.ref&isLearnedBinary != 0 && Lit(m) < w.blocker {
				e.proof.deleteBinary(w.ref)
			}
			return true
		})
		e.watches.cut(Lit(m), len(ws))
	}
}

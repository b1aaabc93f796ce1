package sat

// Unit propagation with two watched literals (Moskewicz et al., Chaff, DAC
// 2001) and blocking literals (Eén and Sörensson, MiniSat 2.2): a watch has
// a literal of its clause that, if true, saves looking at the clause. In
// the watch of a binary clause it is all there is of it.
//
// Cost: 80 to 160 ns for each propagated literal on recorded queries, most
// of it waiting for memory. Without bounds checks it is 1.5 to 7 % faster.
// Three in four of the clauses looked at have three literals, on circuits 19
// in 20; but to keep these in the lists of all their literals, with the others
// beside, so that they are never looked at nor watched elsewhere, took 1.0 to
// 1.2 times as long a propagation on six queries: the lists are too long. Not
// to write what has not moved took 1.05 times as long.

// A binaryConflict is the clause that propagate found false, if binary.
type binaryConflict struct {
	lits  [2]Lit
	index uint32 // in prover.binary
}

// isBinaryConflict stands for the reference of the clause in e.conflict.
const isBinaryConflict = 1<<32 - 1

// slice is how many ticks of propagation go by, at most, until search has a
// look at its limits: a fraction of a millisecond.
const slice = 10_000

// attach adds a clause of two literals or more, watched by its first two,
// and returns its reference, or binary and its index in prover.binary.
func (e *engine) attach(c []Lit, id uint64, learned bool, glue uint32) uint32 {
	var ref uint32
	switch {
	case len(c) > 2 && learned:
		ref = e.alloc(c, isLearned|usedOne|glue, id)
		e.learned = append(e.learned, ref)
	case len(c) > 2:
		ref = e.alloc(c, 0, id)
		e.elim.clauses++
	case learned:
		ref = binary | isLearnedBinary | e.proof.newBinary(id)
	default:
		ref = binary | e.proof.newBinary(id)
		e.elim.clauses++
	}
	e.watches.add(c[0], watch{c[1], ref})
	e.watches.add(c[1], watch{c[0], ref})
	return ref
}

// propagate makes true what follows from the trail. It returns the clause
// that became false, or noClause; then all of the trail is propagated unless
// the slice of ticks is used up.
func (e *engine) propagate() (falsified uint32) {
	vals, arena, lists := e.vals, e.arena, e.watches.lists
	head := e.qhead
	ticks := 0
	for head < len(e.trail) && ticks < slice && falsified == noClause {
		no := e.trail[head] ^ 1
		head++
		ws := e.watches.of(no)
		ticks += 1 + len(ws)>>3
		i, j := 0, 0
	scan:
		for i < len(ws) {
			w := ws[i]
			i++
			value := vals[w.blocker]
			if value > 0 {
				ws[j] = w
				j++
				continue
			}
			if w.ref >= binary {
				ws[j] = w
				j++
				if value < 0 {
					e.conflict = binaryConflict{[2]Lit{w.blocker, no}, w.ref &^ (binary | isLearnedBinary)}
					falsified = isBinaryConflict
					break
				}
				e.imply(w.blocker, binary|uint32(no))
				if e.proof.on {
					e.proof.via[w.blocker>>1] = w.ref &^ (binary | isLearnedBinary)
				}
				continue
			}
			ticks++
			c := arena[w.ref+header : w.ref+header+uint32(arena[w.ref])]
			_ = c[2]
			other := c[0] ^ c[1] ^ no
			value = vals[other]
			if value > 0 {
				ws[j] = watch{other, w.ref}
				j++
				continue
			}
			for k := 2; k < len(c); k++ {
				m := c[k]
				x := vals[m]
				if x < 0 {
					continue
				}
				if x > 0 { // stay, with a true blocker
					ws[j] = watch{m, w.ref}
					j++
					continue scan
				}
				c[0], c[1], c[k] = other, m, no
				l := &lists[m]
				if l.n == l.room {
					e.watches.grow(m)
					ws = e.watches.of(no) // it may be elsewhere
				}
				e.watches.pool[l.at+l.n] = watch{other, w.ref}
				l.n++
				continue scan
			}
			ws[j] = watch{other, w.ref}
			j++
			if value < 0 {
				falsified = w.ref
				break
			}
			e.imply(other, w.ref)
		}
		if i != j {
			j += copy(ws[j:], ws[i:])
			e.watches.cut(no, j)
		}
	}
	e.steps.Propagations += int64(head - e.qhead)
	e.steps.Ticks += int64(ticks)
	e.qhead = head
	return falsified
}

// imply is assign as a call: propagate has more in registers without it, and
// takes 0.95 of the time.
//
//go:noinline
func (e *engine) imply(m Lit, reason uint32) { e.assign(m, reason) }

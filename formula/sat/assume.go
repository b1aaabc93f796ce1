package sat

// Assumptions: the first decisions (Eén and Sörensson, 2003). Between
// queries the trail stays as it is, and a query begins with the levels whose
// assumptions are the same as its own (trail reuse: Hickey and Bacchus, SAT
// 2019, in their simplest case).

// resume keeps what the query can use of the last one's trail. If all
// assumptions happen to hold in it, at whatever levels, they need none of
// their own, as long as there is no conflict: then the query begins anew.
// Often the last model is a model still.
func (e *engine) resume() {
	e.loose = false
	if e.opt.NoReuse {
		e.backtrack(0)
		return
	}
	if e.depth() > 0 && e.allTrue() {
		e.loose = true
		e.stats.resumed++
		return
	}
	same := 0
	for same < min(len(e.placed), e.depth(), len(e.assume)) && e.placed[same] == e.assume[same] {
		same++
	}
	e.stats.reused += int64(same)
	e.backtrack(same)
}

func (e *engine) allTrue() bool {
	for _, m := range e.assume {
		if e.vals[m] <= 0 {
			return false
		}
	}
	return true
}

// place opens the level of the assumption m. If m is false, the query ends.
func (e *engine) place(m Lit) Status {
	if e.vals[m] < 0 {
		e.fail(m)
		return Unsat
	}
	e.placed = append(e.placed[:e.depth()], m)
	e.open()
	if e.vals[m] == 0 {
		e.assign(m, noReason)
	}
	return Unknown
}

// fail finds the core: m, and the assumptions that imply its complement.
func (e *engine) fail(m Lit) {
	e.core = append(e.core, m)
	if e.level(m) > 0 {
		e.an.seen[m>>1] = 1
		e.core = e.decisions(e.core, 0)
	}
	e.proof.failed(e)
}

// decisions appends to dst the decisions that imply what is marked, each
// complemented by flip.
func (e *engine) decisions(dst []Lit, flip Lit) []Lit {
	seen := e.an.seen
	for i := len(e.trail) - 1; i >= e.limit[0]; i-- {
		m := e.trail[i]
		if seen[m>>1] == 0 {
			continue
		}
		seen[m>>1] = 0
		switch r := e.reason(m); {
		case r == noReason:
			dst = append(dst, m^flip)
		case r >= binary:
			e.mark(Lit(r &^ binary))
		default:
			for _, n := range e.lits(r) {
				if n != m {
					e.mark(n)
				}
			}
		}
	}
	return dst
}

// mark marks the variable of m unless m is at the root.
func (e *engine) mark(m Lit) {
	if e.level(m) > 0 {
		e.an.seen[m>>1] = 1
	}
}

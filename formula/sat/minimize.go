package sat

// Minimization of a learned clause: a literal goes if the others imply it.
// Recursively (Sörensson and Biere, SAT 2009): its reason, and theirs, end in
// literals of the clause or at the root. Then, for a clause of few levels,
// by one binary clause with the literal that will be true (Audemard and
// Simon, Glucose). Both only resolve with clauses that there are.
//
// It takes out 20 to 45 % of the literals.

// maxRecursion bounds the depth of the recursion.
const maxRecursion = 1000

func (e *engine) minimize() {
	a := &e.an
	c := a.clause
	j := 1
	for _, m := range c[1:] { // their levels are stamped, by glue
		if r := e.at[m>>1].reason; r == noReason || r == unexplained || !e.redundant(uint32(m>>1), 0) {
			c[j] = m
			j++
		}
	}
	e.stats.minimized += int64(len(c) - j)
	a.clause = c[:j]
	if j > 2 && j <= 30 {
		e.minimizeBinary()
	}
}

// redundant reports whether the reason of v follows from the clause.
func (e *engine) redundant(v uint32, depth int) bool {
	a := &e.an
	p := e.at[v]
	if depth > 0 {
		f := a.seen[v]
		if p.level == 0 || f&(inClause|removable) != 0 {
			return true
		}
		if p.reason == noReason || p.reason == unexplained || f&poison != 0 || depth > maxRecursion || a.levels[p.level] != a.stamp {
			return false
		}
	}
	ok := true
	if p.reason >= binary {
		ok = e.redundant(p.reason&^binary>>1, depth+1)
	} else {
		for _, m := range e.lits(p.reason) {
			if w := uint32(m >> 1); w != v && !e.redundant(w, depth+1) {
				ok = false
				break
			}
		}
	}
	if depth > 0 {
		e.remember(v, ok)
	}
	return ok
}

// remember keeps whether v is redundant, for this clause.
func (e *engine) remember(v uint32, redundant bool) {
	if redundant {
		e.an.seen[v] |= removable
	} else {
		e.an.seen[v] |= poison
	}
	e.an.other = append(e.an.other, v)
}

// minimizeBinary takes out literals whose complement is in a binary clause
// with the first literal.
func (e *engine) minimizeBinary() {
	a := &e.an
	c := a.clause
	if e.glue(c) > 6 {
		return
	}
	for _, w := range e.watches.of(c[0]) {
		if w.ref >= binary && e.vals[w.blocker] > 0 && a.seen[w.blocker>>1]&inClause != 0 {
			a.seen[w.blocker>>1] |= byBinary
			e.proof.strengthens(w)
		}
	}
	j := 1
	for _, m := range c[1:] {
		if a.seen[m>>1]&byBinary == 0 {
			c[j] = m
			j++
		}
	}
	e.stats.minimized += int64(len(c) - j)
	a.clause = c[:j]
}

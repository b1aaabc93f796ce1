package sat

import "slices"

// Conflict analysis: the first unique implication point (Marques-Silva and
// Sakallah, GRASP, 1996; Zhang et al., ICCAD 2001). What is learned follows
// from the clauses alone, since assumptions are decisions: it stays right
// for all later queries.

// analysis is the scratch of conflict analysis, and of all that marks
// variables.
type analysis struct {
	seen    []uint8  // by variable: inClause, poison, removable
	clause  []Lit    // what is learned, the literal that will be true first
	met     []uint32 // variables to bump, all with inClause
	other   []uint32 // variables marked by minimization
	levels  []uint32 // by level: the stamp of the last count that met it
	stamp   uint32
	open    int   // literals of the current level still to resolve
	scratch []Lit // of AddClause
	reason  []Lit // of a propagator
	pair    [2]Lit
}

// Marks of variables.
const (
	inClause = 1 << iota
	poison
	removable
	byBinary
)

func (a *analysis) grow(n int) {
	a.seen = extend(a.seen, n)
}

// learn learns from a false clause and goes back to where what it learned
// has one literal without a value, which it makes true. The level must not
// be 0.
func (e *engine) learn(falsified uint32) {
	e.steps.Conflicts++
	e.improve(e.limit[e.depth()-1])
	e.resolve(falsified)
	a := &e.an
	glue := e.glue(a.clause)
	e.mode.note(glue)
	e.stats.learnedLits += int64(len(a.clause))
	if !e.opt.NoMinimize {
		e.minimize()
	}
	e.bump()
	id := e.proof.learned(e, falsified)
	a.reset()
	e.backtrack(e.assertLevel())
	e.assert(id, glue)
}

// resolve learns a clause with one literal of the current level.
func (e *engine) resolve(falsified uint32) {
	a := &e.an
	a.clause = append(a.clause[:0], 0)
	a.open = 0
	if falsified == isBinaryConflict {
		e.meet(e.conflict.lits[0])
		e.meet(e.conflict.lits[1])
	} else {
		e.use(falsified)
		for _, m := range e.lits(falsified) {
			e.meet(m)
		}
	}
	for i := len(e.trail) - 1; ; i-- {
		m := e.trail[i]
		if a.seen[m>>1] == 0 {
			continue
		}
		if a.open--; a.open == 0 {
			a.clause[0] = m ^ 1
			return
		}
		r := e.reason(m)
		if r >= binary {
			e.meet(Lit(r &^ binary))
			continue
		}
		e.use(r)
		for _, n := range e.lits(r) {
			if n != m {
				e.meet(n)
			}
		}
	}
}

// reason returns the reason of m as a clause.
func (e *engine) reason(m Lit) uint32 {
	r := e.at[m>>1].reason
	if r == unexplained {
		return e.explain(m)
	}
	return r
}

// meet takes the false literal m into the clause, or counts it as open.
func (e *engine) meet(m Lit) {
	a := &e.an
	v := m >> 1
	level := int(e.at[v].level)
	if a.seen[v] != 0 || level == 0 {
		return
	}
	a.seen[v] = inClause
	a.met = append(a.met, uint32(v))
	if level == e.depth() {
		a.open++
	} else {
		a.clause = append(a.clause, m)
	}
}

// glue counts the levels of c, and stamps them.
func (e *engine) glue(c []Lit) uint32 {
	a := &e.an
	if len(a.levels) <= e.depth() {
		a.levels = extend(a.levels, e.depth()+1)
	}
	a.stamp++
	n := uint32(0)
	for _, m := range c {
		level := e.at[m>>1].level
		if a.levels[level] != a.stamp {
			a.levels[level] = a.stamp
			n++
		}
	}
	return n
}

// reset takes back all marks.
func (a *analysis) reset() {
	for _, v := range a.met {
		a.seen[v] = 0
	}
	for _, v := range a.other {
		a.seen[v] = 0
	}
	a.met, a.other = a.met[:0], a.other[:0]
}

// bump makes the variables that were met better decisions.
func (e *engine) bump() {
	a := &e.an
	if e.byActivity() {
		for _, v := range a.met {
			e.heap.bump(v)
		}
		e.heap.inc *= decay
		return
	}
	rank := e.queue.rank
	slices.SortFunc(a.met, func(x, y uint32) int {
		if rank[x] < rank[y] {
			return -1
		}
		return 1
	})
	for _, v := range a.met {
		e.queue.bump(int32(v), e.vals)
	}
}

// assertLevel returns the level to go back to: the second highest of the
// learned clause, whose literal it moves to its second place.
func (e *engine) assertLevel() int {
	c := e.an.clause
	if len(c) == 1 {
		return 0
	}
	best := 1
	for k := 2; k < len(c); k++ {
		if e.level(c[k]) > e.level(c[best]) {
			best = k
		}
	}
	c[1], c[best] = c[best], c[1]
	return int(e.level(c[1]))
}

// assert adds the learned clause, and makes its first literal true.
func (e *engine) assert(id uint64, glue uint32) {
	c := e.an.clause
	switch len(c) {
	case 1:
		e.assignRoot(c[0], id)
	case 2:
		ref := e.attach(c, id, true, 0)
		e.assign(c[0], e.asReason(c, ref))
	default:
		e.assign(c[0], e.attach(c, id, true, min(glue, uint32(len(c)-1))))
	}
}

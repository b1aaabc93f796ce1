package sat

// User propagators take part in the search, as in IPASIR-UP (Fazekas,
// Niemetz, Preiner, Kirchweger, Szeider and Biere, SAT 2023): constraints
// that are no clauses, or too many. Whatever they add is a clause that they
// stand for, and stays when they go: so it is right for later queries too.
//
// The engine asks for the reason of a propagated literal only when a conflict
// needs it, and keeps it as a learned clause. In a proof the clauses of a
// propagator are inputs.

// A Propagator is a constraint on observed literals that takes part in the
// search. Its methods are called during Solve only, and may not call the
// solver.
type Propagator interface {
	// Assign says that the observed literal m is true now, at the current
	// level. It may have been announced by Propagate.
	Assign(m Lit)

	// Level says that a level begins. They count from 1; what is assigned
	// before the first one holds for good.
	Level()

	// Backtrack says that level is the current level: what was assigned in
	// the levels above it no longer is.
	Backtrack(level int)

	// Propagate returns a literal that follows from the constraint and the
	// assigned literals, or 0. It is asked again until it returns 0.
	Propagate() Lit

	// Reason returns a clause that follows from the constraint, of m, which
	// Propagate has returned, and of literals that were false at that time.
	// The solver doesn't retain it.
	Reason(m Lit) []Lit

	// Clause returns a clause that follows from the constraint, to be added,
	// or nil. It is asked again until it returns nil, before Propagate.
	Clause() []Lit

	// Decide returns a literal to make true next, or 0 to let the solver
	// decide. One that has a value is ignored.
	Decide() Lit

	// Model reports whether the assigned literals satisfy the constraint,
	// when all variables have values. If not, Clause must return a clause
	// that is false.
	Model() bool
}

// Extensible is what a Solver implements that can have a Propagator.
type Extensible interface {
	// Connect makes p take part in each later Solve, in place of the one
	// before; nil takes that away. It forgets which literals are observed.
	Connect(p Propagator)

	// Observe makes the propagator hear of the variable of m.
	Observe(m Lit)
}

// unexplained is the reason of a propagated literal that was not asked for yet.
const unexplained = binary - 1

// reasonGlue is the glue of a reason, which is not counted.
const reasonGlue = 6

// guest is the propagator and what it was told.
type guest struct {
	p        Propagator
	observed []bool // by variable
	told     int    // length of the trail that it knows
	rejected bool   // the values of all variables
}

// Connect implements Extensible.
func (e *engine) Connect(p Propagator) {
	e.backtrack(0)
	e.guest = guest{p: p}
}

// Observe implements Extensible.
func (e *engine) Observe(m Lit) {
	e.vars = made(e.vars, m)
	e.grow()
	e.comeBack([]Lit{m})
	e.backtrack(0)
	g := &e.guest
	g.observed = extend(g.observed, int(e.vars)+1)
	if g.observed[m>>1] {
		return
	}
	g.observed[m>>1] = true
	for _, n := range e.trail[:g.told] { // it has missed that
		if n>>1 == m>>1 {
			g.p.Assign(n)
		}
	}
}

// tell tells the propagator what it does not know.
func (e *engine) tell() {
	g := &e.guest
	for ; g.told < len(e.trail); g.told++ {
		if m := e.trail[g.told]; int(m>>1) < len(g.observed) && g.observed[m>>1] {
			g.p.Assign(m)
		}
	}
}

// consult lets the propagator act. It reports whether it did, so that there
// is something to propagate. If what it said is false here, so is a clause.
func (e *engine) consult() (acted bool, falsified uint32) {
	if e.guest.p == nil {
		return false, noClause
	}
	e.tell()
	if c := e.guest.p.Clause(); c != nil {
		e.guest.rejected = false
		return true, e.lemma(c)
	}
	if e.guest.rejected {
		panic("sat: the propagator rejects a model, but has no clause against it")
	}
	for {
		m := e.guest.p.Propagate()
		switch {
		case m == 0:
			return false, noClause
		case e.vals[m] < 0:
			return true, e.lemma(e.guest.p.Reason(m))
		case e.vals[m] == 0:
			e.assign(m, unexplained)
			return true, noClause
		}
	}
}

// lemma adds a clause of the propagator at the highest level at which it has
// a literal that is not false, or returns it to be learned from.
func (e *engine) lemma(ms []Lit) (falsified uint32) {
	e.stats.lemmas++
	e.vars = made(e.vars, ms...)
	e.grow()
	if e.loose {
		e.backtrack(0)
	}
	e.check.add(ms)
	e.comeBack(ms)
	c, id, holds := e.taken(ms)
	switch {
	case holds:
		return noClause
	case len(c) < 2:
		e.install(c, id)
		return noClause
	}
	e.watchable(c)
	if e.vals[c[1]] >= 0 || e.vals[c[0]] > 0 && e.level(c[0]) <= e.level(c[1]) {
		e.attach(c, id, false, 0)
		return noClause
	}
	if e.vals[c[0]] < 0 && e.level(c[0]) == e.level(c[1]) {
		e.backtrack(int(e.level(c[0])))
		ref := e.attach(c, id, false, 0)
		if ref >= binary {
			e.conflict = binaryConflict{[2]Lit{c[0], c[1]}, ref &^ (binary | isLearnedBinary)}
			return isBinaryConflict
		}
		return ref
	}
	e.backtrack(int(e.level(c[1])))
	e.assign(c[0], e.asReason(c, e.attach(c, id, false, 0)))
	return noClause
}

// taken takes a clause from the caller or the propagator. If it doesn't hold
// at the root anyway, c is what it says there, as clause id.
func (e *engine) taken(ms []Lit) (c []Lit, id uint64, holds bool) {
	id = e.proof.input(ms)
	c, holds = e.normal(ms)
	if holds {
		e.proof.delete(id)
	} else if len(c) < len(ms) {
		id = e.proof.shortened(e, ms, c, id)
	}
	return c, id, holds
}

// asReason returns clause c, attached as ref, as the reason of its first
// literal.
func (e *engine) asReason(c []Lit, ref uint32) uint32 {
	if ref < binary {
		return ref
	}
	e.proof.by(c[0], ref)
	return binary | uint32(c[1])
}

// explain asks for the reason of m, and returns it.
func (e *engine) explain(m Lit) uint32 {
	e.stats.explained++
	ms := e.guest.p.Reason(m)
	id := e.proof.input(ms)
	c := append(e.an.reason[:0], m)
	for _, n := range ms {
		if n != m && e.rootValue(n) == 0 {
			c = append(c, n)
		}
	}
	e.an.reason = c
	for k := 2; k < len(c); k++ {
		if e.level(c[k]) > e.level(c[1]) {
			c[1], c[k] = c[k], c[1]
		}
	}
	if len(c) < len(ms) {
		id = e.proof.shortened(e, ms, c, id)
	}
	r := uint32(0)
	if len(c) > 1 {
		r = e.asReason(c, e.attach(c, id, true, reasonGlue))
	} else { // never watched, and soon forgotten
		r = e.alloc(c, isLearned|reasonGlue, id)
		e.learned = append(e.learned, r)
	}
	e.at[m>>1].reason = r
	return r
}

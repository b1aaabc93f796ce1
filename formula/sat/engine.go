package sat

import (
	"context"
	"errors"
)

// An engine is the library's own solver: conflict-driven clause learning.
// This file has its state and what callers see of it; each technique has a
// file of its own, which begins by saying what it does and why that is right
// between queries too. The package documentation gives the overview.
//
// What holds between calls: the trail is propagated up to qhead, and a clause
// with a false literal that it watches and that was propagated has a true one,
// or was added while that was false: see install.
type engine struct {
	opt  Options
	pace pace
	vars Lit // the last variable made
	room Lit // the last variable that the slices below have room for

	vals    []int8   // by literal: 1 true, -1 false, 0 neither
	at      []place  // by variable: where it was assigned
	watches watching // the clauses that watch each literal
	arena   []Lit    // all clauses of three literals or more
	spare   []Lit    // that of the last collection, for the next
	learned []uint32 // references of learned clauses in the arena
	wasted  int      // words of the arena that are garbage

	trail []Lit
	qhead int   // trail[:qhead] is propagated
	limit []int // where each level begins in the trail

	loading *loading // of the clauses that were added before the first query; then nil

	// The root: level 0, whose literals hold in every model.
	inconsistent bool  // the clauses are, for good
	rooted       int   // trail[:rooted] has no reasons any more
	simplified   int   // length of the root trail at the last collection
	collected    int64 // ticks by then

	assume   []Lit // of the current Solve
	placed   []Lit // placed[i] is the assumption that level i+1 stands for
	loose    bool  // all assumptions hold, at whatever levels: see resume
	core     []Lit
	answer   Status
	conflict binaryConflict

	heap  heap  // EVSIDS
	queue queue // VMTF
	phase phases
	mode  modes
	an    analysis
	tier  tiers
	check modelCheck
	proof prover
	guest guest
	recon reconstruction
	elim  elimination
	vivid vivification

	steps  Steps
	limits stops
	stats  stats
}

// A place is where a variable was assigned, and by what.
type place struct {
	level  int32
	reason uint32 // noReason, a reference, or binary and the other literal
}

// pace has the intervals, in conflicts, at which the engine does what it does
// beside searching.
type pace struct {
	reduce  int64 // forgets clauses: the first interval, then by the root of their number
	rephase int64 // resets phases: the first interval, then by their number
	mode    int64 // switches modes: the first turn, then in ticks
	plain   int64 // restarts in the first turn: the unit of the Luby sequence
	luby    int64 // in stable mode: the same

	eliminate int64 // eliminates variables: ticks for each clause
}

var usual = pace{reduce: 300, rephase: 1000, mode: 1000, plain: 100, luby: 1024, eliminate: 100}

// stats counts what techniques did.
type stats struct {
	restarts, reductions, collections, rephases, switches int64
	learnedLits, minimized, reused, resumed               int64
	lemmas, explained                                     int64
	eliminations, eliminated, returned                    int64
	subsumed, strengthened                                int64
	vivifyTried, vivified, vivifyImplied                  int64
}

func newEngine(o Options) *engine {
	e := &engine{opt: o, pace: usual, arena: make([]Lit, 1, 1<<10), loading: new(loading)}
	e.heap.inc = 1
	e.tier.at = e.pace.reduce
	e.tier.first, e.tier.second = 2, 6
	e.queue.init()
	e.mode.init(o)
	e.phase.init(o)
	e.proof.init(o.Proof)
	return e
}

func (e *engine) NewVar() Lit {
	e.vars++
	return e.vars << 1
}

// grow makes room for all variables made so far.
func (e *engine) grow() {
	if e.vars <= e.room {
		return
	}
	n := int(e.vars) + 1
	e.vals = extend(e.vals, 2*n)
	e.at = extend(e.at, n)
	e.watches.lists = extend(e.watches.lists, 2*n)
	e.an.grow(n)
	e.phase.grow(n)
	e.proof.grow(n)
	e.recon.grow(n)
	e.heap.grow(n)
	e.queue.grow(n)
	for v := e.room + 1; v <= e.vars; v++ {
		e.heap.act[v] = -float64(v) * older
		e.heap.insert(uint32(v))
		e.queue.append(int32(v))
	}
	e.room = e.vars
}

// extend returns s with n elements, the new ones zero.
func extend[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n] // never shrunk before, so zero
	}
	t := make([]T, n, max(n, 2*cap(s), 64))
	copy(t, s)
	return t
}

func (e *engine) AddClause(ms ...Lit) {
	e.vars = made(e.vars, ms...)
	e.check.add(ms)
	if e.loading != nil {
		return
	}
	if e.inconsistent {
		e.proof.input(ms)
		return
	}
	e.grow()
	e.comeBack(ms)
	if e.inconsistent {
		e.proof.input(ms)
		return
	}
	if c, id, holds := e.taken(ms); !holds {
		e.install(c, id)
	}
}

// normal returns ms without literals that are false at the root or there
// twice, and whether one is true at the root or there with its complement.
func (e *engine) normal(ms []Lit) (c []Lit, holds bool) {
	c = e.an.scratch[:0]
	seen := e.an.seen
	for _, m := range ms {
		v := m >> 1
		mark := uint8(1 + m&1)
		switch {
		case e.rootValue(m) > 0 || seen[v] == 3-mark:
			holds = true
		case e.rootValue(m) == 0 && seen[v] == 0:
			seen[v] = mark
			c = append(c, m)
		}
	}
	for _, m := range c {
		seen[m>>1] = 0
	}
	e.an.scratch = c
	return c, holds
}

// rootValue returns the value of m at level 0.
func (e *engine) rootValue(m Lit) int8 {
	if e.at[m>>1].level > 0 {
		return 0
	}
	return e.vals[m]
}

// install adds the clause c of the caller, in which no literal has a value
// at the root, at the level at which the trail is. It goes back only if c is
// false there. A literal that c implies may have a higher level than the
// others: should it lose its value before they do, then c is not propagated,
// which costs nothing but a conflict.
func (e *engine) install(c []Lit, id uint64) {
	switch len(c) {
	case 0:
		e.inconsistent = true
		return
	case 1:
		e.backtrack(0)
		e.assignRoot(c[0], id)
		return
	}
	e.watchable(c)
	if e.vals[c[0]] < 0 {
		e.backtrack(int(e.level(c[0])) - 1)
	}
	unit := e.vals[c[0]] == 0 && e.vals[c[1]] < 0
	ref := e.attach(c, id, false, 0)
	if unit {
		e.assign(c[0], e.asReason(c, ref))
	}
}

// watchable moves the two literals of c to its front that stay not false
// for longest while the trail is undone.
func (e *engine) watchable(c []Lit) {
	for i := range 2 {
		best := i
		for k := i + 1; k < len(c); k++ {
			if e.later(c[k], c[best]) {
				best = k
			}
		}
		c[i], c[best] = c[best], c[i]
	}
}

// later reports whether m is not false and n is, or both are and m became
// so later. True literals go before those without a value.
func (e *engine) later(m, n Lit) bool {
	x, y := e.vals[m], e.vals[n]
	if x != y {
		return x > y
	}
	return x < 0 && e.level(m) > e.level(n) || x > 0 && e.level(m) < e.level(n)
}

func (e *engine) level(m Lit) int32 { return e.at[m>>1].level }

func (e *engine) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	e.vars = made(e.vars, assume...)
	e.grow()
	e.answer = Unknown
	e.core = e.core[:0]
	if ctx.Err() != nil || !e.load(ctx) {
		return Unknown, context.Cause(ctx)
	}
	e.proof.forgetCore()
	e.comeBack(assume)
	e.assume = append(e.assume[:0], assume...)
	e.limits.begin(ctx, e)
	status, err := e.search()
	if status == Sat && !e.check.model(e) {
		return Unknown, errModel
	}
	e.answer = status
	return status, err
}

// errModel would be the answer of a wrong engine.
var errModel = errors.New("sat: the model found does not satisfy the clauses, which is a bug of this package")

func (e *engine) Value(m Lit) bool { return e.check.value(m) }

func (e *engine) Core(dst []Lit) []Lit { return append(dst, e.core...) }

// Steps implements Counted.
func (e *engine) Steps() Steps { return e.steps }

// Stats implements Counted.
func (e *engine) Stats() []Stat {
	s := &e.stats
	return []Stat{
		{"restarts", s.restarts},
		{"switches of mode", s.switches},
		{"rephasings", s.rephases},
		{"reductions", s.reductions},
		{"collections", s.collections},
		{"literals learned", s.learnedLits},
		{"literals minimized", s.minimized},
		{"levels reused", s.reused},
		{"models reused", s.resumed},
		{"eliminations", s.eliminations},
		{"variables eliminated", s.eliminated},
		{"variables restored", s.returned},
		{"clauses subsumed", s.subsumed},
		{"clauses strengthened", s.strengthened},
		{"clauses vivified", s.vivifyTried},
		{"clauses shortened by that", s.vivified},
		{"clauses implied", s.vivifyImplied},
		{"clauses of the propagator", s.lemmas},
		{"reasons of the propagator", s.explained},
	}
}

package sat

// Restarts and modes. In focused mode the search restarts when recent glue is
// higher than usual (Audemard and Simon, Glucose; exponential averages:
// Biere and Fröhlich, POS 2015). In stable mode it restarts rarely, by the
// Luby sequence. Modes take turns (Oh, SAT 2015): one finds proofs, the other
// models. Turns are counted in ticks after the first.
//
// A query begins with a plain turn, which is that of MiniSat: stable mode with
// restarts ten times as often, and without targets. To begin with stable mode
// as it is later took 1.20 times the ticks on 42 recorded queries of 150
// conflicts or more, with two seeds each; with focused mode 1.10 times. A
// plain turn three times as long, or restarts twice or half as often, are
// within luck.
//
// A restart keeps the part of the trail that would come back as it is (van
// der Tak, Ramos and Heule, JSAT 2011), and the assumptions.

// glueMargin is how much higher recent glue must be.
const glueMargin = 1.1

type modes struct {
	stable bool
	plain  bool // and stable: the first turn
	fixed  bool

	fast, slow average // of glue
	since      int     // conflicts since the last restart

	luby      int64 // restarts in this turn
	restartAt int64 // conflicts, in stable mode
	turns     int64
	turnAt    int64 // conflicts first, then ticks
	turnTicks int64 // of the first turn
	rephaseAt int64 // conflicts
	rephases  int64
}

// An average is exponential, and without the bias of its beginning.
type average struct{ value, biased, rate, bias float64 }

func newAverage(rate float64) average { return average{rate: rate, bias: 1} }

func (a *average) add(x float64) {
	a.biased += a.rate * (x - a.biased)
	a.bias *= 1 - a.rate
	a.value = a.biased / (1 - a.bias)
}

func (m *modes) init(o Options) {
	m.fixed = o.NoStable || o.NoFocused
	m.fast, m.slow = newAverage(0.03), newAverage(1e-5)
}

// note notes the glue of a learned clause.
func (m *modes) note(glue uint32) {
	m.since++
	m.fast.add(float64(glue))
	m.slow.add(float64(glue))
}

// begin begins a query.
func (m *modes) begin(e *engine) {
	n := e.steps.Conflicts
	m.stable, m.plain = !e.opt.NoStable, !e.opt.NoStable && !e.opt.NoPlain
	m.turns, m.turnTicks, m.turnAt = 0, e.steps.Ticks, n+e.pace.mode
	m.rephases, m.rephaseAt = 0, n+e.pace.rephase
	m.luby, m.restartAt, m.since = 1, n+e.unit(), 0
	e.phase.bested = 0
	e.phase.noTarget()
}

// switchMode begins the next turn if this one is over.
func (e *engine) switchMode() bool {
	m := &e.mode
	switch {
	case m.fixed && !m.plain:
		return false
	case m.turns == 0 && e.steps.Conflicts < m.turnAt, m.turns > 0 && e.steps.Ticks < m.turnAt:
		return false
	case m.turns == 0:
		m.turnTicks = e.steps.Ticks - m.turnTicks
	}
	e.stats.switches++
	m.turns++
	if m.plain = false; !m.fixed {
		m.stable = !m.stable
	}
	n := m.turns/2 + 1
	m.turnAt = e.steps.Ticks + m.turnTicks*n*n
	m.luby, m.restartAt, m.since = 1, e.steps.Conflicts+e.pace.luby, 0
	e.backtrack(len(e.assume))
	e.phase.noTarget()
	e.phase.bested = 0
	return true
}

// restart restarts if it is time to.
func (e *engine) restart() bool {
	m := &e.mode
	switch {
	case e.depth() <= len(e.assume):
		return false
	case m.stable && e.steps.Conflicts < m.restartAt:
		return false
	case !m.stable && (m.since <= 2 || m.fast.value <= m.slow.value*glueMargin):
		return false
	}
	if m.stable {
		m.luby++
		m.restartAt = e.steps.Conflicts + luby(m.luby)*e.unit()
	}
	m.since = 0
	e.stats.restarts++
	e.improve(len(e.trail))
	e.backtrack(e.reusable())
	return true
}

// unit returns that of the Luby sequence.
func (e *engine) unit() int64 {
	if e.mode.plain {
		return e.pace.plain
	}
	return e.pace.luby
}

// luby returns the ith number of the sequence 1 1 2 1 1 2 4 1 1 2 …, from 1.
func luby(i int64) int64 {
	for k := uint(1); ; k++ {
		switch {
		case i == 1<<k-1:
			return 1 << (k - 1)
		case i < 1<<k-1:
			return luby(i - (1<<(k-1) - 1))
		}
	}
}

// reusable returns the level up to which decisions would come back, since
// they are better than the next.
func (e *engine) reusable() int {
	level := min(len(e.assume), e.depth())
	next := e.next()
	if next == 0 || e.opt.NoReuse {
		return level
	}
	for level < e.depth() && e.before(uint32(e.trail[e.limit[level]]>>1), next) {
		level++
	}
	return level
}

// byActivity reports whether decisions are by EVSIDS now, not by VMTF.
func (e *engine) byActivity() bool { return e.mode.stable || !e.opt.VMTF }

// before reports whether v is decided before w.
func (e *engine) before(v, w uint32) bool {
	if e.byActivity() {
		return e.heap.act[v] > e.heap.act[w]
	}
	return e.queue.rank[v] > e.queue.rank[w]
}

// next returns the variable to decide, or 0 if all have values.
func (e *engine) next() uint32 {
	if e.byActivity() {
		return e.heap.first(e.vals, e.recon.gone)
	}
	return e.queue.first(e.vals)
}

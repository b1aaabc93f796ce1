package interp

import "github.com/go-amend/amend/ir"

// This file finds runs that never end: a loop that begins a round with the
// program in a state in which it began one before, and used nothing from outside
// that is new in between, goes on like that. Comparing states costs as much as there
// are cells, so it begins when a run has been long, with one loop at a time, the
// outer ones after the inner ones, and spends no more than a budget.

const (
	shortRun      = 1 << 18 // steps of a run before it is watched
	maxComparison = 1 << 25 // cells that are copied and compared
)

// A repetition is what one loop is watched for.
type repetition struct {
	loops   int // that are open around the current statement
	watched int // which of them is watched; 0 is none
	rounds  int // of it that are over
	ended   int // the one that was watched last, which has ended
	after   int // steps before loops inside it, or beside, are watched

	spent int
	used  int // choices, so far
	state struct {
		used  int
		vars  []extent
		cells [2][]cell // globals, and its own
	}
}

// An extent is where a variable is.
type extent struct{ base, length int }

func (m *machine) enterLoop() { m.repeats.loops++ }

func (m *machine) leaveLoop() {
	r := &m.repeats
	if r.watched == r.loops {
		r.watched, r.ended, r.after = 0, r.loops, 2*m.steps
	}
	r.loops--
}

// again is called where a round of s begins. It ends runs that never do.
func (m *machine) again(s *ir.Loop) {
	r := &m.repeats
	if m.steps < shortRun || !m.cfg.Endless || !m.single || r.spent > maxComparison {
		return
	}
	switch {
	case r.watched == 0 && (m.steps >= r.after || r.loops < r.ended):
		r.watched, r.rounds = r.loops, 0
		m.remember()
	case r.watched == r.loops:
		if m.asRemembered() {
			m.stmt = s
			m.end(Endless)
		}
		if r.rounds++; r.rounds&(r.rounds-1) == 0 { // Brent's way to find a period
			m.remember()
		}
	}
}

// remember keeps the current state.
func (m *machine) remember() {
	m.repeats.spent += len(m.globals) + len(m.cells) + len(m.vars)
	s := &m.repeats.state
	s.used = m.repeats.used
	s.cells[0] = append(s.cells[0][:0], m.globals...)
	s.cells[1] = append(s.cells[1][:0], m.cells...)
	s.vars = s.vars[:0]
	for i := range m.vars {
		s.vars = append(s.vars, extent{m.vars[i].base, m.vars[i].length})
	}
}

// asRemembered reports whether the current state is the one that was kept.
func (m *machine) asRemembered() bool {
	s := &m.repeats.state
	if m.repeats.used != s.used || len(m.cells) != len(s.cells[1]) {
		return false
	}
	return m.equalCells(m.cells, s.cells[1]) && m.equalCells(m.globals, s.cells[0]) && m.equalExtents()
}

func (m *machine) equalExtents() bool {
	for i, x := range m.repeats.state.vars {
		m.repeats.spent++
		if y := &m.vars[i]; x.base != y.base || x.length != y.length {
			return false
		}
	}
	return true
}

// equalCells reports whether the cells xs and ys hold the same. What nobody has
// used may differ: it was only moved, and will be.
func (m *machine) equalCells(xs, ys []cell) bool {
	for i := range xs {
		m.repeats.spent++
		x, y := &xs[i], &ys[i]
		if *x != *y && !(m.unused(x) && m.unused(y)) {
			return false
		}
	}
	return true
}

// unused reports whether x holds a choice that nobody has used.
func (m *machine) unused(x *cell) bool {
	return x.from != 0 || x.input != 0 && !m.trace.Inputs[x.input-1].Used
}

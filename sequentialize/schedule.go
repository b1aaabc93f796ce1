package sequentialize

import (
	"math"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// Rounds returns an interp.Config.Scheduler, for one run, that does what the
// choices of the scheduler mean in a constraint set of n rounds: in each the
// threads move by number, each as far as it can or up to an event before which
// stop, asked about its label and the round, is 1. Events that a program lacks
// stop nobody, so that a schedule has a meaning on changed programs too. After n
// rounds the entry moves once more; then the run is Paused.
func Rounds(n int, stop func(ir.Choice) uint64) func(can []int, next func(thread int) interp.Event) int {
	round, thread := 1, 0
	return func(can []int, next func(thread int) interp.Event) int {
		for round <= n || round == n+1 && thread == 0 {
			switch {
			case len(can) == 0 || thread > can[len(can)-1]:
				round, thread = round+1, 0
				continue
			case slices.Contains(can, thread) && !stopped(next(thread), round, stop):
				return thread
			}
			thread++
		}
		return -1
	}
}

// stopped reports whether the thread whose next event is e stops before it in
// the round.
func stopped(e interp.Event, round int, stop func(ir.Choice) uint64) bool {
	l := e.Label()
	l.Round = int32(round)
	return stop != nil && stop(l)&1 == 1
}

// A move is an event of a run, by its name.
type move struct {
	thread int
	label  ir.Choice
}

// A player is a scheduler that makes moves, one after the other, and notes the
// choices of the scheduler by which Rounds makes them too.
type player struct {
	moves         []move
	round, thread int // of the last one
	stops         []ir.Choice
	drains        map[move]bool // that happen by a move only
}

// schedule is an interp.Config.Scheduler. It ends the run after the last move,
// or where the next one can't be made.
func (p *player) schedule(can []int, next func(thread int) interp.Event) int {
	if len(can) > 0 && can[0] < 0 {
		if i, ok := p.drain(can, next); ok {
			return i
		}
	}
	if len(p.moves) == 0 {
		return nobody
	}
	m := p.moves[0]
	if !slices.Contains(can, m.thread) || label(next(m.thread)) != m.label {
		return nobody
	}
	p.moves = p.moves[1:]
	for p.thread != m.thread {
		if p.thread > can[len(can)-1] {
			p.round, p.thread = p.round+1, 0
			continue
		}
		p.pass(can, next)
	}
	return m.thread
}

// nobody ends a run.
const nobody = math.MinInt

// drain returns the write that reaches memory now, if one does: what the next move
// is about, or one that nobody sees before that matters.
func (p *player) drain(can []int, next func(int) interp.Event) (int, bool) {
	for _, i := range slices.Backward(can) {
		if i >= 0 {
			continue
		}
		e := next(i)
		m := move{e.Thread, label(e)}
		switch {
		case len(p.moves) > 0 && p.moves[0] == m:
			p.moves = p.moves[1:]
			return i, true
		case !p.drains[m]:
			return i, true
		}
	}
	return 0, false
}

func label(e interp.Event) ir.Choice { return e.Label() }

// pass lets the current thread stop for this round.
func (p *player) pass(can []int, next func(thread int) interp.Event) {
	if slices.Contains(can, p.thread) {
		l := label(next(p.thread))
		l.Round = int32(p.round)
		p.stops = append(p.stops, l)
	}
	p.thread++
}

package sequentialize

import (
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

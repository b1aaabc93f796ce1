package sequentialize

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// A Schedule says which thread moves, for how many events, one after the
// other.
type Schedule []Switch

// A Switch lets a thread do a number of events.
type Switch struct {
	Thread int
	Events int
}

// Schedule returns the schedule of the run, one of e.Form.
func (e *Encoding) Schedule(run *ssa.Run) Schedule { return e.schedule(run.Value) }

// schedule returns the schedule of the run in which terms have these values.
func (e *Encoding) schedule(value func(formula.Term) uint64) Schedule {
	var s Schedule
	for _, v := range e.visits {
		n := 0
		for i, now := range v.happens {
			if now != 0 && value(now) == 1 && value(e.Threads.Threads[v.thread].Events[i].Live) == 1 {
				n++
			}
		}
		switch k := len(s) - 1; {
		case n == 0:
		case k >= 0 && s[k].Thread == v.thread:
			s[k].Events += n
		default:
			s = append(s, Switch{v.thread, n})
		}
	}
	return s
}

// Number returns the number of the thread whose statements are on path, or
// -1. It serves as interp.Config.Number.
func (e *Encoding) Number(path ir.Path) int {
	for i := 1; i < len(e.Threads.Threads); i++ {
		if e.Threads.Threads[i].Path == path {
			return i
		}
	}
	return -1
}

// Play returns a function that lets threads move as s says and then ends the
// run. It serves as interp.Config.Schedule, once.
func (s Schedule) Play() func(can []int) int {
	i, done := 0, 0
	return func([]int) int {
		for i < len(s) && done == s[i].Events {
			i, done = i+1, 0
		}
		if i == len(s) {
			return -1
		}
		done++
		return s[i].Thread
	}
}

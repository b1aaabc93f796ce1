package page

import (
	"slices"

	"github.com/go-amend/amend/ir/report"
)

// A row is a step of a run with threads: one cell for each thread, of which one
// moves.
type row struct {
	Cells []cell
	Where int // the line
}

// A cell is what a thread does in a row, and which locks it holds.
type cell struct {
	Step   *report.Step // nil if it does nothing
	Anchor string
	Held   []held
}

// A held is a lock in a cell. Colour tells locks apart.
type held struct {
	Name   string
	Colour int
}

// colours is how many colours the style sheet has for locks.
const colours = 6

// lanes arranges a run of threads, one lane each. A run of one thread has none.
func (x *failing) lanes(v *view, run []report.Step) {
	for _, s := range run {
		if !slices.Contains(x.Threads, s.Thread) {
			x.Threads = append(x.Threads, s.Thread)
		}
	}
	slices.Sort(x.Threads)
	if len(x.Threads) < 2 {
		x.Threads = nil
		return
	}
	var locks []string
	now := make([][]held, len(x.Threads))
	for i := range run {
		s := &run[i]
		at := slices.Index(x.Threads, s.Thread)
		now[at] = nil
		for _, name := range s.Held {
			k := slices.Index(locks, name)
			if k < 0 {
				k = len(locks)
				locks = append(locks, name)
			}
			now[at] = append(now[at], held{name, k % colours})
		}
		r := row{Cells: make([]cell, len(x.Threads)), Where: s.At.Line}
		for j := range r.Cells {
			r.Cells[j].Held = now[j]
		}
		r.Cells[at].Step, r.Cells[at].Anchor = s, v.anchor(s.At)
		x.Rows = append(x.Rows, r)
	}
}

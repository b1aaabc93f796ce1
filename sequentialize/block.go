package sequentialize

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/threads"
)

// A block is an event with the left movers after it, which happen together
// with it. What it reads twice, or has written itself, is read from memory
// once or not at all; and so is what only its own thread writes.
type block struct {
	first, end int // its events
	cells      []int
	entry      map[int]formula.Term // by shared cell: a name for its value before the block
	wrote      map[int]formula.Term // the block stores value in the cell
	value      map[int]formula.Term
}

func newBlock(first int) *block {
	return &block{
		first: first, end: first + 1,
		entry: make(map[int]formula.Term), wrote: make(map[int]formula.Term), value: make(map[int]formula.Term),
	}
}

// blocks divides the events of thread t into blocks, and defines what they
// read but for the values before each block.
func (w *encoder) blocks(t int, r *reduction) []*block {
	own := make(map[int]formula.Term) // by shared cell that no other thread writes: its value
	for m := range w.memory {
		if only(r.uses[m].owners, t) {
			own[m] = w.memory[m]
		}
	}
	var out []*block
	for i := range w.Threads.Threads[t].Events {
		if w.schedulingPoints[t][i] {
			out = append(out, newBlock(i))
		}
		b := out[len(out)-1]
		b.end = i + 1
		w.extend(b, &w.Threads.Threads[t].Events[i], own, w.later != nil && w.later(t, i))
	}
	return out
}

// extend adds ev to b. The writes of a later one are not a part of it.
func (w *encoder) extend(b *block, ev *threads.Event, own map[int]formula.Term, later bool) {
	for _, r := range ev.Reads {
		if x, ok := own[r.Cell]; ok {
			w.forward(r.Name, x, ev)
		} else {
			w.inside(b, r, ev)
		}
	}
	for _, s := range ev.Status {
		w.late(s.Name, ev)
	}
	on := w.And(ev.Guard, ev.OK)
	for _, x := range ev.Writes {
		when := w.And(on, x.When)
		if y, ok := own[x.Cell]; ok {
			own[x.Cell] = w.Ite(when, w.narrow(x), y)
		}
		if !later {
			w.write(b, x, when)
		}
	}
}

// write adds x, which happens if when holds, to b.
func (w *encoder) write(b *block, x threads.Write, when formula.Term) {
	old, ok := b.wrote[x.Cell]
	if !ok {
		old = w.False()
		b.cells = append(b.cells, x.Cell)
	}
	value := w.narrow(x)
	if ok {
		value = w.Ite(when, value, b.value[x.Cell])
	}
	b.wrote[x.Cell], b.value[x.Cell] = w.Or(old, when), value
}

// narrow returns what x stores, at the width of its cell.
func (w *encoder) narrow(x threads.Write) formula.Term {
	if n := w.Threads.Memory[x.Cell].Width; n < w.Width(x.Value) {
		return w.Extract(x.Value, n-1, 0)
	}
	return x.Value
}

// inside defines what ev, in b, reads by r.
func (w *encoder) inside(b *block, r threads.Read, ev *threads.Event) {
	wrote, ok := b.wrote[r.Cell]
	if ok && wrote == w.True() {
		w.forward(r.Name, b.value[r.Cell], ev)
		return
	}
	entry := b.entry[r.Cell]
	if entry == 0 {
		entry = r.Name
		if ok {
			entry = w.Var(w.Width(r.Name), "entry")
		}
		b.entry[r.Cell] = entry
		w.late(entry, ev)
	}
	switch {
	case ok:
		w.forward(r.Name, w.Ite(wrote, b.value[r.Cell], entry), ev)
	case entry != r.Name:
		w.forward(r.Name, entry, ev)
	}
}

// late prepares the definition of a name whose value depends on the
// schedule.
func (w *encoder) late(name formula.Term, ev *threads.Event) {
	d := &ssa.Def{Name: name, Guard: ev.Guard, Late: true, Value: w.Const(w.Width(name), 0)}
	w.reads[name] = d
	w.order = append(w.order, d)
}

// forward defines name, which definitions before it may mention, as x.
func (w *encoder) forward(name, x formula.Term, ev *threads.Event) {
	w.order = append(w.order, &ssa.Def{Name: name, Guard: ev.Guard, Late: true, Value: x})
}

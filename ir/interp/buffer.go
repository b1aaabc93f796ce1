package interp

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// Store buffers: under ir.TSO and ir.PSO what a thread writes to shared memory
// goes to its buffer first. That an entry reaches memory is an event of its own.
// Who makes it, besides the threads, is a drain: a negative number.

// An entry is a write that has not reached memory.
type entry struct {
	to    int // cell
	value cell
	event Event // the one that wrote, to which Drain was added
}

// buffered reports whether a write of the scalar x goes to m's buffer.
func (m *machine) buffered(x *place) bool {
	return m.cfg.Memory != ir.SC && m.atomic == 0 && m.shared != nil && x.base < len(m.globals) && m.shared[x.base] != nil
}

// put stores c in the scalar x, which is in bounds.
func (m *machine) put(x *place, c cell) {
	if !m.buffered(x) {
		*m.cell(x.base) = c
		return
	}
	e := m.ahead()
	e.Drain, e.Value = true, c.value
	m.buffer = append(m.buffer, entry{to: x.base, value: c, event: e})
}

// newest returns what m reads as cell i: its own last write in the buffer, or
// memory.
func (m *machine) newest(i int) *cell {
	for k := len(m.buffer) - 1; k >= 0; k-- {
		if m.buffer[k].to == i {
			return &m.buffer[k].value
		}
	}
	return m.cell(i)
}

// ordered reports whether t's next event waits for its buffer to be empty.
func (t *machine) ordered() bool {
	switch t.event.stmt.(type) {
	case *ir.Spawn, *ir.Join, *ir.Atomic:
		return t.event.v == nil && t.event.expr == nil
	}
	return false
}

// over reports whether t has ended, and all that it wrote is in memory.
func (t *machine) over() bool { return t.ended && len(t.buffer) == 0 }

// A drain is an entry of a thread's buffer that may reach memory now.
type drain struct{ thread, entry int }

// drains returns those that can happen, in the order of threads and entries.
func (w *world) drains() []drain {
	var out []drain
	for i, t := range w.threads {
		if t == nil {
			continue
		}
		for k := range t.buffer {
			first := !slices.ContainsFunc(t.buffer[:k], func(e entry) bool { return e.to == t.buffer[k].to })
			if k == 0 || w.cfg.Memory == ir.PSO && first {
				out = append(out, drain{i, k})
			}
		}
	}
	return out
}

// drained returns what d does.
func (w *world) drained(d drain) Event { return w.threads[d.thread].buffer[d.entry].event }

// empty does d.
func (w *world) empty(d drain) {
	t := w.threads[d.thread]
	e := t.buffer[d.entry]
	t.buffer = slices.Delete(t.buffer, d.entry, d.entry+1)
	*w.threads[0].cell(e.to) = e.value
	if !w.cfg.NoSteps {
		w.trace.Events = append(w.trace.Events, e.event)
	}
}

// Delayed returns, of a run with store buffers, the statements with a step after which something that their
// thread had written was not in memory before the next event that it made by
// itself: a fence after any other statement changes nothing about the run. Each is
// there once, in the order of their first steps.
func (t *Trace) Delayed() []ir.LocID {
	var out []ir.LocID
	for _, s := range t.Steps {
		if !slices.Contains(out, s.At) && late(t.Events, s.Thread, s.Events) {
			out = append(out, s.At)
		}
	}
	return out
}

// late reports whether a write of a thread among the first n events reaches
// memory after the next event that the thread makes by itself, or not at all.
func late(events []Event, thread, n int) bool {
	waiting := 0
	for i, e := range events {
		if e.Thread != thread {
			continue
		}
		switch {
		case e.Drain && waiting > 0:
			waiting--
		case e.Drain:
		case i >= n:
			return waiting > 0
		case e.Write:
			waiting++
		}
	}
	return waiting > 0
}

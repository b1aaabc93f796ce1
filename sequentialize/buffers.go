package sequentialize

import (
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
	"github.com/go-amend/amend/ssa/threads"
)

// Store buffers in the order of all schedules. A write to shared memory is no
// event that others see: its node is the moment in which it reaches memory, a
// drain. The drains of a thread are a chain of their own, one for each cell
// under ir.PSO; each comes after the event that writes, and before the next of
// its thread that waits for an empty buffer, a fence. A read sees the last of
// what is in memory and of what its own thread has written: the value axiom of
// SPARC's TSO, in whose order the drains are the writes.
//
// What nobody else can see before the next fence stays a part of its block:
// what one thread accesses alone, and what one mutex protects.

// A buffering says which writes go through buffers.
type buffering struct {
	*reduction
	cells []bool // that such writes store in
}

// newBuffering makes all writes of an event that has a cell where the moment
// matters go through the buffer, and then all writes to their cells.
func newBuffering(r *reduction) *buffering {
	x := &buffering{r, make([]bool, len(r.uses))}
	for m := range r.uses {
		u := &r.uses[m]
		locked := slices.ContainsFunc(u.held, func(l int) bool { return r.uses[l].mutex })
		x.cells[m] = !locked && (len(u.readers) > 1 || len(u.writers) > 1 || !sameThreads(u))
	}
	for more := true; more; {
		more = false
		for t := range r.t.Threads {
			for i := range r.t.Threads[t].Events {
				if !x.delays(t, i) {
					continue
				}
				for _, w := range r.t.Threads[t].Events[i].Writes {
					more = more || !x.cells[w.Cell]
					x.cells[w.Cell] = true
				}
			}
		}
	}
	return x
}

// sameThreads reports whether one thread alone reads and writes.
func sameThreads(u *usage) bool {
	return len(u.readers) == 0 || len(u.writers) == 0 || u.readers[0] == u.writers[0]
}

// delays reports whether what event i of thread t writes goes through its
// buffer.
func (x *buffering) delays(t, i int) bool {
	ev := &x.t.Threads[t].Events[i]
	return ev.Kind == threads.EventWrite && !x.alone(ev) && slices.ContainsFunc(ev.Writes, func(w threads.Write) bool { return x.cells[w.Cell] })
}

// isFence reports whether ev happens with an empty buffer only.
func isFence(ev *threads.Event) bool {
	return ev.Kind == threads.EventAtomic || ev.Kind == threads.EventSpawn
}

// points changes where switches may be needed: not before a write that goes to
// the buffer, but before a fence that something may wait for, and before what
// reads a cell that the same block may have written.
func (x *buffering) points(points [][]bool) {
	for t := range points {
		pending := false
		for i := range points[t] {
			ev := &x.t.Threads[t].Events[i]
			switch {
			case x.delays(t, i):
				points[t][i] = i == 0 || x.stops[[2]int{t, i}]
				pending = true
			case isFence(ev):
				points[t][i] = points[t][i] || pending
			case !x.alone(ev):
				points[t][i] = points[t][i] || slices.ContainsFunc(ev.Reads, func(r threads.Read) bool {
					return x.cells[r.Cell] && !only(x.uses[r.Cell].owners, t)
				})
			}
		}
	}
}

// ordinary returns an error if a thread makes a shared array a free choice, which
// would go to a buffer as a whole.
func ordinary(t *threads.Program) error {
	for i := range t.Threads {
		for _, ev := range t.Threads[i].Events {
			h, ok := ev.Stmt.(*ir.Havoc)
			if !ok {
				continue
			}
			if _, array := h.LHS.Type().(ir.Array); array {
				return &ir.UnsupportedError{Span: h.Pos, Construct: "a shared array of free values under this memory model", Hint: "assign its elements one by one"}
			}
		}
	}
	return nil
}

// drains adds the nodes of writes that reach memory, chain by chain.
func (o *orders) drains() {
	if o.weak == nil {
		return
	}
	for t := range o.Threads.Threads {
		for _, chain := range o.buffers(t) {
			n := len(o.first)
			o.first = append(o.first, len(o.nodes))
			for _, b := range chain {
				o.nodes = append(o.nodes, node{block: b, thread: t, chain: n, drain: true, done: o.Var(1, "drained")})
			}
		}
	}
}

// buffers returns what goes through the buffers of thread t, one for each event
// and under ir.PSO for each cell of it.
func (o *orders) buffers(t int) [][]*block {
	var out [][]*block
	index := make(map[int]int) // by cell
	for i := range o.Threads.Threads[t].Events {
		if !o.weak.delays(t, i) {
			continue
		}
		ev := &o.Threads.Threads[t].Events[i]
		blocks := make(map[int]*block) // by buffer
		for _, w := range ev.Writes {
			key := 0
			if o.model == ir.PSO {
				key = w.Cell
			}
			k, ok := index[key]
			if !ok {
				k = len(out)
				index[key], out = k, append(out, nil)
			}
			if blocks[k] == nil {
				blocks[k] = newBlock(i)
				out[k] = append(out[k], blocks[k])
			}
			o.write(blocks[k], w, o.AndN(ev.Guard, ev.OK, w.When))
		}
	}
	return out
}

// drainsFirst reports whether one of nodes a and b is a drain of the other's
// thread, and a comes first whatever happens: the write before its drain, or the
// drain before a fence that is no part of a branch.
func (o *orders) drainsFirst(a, b int) bool {
	x, y := &o.nodes[a], &o.nodes[b]
	switch {
	case x.thread != y.thread || x.drain == y.drain:
		return false
	case y.drain:
		return a <= o.of[y.thread][y.first]
	}
	for i := x.first + 1; i <= y.first; i++ {
		if ev := &o.Threads.Threads[x.thread].Events[i]; isFence(ev) && ev.Guard == o.True() {
			return true
		}
	}
	return false
}

// fence adds that the buffer is empty where node b happens and is a fence.
func (o *orders) fence(b int) {
	if o.weak == nil {
		return
	}
	y := &o.nodes[b]
	ev := &o.Threads.Threads[y.thread].Events[y.first]
	if !isFence(ev) {
		return
	}
	for a := range o.nodes {
		if x := &o.nodes[a]; x.drain && x.thread == y.thread && x.first < y.first {
			o.axiom(o.Implies(o.And(y.done, ev.Guard), o.before[a][b]))
		}
	}
}

// skips adds that what node b skips belongs to the node before, so that a run that
// is cut after it ends with what happened last.
func (o *orders) skips(b int) {
	y := &o.nodes[b]
	guard := o.Threads.Threads[y.thread].Events[y.first].Guard
	if guard == o.True() || b == o.first[y.chain] {
		return
	}
	for a := range o.nodes {
		if o.nodes[a].chain != y.chain {
			o.axiom(o.Implies(o.And(o.before[a][b], o.Not(guard)), o.before[a][b-1]))
		}
	}
}

// visible returns the proposition that node b sees node a's writes, unless later
// ones hide them.
func (o *orders) visible(a, b int) formula.Term {
	if x := &o.nodes[a]; b != end && x.drain && x.thread == o.nodes[b].thread && x.first < o.nodes[b].first {
		return o.True()
	}
	return o.precedes(a, b)
}

// emptied returns, by thread, the proposition that what it has written is in
// memory, given which nodes are past.
func (o *orders) emptied(past []formula.Term) []formula.Term {
	out := make([]formula.Term, len(o.Threads.Threads))
	for t := range out {
		out[t] = o.True()
	}
	for a := range o.nodes {
		if x := &o.nodes[a]; x.drain {
			out[x.thread] = o.And(out[x.thread], o.Implies(past[o.of[x.thread][x.first]], past[a]))
		}
	}
	return out
}

// moveDrain adds the moves by which what ev has written, in the model of s, reaches
// memory in node n.
func (o *orders) moveDrain(s *formula.Solver, moves []move, n *node, ev *threads.Event) []move {
	for _, m := range n.cells {
		if s.Value(n.wrote[m]) == 1 {
			moves = append(moves, o.drainOf(n, ev, m))
		}
	}
	return moves
}

// drainOf returns the move by which what ev writes to cell m reaches memory.
func (o *orders) drainOf(n *node, ev *threads.Event, m int) move {
	l := ev.Label
	l.Elem, l.Round = int32(o.Threads.Memory[m].Elem), ir.Drain
	return move{n.thread, l}
}

// player returns the scheduler that makes moves, and lets what has nodes of its
// own reach memory by a move only.
func (o *orders) player(moves []move) *player {
	p := &player{moves: moves, round: 1, drains: make(map[move]bool)}
	for i := range o.nodes {
		if n := &o.nodes[i]; n.drain {
			for _, m := range n.cells {
				p.drains[o.drainOf(n, &o.Threads.Threads[n.thread].Events[n.first], m)] = true
			}
		}
	}
	return p
}

// playWeak runs the program on the inputs of m by p, with buffers.
func (o *orders) playWeak(ctx context.Context, m ssa.Model, p *player) (*Violation, error) {
	t, err := interp.Run(ctx, o.Form.Program, interp.Config{
		Input: m.Input, Unwind: o.unwind, Loops: o.loops, MaxSteps: -1, Memory: o.model,
		Schedule: &ir.Schedule{Threads: o.Form.Threads}, Scheduler: p.schedule,
	})
	if err != nil {
		return nil, err
	}
	if t.Outcome != interp.Violated {
		return nil, ir.Internalf("sequentialize", "a counterexample under %v does not replay (%v)", o.model, t.Outcome)
	}
	return &Violation{
		Violation: bmc.Violation{Stmt: t.Failed, Kind: t.Kind, Site: t.Site, Model: m, Trace: t, Schedule: t.Schedule()},
	}, nil
}

// checkWeak is check under a memory model other than ir.SC: by all schedules
// alone, since rounds have no buffers.
func (c *checker) checkWeak() (*Result, error) {
	done, err := c.orders(sat.Limits{Conflicts: lastEffort})
	if err == nil && !done {
		err = sat.ErrLimit
	}
	c.res.Decided = err == nil
	return c.res, err
}

package sequentialize

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/threads"
)

// All schedules at once, without rounds: the blocks of the threads are nodes
// of a total order. For two nodes of different threads a literal says which
// comes first. A thread is a chain, so that the literals of two threads form a
// staircase, and only three threads make triples. Which write a read sees
// follows from the order: by reads-from literals where several threads write
// a cell; where one does, the last write before the read is known.
//
// It departs from Alglave, Kroening and Tautschnig ("Partial Orders for
// Efficient Bounded Model Checking of Concurrent Software", CAV 2013) in that
// write serialization is no relation of its own, but a part of the order.
//
// Threads stop where they like, so that the end is any reachable state. What a
// thread doesn't do any more comes after all that is done.

// maxTriples limits how many triples of nodes the order needs. A program with
// more of them is left to rounds.
const maxTriples = 400_000

// A node is a block in the order, or a write that reaches memory.
type node struct {
	*block
	thread int
	chain  int          // its nodes come in their order
	drain  bool         // its block is one event of the thread, which has happened before
	done   formula.Term // it happened, or was skipped
}

// An orders is the constraint set of all schedules. Its Form has the
// definitions and claims of any other; a model of it is a run if axioms hold
// and the literals are an order.
type orders struct {
	*encoder
	nodes  []node
	of     [][]int          // by thread and event: its node
	first  []int            // by chain, those of the threads first: its first node; and the number of all nodes
	before [][]formula.Term // of nodes of different threads
	axioms []formula.Term
	model  ir.Memory
	weak   *buffering // nil under ir.SC
}

// newOrders translates p over all schedules. It returns nil if the order
// would be too large.
func newOrders(st *formula.Store, p *ir.Program, memory ir.Memory, cfg ssa.Config) (*orders, error) {
	form, t, err := ssa.BuildThreads(st, p, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.MaxTerms == 0 {
		cfg.MaxTerms = ssa.DefaultMaxTerms
	}
	e := &Encoding{Form: form, Threads: t, unwind: cfg.Unwind + cfg.Slack, loops: cfg.Loops}
	o := &orders{encoder: &encoder{
		Encoding: e, Store: st, flat: true, reads: make(map[formula.Term]*ssa.Def), cfg: &cfg, from: st.Len(),
	}, model: memory}
	o.alive = st.True()
	for _, m := range t.Memory {
		o.memory = append(o.memory, m.Start)
	}
	if memory != ir.SC {
		if err := ordinary(t); err != nil {
			return nil, err
		}
	}
	o.divide()
	if o.triples() > maxTriples {
		return nil, nil
	}
	o.order()
	return o, o.translate()
}

// divide makes the nodes.
func (o *orders) divide() {
	r := newReduction(o.Threads)
	o.schedulingPoints = r.schedulingPoints()
	if o.model != ir.SC {
		o.weak = newBuffering(r)
		o.weak.points(o.schedulingPoints)
		o.later = o.weak.delays
	}
	for t := range o.Threads.Threads {
		events := o.Threads.Threads[t].Events
		of := make([]int, len(events))
		o.first = append(o.first, len(o.nodes))
		for _, b := range o.blocks(t, r) {
			for i := b.first; i < b.end; i++ {
				of[i] = len(o.nodes)
			}
			o.nodes = append(o.nodes, node{block: b, thread: t, chain: t, done: events[b.first].Passed})
		}
		o.of = append(o.of, of)
	}
	o.drains()
	o.first = append(o.first, len(o.nodes))
}

// triples returns how many triples of nodes of three threads there are.
func (o *orders) triples() int {
	one, two, three := 0, 0, 0
	for t := range len(o.first) - 1 {
		n := o.first[t+1] - o.first[t]
		one, two, three = one+n, two+one*n, three+two*n
	}
	return three
}

// order makes the literals. What a thread does up to the start of another
// comes before all of that.
func (o *orders) order() {
	o.before = make([][]formula.Term, len(o.nodes))
	for a := range o.before {
		o.before[a] = make([]formula.Term, len(o.nodes))
	}
	earlier := o.earlier()
	for a := range o.nodes {
		for b := range o.nodes {
			t, u := o.nodes[a].chain, o.nodes[b].chain
			switch {
			case t == u:
				o.before[a][b] = o.constant(a < b)
			case a < o.first[t]+earlier[u][t], o.drainsFirst(a, b):
				o.before[a][b], o.before[b][a] = o.True(), o.False()
			case t < u && b >= o.first[u]+earlier[t][u] && !o.drainsFirst(b, a):
				x := o.Var(1, "before")
				o.before[a][b], o.before[b][a] = x, o.Not(x)
			}
		}
	}
}

func (o *orders) constant(b bool) formula.Term {
	if b {
		return o.True()
	}
	return o.False()
}

// earlier returns, by chains u and t, how many nodes of t come before all
// of u, if they are not of one thread.
func (o *orders) earlier() [][]int {
	n := len(o.first) - 1
	out := make([][]int, n)
	for u := range out {
		out[u] = make([]int, n)
		of := o.nodes[o.first[u]].thread
		if of == 0 {
			continue
		}
		t := &o.Threads.Threads[of] // its spawner has a lower number
		copy(out[u], out[t.Spawner])
		out[u][t.Spawner] = o.of[t.Spawner][t.Spawn] - o.first[t.Spawner] + 1
		for k := range o.nodes {
			if a := &o.nodes[k]; a.drain && a.thread == t.Spawner && a.block.first < t.Spawn {
				out[u][a.chain]++
			}
		}
	}
	return out
}

// end stands for the state after all that is done, where a node is asked for.
const end = -1

// precedes returns the proposition that node a comes before b.
func (o *orders) precedes(a, b int) formula.Term {
	if b == end {
		return o.nodes[a].done
	}
	return o.before[a][b]
}

// reached returns the proposition that node b is done.
func (o *orders) reached(b int) formula.Term {
	if b == end {
		return o.True()
	}
	return o.nodes[b].done
}

func (o *orders) axiom(x formula.Term) { o.axioms = append(o.axioms, x) }

func (o *orders) translate() error {
	for b := range o.nodes {
		if err := o.poll(); err != nil {
			return err
		}
		o.enter(b)
	}
	o.chains()
	o.halts()
	o.passed(end)
	o.final()
	o.conflicts()
	for t := range o.Threads.Threads {
		for i, n := range o.of[t] {
			if name := o.Threads.Threads[t].Events[i].Passed; name != o.nodes[n].done {
				o.Form.Defs = append(o.Form.Defs, ssa.Def{Name: name, Value: o.nodes[n].done, Guard: o.True()})
			}
		}
	}
	for _, d := range o.encoder.order {
		o.Form.Defs = append(o.Form.Defs, *d)
	}
	return o.poll()
}

// enter adds when node b can be done, and what it sees.
func (o *orders) enter(b int) {
	n := &o.nodes[b]
	if n.drain {
		if b > o.first[n.chain] {
			o.axiom(o.Implies(n.done, o.nodes[b-1].done))
		}
		return
	}
	t := n.thread
	ev := &o.Threads.Threads[t].Events[n.first]
	o.passed(b)
	can := o.True()
	switch {
	case ev.Kind == threads.EventStart:
		can = o.started(t)
	case ev.Enabled != 0:
		can = o.asked(ev, t).Replace(ev.Enabled)
	}
	prev := o.True()
	if b > o.first[t] {
		prev = o.nodes[b-1].done
	}
	goes := o.AndN(ev.OK, can)
	o.axiom(o.Implies(n.done, o.And(prev, o.Or(o.Not(ev.Guard), goes))))
	o.axiom(o.Implies(o.And(prev, o.Not(ev.Guard)), n.done))
	o.fence(b)
	o.skips(b)
	if ev.Live != o.True() { // where no other thread moves, waiting is of no use
		o.axiom(o.Implies(o.AndN(prev, goes, o.Not(ev.Live)), n.done))
	}
	for i := n.first; i < n.end; i++ {
		e := &o.Threads.Threads[t].Events[i]
		r := o.asked(e, t)
		for _, s := range e.Status {
			o.reads[s.Name].Value = r.Replace(s.Name)
		}
	}
	for m := range o.memory {
		if name, ok := n.entry[m]; ok {
			o.sees(name, m, b)
		}
	}
}

// asked returns what replaces the names of facts about other threads in ev
// by their values at the node for which passed was called last. Names of
// values stay.
func (o *orders) asked(ev *threads.Event, t int) *formula.Replacer {
	values := make(map[formula.Term]formula.Term)
	for _, s := range ev.Status {
		values[s.Name] = o.status(s.Kind, s.Thread, t)
	}
	return formula.NewReplacer(o.Store, func(v formula.Term) formula.Term {
		if x, ok := values[v]; ok {
			return x
		}
		return v
	})
}

// passed makes the state's past what was done before node b.
func (o *orders) passed(b int) {
	past := make([]formula.Term, len(o.nodes))
	for a := range o.nodes {
		past[a] = o.And(o.nodes[a].done, o.precedes(a, b))
	}
	o.past = make([][]formula.Term, len(o.of))
	for t := range o.of {
		o.past[t] = make([]formula.Term, len(o.of[t]))
		for i, n := range o.of[t] {
			o.past[t][i] = past[n]
		}
	}
	if o.weak != nil {
		o.drained = o.emptied(past)
	}
}

// chains adds that the order respects those of the threads, and that what is
// not done comes last.
func (o *orders) chains() {
	for a := range o.nodes {
		for b := range o.nodes {
			t, u := o.nodes[a].chain, o.nodes[b].chain
			if t == u {
				continue
			}
			if b+1 < o.first[u+1] {
				o.axiom(o.Implies(o.before[a][b], o.before[a][b+1]))
			}
			o.axiom(o.Implies(o.And(o.before[a][b], o.nodes[b].done), o.nodes[a].done))
		}
	}
}

// halts adds that nothing is done after the entry has returned, or a run was
// stopped by an assumption or a cut.
func (o *orders) halts() {
	last := len(o.of[0]) - 1
	o.halt(0, o.of[0][last], o.nodes[o.of[0][last]].done)
	for _, s := range o.Threads.Stops {
		if s.Event < 0 {
			o.alive = o.And(o.alive, o.Not(s.When))
			continue
		}
		n := o.of[s.Thread][s.Event]
		o.halt(s.Thread, n, o.And(s.When, o.nodes[n].done))
	}
}

// halt adds that where when holds nothing is done after node n, of thread t.
func (o *orders) halt(t, n int, when formula.Term) {
	if when == o.False() {
		return
	}
	o.alive = o.And(o.alive, o.Not(when))
	for b := range o.nodes {
		if o.nodes[b].chain != t {
			o.axiom(o.Implies(o.And(when, o.nodes[b].done), o.before[b][n]))
		}
	}
}

// final makes the state's memory what waiting threads see at the end.
func (o *orders) final() {
	wanted := make(map[int]bool)
	for t := range o.Threads.Threads {
		for _, ev := range o.Threads.Threads[t].Events {
			if ev.Enabled == 0 || !o.Form.Program.Checks.Has(ir.CheckDeadlock) {
				continue
			}
			for _, r := range ev.Reads {
				wanted[r.Cell] = true
			}
		}
	}
	start := o.memory
	o.memory = slices.Clone(start)
	for m := range o.memory {
		if !wanted[m] {
			continue
		}
		name := o.Var(o.Threads.Memory[m].Width, o.Threads.Memory[m].Var.Name)
		d := &ssa.Def{Name: name, Guard: o.True(), Late: true, Value: start[m]}
		o.reads[name], o.encoder.order = d, append(o.encoder.order, d)
		o.source(d, m, end, start[m])
		o.memory[m] = name
		if len(d.When) == 0 {
			o.memory[m] = d.Value
		}
	}
}

// sees makes name the value of cell m before node b.
func (o *orders) sees(name formula.Term, m, b int) {
	o.source(o.reads[name], m, b, o.memory[m])
}

// source defines d as the value of cell m before node b; start is the one
// before all nodes.
func (o *orders) source(d *ssa.Def, m, b int, start formula.Term) {
	writes, initial := o.writes(m, b)
	same := true
	for _, w := range writes {
		v := o.nodes[w].value[m]
		_, ok := o.Value(v)
		same = same && ok && v == o.nodes[writes[0]].value[m]
	}
	if same && (len(writes) == 0 || !initial || start == o.nodes[writes[0]].value[m]) {
		if d.Value = start; len(writes) > 0 {
			d.Value = o.nodes[writes[0]].value[m]
		}
		return
	}
	if o.oneChain(writes) {
		o.last(d, m, b, writes, start)
		return
	}
	o.readsFrom(d, m, b, writes, initial, start)
}

// writes returns the nodes whose writes to cell m node b may see, and whether
// it may see the initial value.
func (o *orders) writes(m, b int) (out []int, initial bool) {
	initial = true
	for w := range o.nodes {
		if w == b || o.visible(w, b) == o.False() || !slices.Contains(o.nodes[w].cells, m) || o.nodes[w].wrote[m] == o.False() {
			continue
		}
		out = append(out, w)
		initial = initial && !o.overwrites(w, m, b)
	}
	hidden := func(w int) bool {
		return slices.ContainsFunc(out, func(x int) bool { return x != w && o.before[w][x] == o.True() && o.overwrites(x, m, b) })
	}
	return slices.DeleteFunc(slices.Clone(out), hidden), initial
}

// overwrites reports whether node w surely writes cell m before node b.
func (o *orders) overwrites(w, m, b int) bool {
	return b != end && o.nodes[w].wrote[m] == o.True() && o.visible(w, b) == o.True()
}

// oneChain reports whether all nodes in list are of one chain.
func (o *orders) oneChain(list []int) bool {
	return !slices.ContainsFunc(list, func(w int) bool { return o.nodes[w].chain != o.nodes[list[0]].chain })
}

// last defines d where one chain's writes may be seen: by the last one
// before node b.
func (o *orders) last(d *ssa.Def, m, b int, writes []int, start formula.Term) {
	later := o.False()
	for _, w := range slices.Backward(writes) {
		seen := o.And(o.visible(w, b), o.nodes[w].wrote[m])
		d.When, d.Values = append(d.When, o.And(seen, o.Not(later))), append(d.Values, o.nodes[w].value[m])
		later = o.Or(later, seen)
	}
	d.When, d.Values = append(d.When, o.Not(later)), append(d.Values, start)
}

// readsFrom defines d by reads-from literals: b sees a write that comes before
// it, between which and b no other does.
func (o *orders) readsFrom(d *ssa.Def, m, b int, writes []int, initial bool, start formula.Term) {
	some := o.Not(o.reached(b))
	for i, w := range writes {
		x := o.Var(1, "from")
		some = o.Or(some, x)
		o.axiom(o.Implies(x, o.And(o.visible(w, b), o.nodes[w].wrote[m])))
		for j, u := range writes {
			if i != j {
				o.axiom(o.Implies(o.AndN(x, o.nodes[u].wrote[m], o.visible(u, b)), o.before[u][w]))
			}
		}
		d.When, d.Values = append(d.When, x), append(d.Values, o.nodes[w].value[m])
	}
	if initial {
		x := o.Var(1, "from")
		some = o.Or(some, x)
		for _, u := range writes {
			o.axiom(o.Implies(x, o.Not(o.And(o.nodes[u].wrote[m], o.visible(u, b)))))
		}
		d.When, d.Values = append(d.When, x), append(d.Values, start)
	}
	o.axiom(some)
}

// load adds all to s.
func (o *orders) load(s *formula.Solver) {
	o.Form.Load(s)
	for _, x := range o.axioms {
		s.Assert(x)
	}
	for t := range len(o.first) - 1 {
		for u := range t {
			for v := range u {
				o.transitive(s, v, u, t)
			}
		}
	}
}

// transitive adds that there is no cycle of nodes of three chains.
func (o *orders) transitive(s *formula.Solver, t, u, v int) {
	for a := o.first[t]; a < o.first[t+1]; a++ {
		for b := o.first[u]; b < o.first[u+1]; b++ {
			ab := o.before[a][b]
			for c := o.first[v]; c < o.first[v+1]; c++ {
				bc, ca := o.before[b][c], o.before[c][a]
				s.Assert(o.Not(o.AndN(ab, bc, ca)))
				s.Assert(o.OrN(ab, bc, ca))
			}
		}
	}
}

// run returns the events of the run in the model of s, in their order.
func (o *orders) run(s *formula.Solver) []move {
	var done []int
	for b := range o.nodes {
		if s.Value(o.nodes[b].done) == 1 {
			done = append(done, b)
		}
	}
	slices.SortFunc(done, func(a, b int) int { return cmp.Compare(s.Value(o.before[b][a]), s.Value(o.before[a][b])) })
	var out []move
	for _, b := range done {
		n := &o.nodes[b]
		for i := n.first; i < n.end; i++ {
			ev := &o.Threads.Threads[n.thread].Events[i]
			if n.drain {
				out = o.moveDrain(s, out, n, ev)
				continue
			}
			if s.Value(o.AndN(ev.Guard, ev.OK, ev.Live)) == 1 { // others are no events of a run
				out = append(out, move{n.thread, ev.Label})
			}
		}
	}
	return out
}

// play runs the program on the inputs of m, by moves, and returns the
// violation as one of a schedule of as many rounds as that takes.
func (o *orders) play(ctx context.Context, m ssa.Model, moves []move) (*Violation, error) {
	p := o.player(o.fewerTurns(ctx, m, moves))
	if o.weak != nil {
		return o.playWeak(ctx, m, p)
	}
	if _, err := o.follow(ctx, m, p); err != nil {
		return nil, err
	}
	for _, l := range p.stops {
		m[l] = 1
	}
	e := *o.Encoding
	e.rounds = p.round
	return e.play(ctx, m)
}

// follow runs the program on the inputs of m by p.
func (o *orders) follow(ctx context.Context, m ssa.Model, p *player) (*interp.Trace, error) {
	return interp.Run(ctx, o.Form.Program, interp.Config{
		Input: m.Input, Unwind: o.unwind, Loops: o.loops, MaxSteps: -1, NoSteps: true, Memory: o.model,
		Schedule: &ir.Schedule{Threads: o.Form.Threads}, Scheduler: p.schedule,
	})
}

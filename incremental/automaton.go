package incremental

import (
	"slices"

	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file defines automata of remaining error traces, and what is left of
// one without the traces that another accepts.

// An automaton holds the error traces that are not proved infeasible yet:
// first the control-flow automaton, then what is left of it after each
// difference. It may be nondeterministic. The final state has no edges.
type automaton struct {
	start, final int32
	out          [][]arc
}

type arc struct{ letter, to int32 }

// errorTraces returns c's words, with or without those that end where an
// array is longer than its type allows.
func errorTraces(c *cfa.Automaton, cuts bool) *automaton {
	a := &automaton{start: int32(c.Start), final: int32(c.Error), out: make([][]arc, len(c.Edges))}
	for s, es := range c.Edges {
		for _, e := range es {
			if cuts || !e.Cut {
				a.out[s] = append(a.out[s], arc{int32(e.Letter), int32(e.To)})
			}
		}
	}
	return a
}

// useful returns the states from start to final, as a set and in the order
// of a breadth-first search; none if the language is empty.
func (a *automaton) useful() (live []bool, order []int32) {
	n := len(a.out)
	reach, coreach := make([]bool, n), make([]bool, n)
	in := a.sources()
	var found []int32
	visit(a.start, reach, func(s int32, push func(int32)) {
		found = append(found, s)
		for _, e := range a.out[s] {
			push(e.to)
		}
	})
	visit(a.final, coreach, func(s int32, push func(int32)) {
		for _, p := range in[s] {
			push(p)
		}
	})
	live = make([]bool, n)
	for _, s := range found {
		if coreach[s] {
			live[s] = true
			order = append(order, s)
		}
	}
	return live, order
}

// sources returns by state those that lead to it, once for each arc.
func (a *automaton) sources() [][]int32 {
	in, count, total := make([][]int32, len(a.out)), make([]int32, len(a.out)), 0
	for _, es := range a.out {
		for _, e := range es {
			count[e.to]++
		}
		total += len(es)
	}
	all := make([]int32, total)
	for s, k := range count {
		in[s], all = all[:0:k], all[k:]
	}
	for s, es := range a.out {
		for _, e := range es {
			in[e.to] = append(in[e.to], int32(s))
		}
	}
	return in
}

// visit calls at for each state that push is called with, breadth first.
func visit(start int32, seen []bool, at func(s int32, push func(int32))) {
	queue := []int32{start}
	seen[start] = true
	for i := 0; i < len(queue); i++ {
		at(queue[i], func(s int32) {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		})
	}
}

// trim returns a without states that are on no error trace, and with states
// that have the same future (bisimilar ones) as one. It returns nil if no
// trace is left.
func (a *automaton) trim() *automaton {
	live, order := a.useful()
	if len(order) == 0 {
		return nil
	}
	class := a.bisimilar(live, order)
	n := 0
	for _, s := range order {
		n = max(n, int(class[s])+1)
	}
	b := &automaton{start: class[a.start], final: class[a.final], out: make([][]arc, n)}
	seen := make([]bool, n)
	var arcs arcSet
	for _, s := range order {
		c := class[s]
		if seen[c] {
			continue
		}
		seen[c] = true
		arcs.reset()
		b.out[c] = make([]arc, 0, len(a.out[s]))
		for _, e := range a.out[s] {
			if x := (arc{e.letter, class[e.to]}); live[e.to] && arcs.add(b.out[c], x) {
				b.out[c] = append(b.out[c], x)
			}
		}
	}
	return b
}

// manyArcs is from how many arcs on a state has a map of them. Few have: maps were a
// tenth of all memory that small proofs took.
const manyArcs = 16

// An arcSet finds the arcs that one state has twice.
type arcSet struct{ m map[arc]bool }

func (s *arcSet) reset() { s.m = nil }

// add reports whether x is not among arcs, those added so far.
func (s *arcSet) add(arcs []arc, x arc) bool {
	if len(arcs) < manyArcs {
		return !slices.Contains(arcs, x)
	}
	if s.m == nil {
		s.m = make(map[arc]bool)
		for _, y := range arcs {
			s.m[y] = true
		}
	}
	if s.m[x] {
		return false
	}
	s.m[x] = true
	return true
}

// shortest returns a shortest trace from start to final, which must exist.
func (a *automaton) shortest() []int {
	type step struct {
		from   int32
		letter int32
	}
	by := make([]step, len(a.out))
	seen := make([]bool, len(a.out))
	visit(a.start, seen, func(s int32, push func(int32)) {
		for _, e := range a.out[s] {
			if !seen[e.to] {
				by[e.to] = step{s, e.letter}
			}
			push(e.to)
		}
	})
	var trace []int
	for s := a.final; s != a.start; s = by[s].from {
		trace = append(trace, int(by[s].letter))
	}
	slices.Reverse(trace)
	return trace
}

// A successor is a deterministic automaton, total but for its accepting
// state, which is a trap: it maps a state and a letter to the next state.
type successor func(state int32, letter int) (int32, error)

// accepting is the state of a Floyd-Hoare automaton that is annotated false:
// what gets there is infeasible, whatever follows.
const accepting = -1

// minus returns the traces of a that b, which starts at state 0, doesn't
// accept: the product with its complement. It returns nil if there are none,
// and an error if b does or if the product has more than limit states.
func (a *automaton) minus(b successor, limit int) (*automaton, error) {
	type pair struct{ a, b int32 }
	d := &automaton{}
	index := make(map[pair]int32)
	var pairs []pair
	state := func(p pair) int32 {
		i, ok := index[p]
		if !ok {
			i = int32(len(pairs))
			index[p] = i
			pairs = append(pairs, p)
			d.out = append(d.out, nil)
		}
		return i
	}
	d.start = state(pair{a.start, 0})
	d.final = state(pair{a.final, -2})
	for i := 0; i < len(pairs); i++ {
		p := pairs[i]
		if int32(i) == d.final {
			continue
		}
		for _, e := range a.out[p.a] {
			q, err := b(p.b, int(e.letter))
			if err != nil {
				return nil, err
			}
			if q == accepting {
				continue
			}
			to := d.final
			if e.to != a.final {
				to = state(pair{e.to, q})
			}
			d.out[i] = append(d.out[i], arc{e.letter, to})
		}
		if len(pairs) > limit {
			return nil, outOfStates
		}
	}
	return d.trim(), nil
}

// excludedBy reports whether f, by its successors b, is found to accept all of a's
// traces without a look at each of its states: for a state of a it knows only what
// holds in all states of f that belong to it. What IC3 leaves has too many.
func (a *automaton) excludedBy(f *hoareAutomaton, b successor) (bool, error) {
	held := make([]bitset.Set, len(a.out))
	held[a.start] = bitset.New(len(f.preds))
	for todo := []int32{a.start}; len(todo) > 0; {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range a.out[q] {
			to, err := b(f.state(held[q]), int(e.letter))
			switch {
			case err != nil:
				return false, err
			case to == accepting:
				continue
			case e.to == a.final:
				return false, nil
			case held[e.to] == nil:
				held[e.to] = slices.Clone(f.states[to])
			case held[e.to].In(f.states[to]):
				continue
			default:
				held[e.to] = held[e.to].Intersect(f.states[to])
			}
			todo = append(todo, e.to)
		}
	}
	return true, nil
}

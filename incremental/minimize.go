package incremental

import (
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/incremental/proof"
)

// This file leaves out of a proof what it doesn't need. What is found last is
// the most general: often an inductive predicate makes all the automata from
// single traces before it superfluous. They would cost time in each revision
// to come.

// maxDemands is how many states a product may have in which it is found out what
// an automaton needs. Those that IC3 leaves have more, and say what they need.
const maxDemands = 2_000

// minimize returns those automata of e.used that are enough, by the triples
// that are known by now; all of them if those are not. It asks no solver.
func (e *engine) minimize() []*hoareAutomaton {
	left := errorTraces(e.c, !e.cut).trim()
	rest := e.used
	var keep []*hoareAutomaton
	for left != nil {
		trace := left.shortest()
		i := len(rest) - 1
		for i >= 0 && !rest[i].recalls(trace) {
			i--
		}
		if i < 0 {
			return e.used
		}
		f := rest[i]
		rest = append(rest[:i:i], rest[i+1:]...)
		keep = append(keep, f)
		f.needOnly(left, maxDemands)
		var err error
		if left, err = left.minus(func(q int32, l int) (int32, error) { return f.recall(q, l), nil }, e.cfg.Limits.States); err != nil {
			return e.used
		}
	}
	return keep
}

// recalls reports whether f accepts the trace by known triples.
func (f *hoareAutomaton) recalls(trace []int) bool {
	q := int32(0)
	for _, l := range trace {
		if q = f.recall(q, l); q == accepting {
			return true
		}
	}
	return false
}

// recall is next by known triples and the frame rule only.
func (f *hoareAutomaton) recall(q int32, l int) int32 {
	if f.memory == nil {
		f.memory = make([]map[int]int32, len(f.states))
	}
	for len(f.memory) <= int(q) {
		f.memory = append(f.memory, nil)
	}
	if t, ok := f.memory[q][l]; ok {
		return t
	}
	if f.memory[q] == nil {
		f.memory[q] = make(map[int]int32)
	}
	s := f.states[q]
	to := bitset.New(len(f.preds))
	s.Each(func(i int) {
		if f.e.t.frame(l, f.preds[i]) {
			to.Add(i)
		}
	})
	t := int32(accepting - 1)
	for i := range f.triples[l] {
		switch x := &f.triples[l][i]; {
		case !x.used || !x.pre.In(s):
		case x.post == proof.False:
			t = accepting
		default:
			to.Add(x.post)
		}
	}
	if t != accepting {
		t = f.state(to)
	}
	f.memory[q][l] = t
	return t
}

package cfa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ssa"
)

// This file follows a run through the statements of its blocks.

// A walk is a run of an automaton of statements: the trace so far, and the
// values of the variables.
type walk struct {
	c     *Automaton
	now   []uint64
	ev    *formula.Evaluator
	trace []int
	given [][]uint64 // by position: what the letter's Havoc got
}

// throughBlocks is Inputs where c's letters are blocks.
func (c *Automaton) throughBlocks(trace []int, initial func(v int) uint64, havoc func(at, k int) uint64) ssa.Model {
	w := &walk{c: c.statements, now: make([]uint64, len(c.statements.Vars))}
	number := make(map[formula.Term]int)
	for i, v := range w.c.Vars {
		number[v.Term] = i
		w.now[i] = initial(i)
	}
	w.ev = formula.NewEvaluator(c.Store, func(v formula.Term) uint64 { return w.now[number[v]] })
	for i, e := range c.Run(trace) {
		chosen := make(map[int]uint64)
		for k, v := range c.Letters[e.Letter].Havoc {
			chosen[v] = havoc(i, k)
		}
		if !w.through(e.block, chosen) {
			break // the run is none: replaying it will say so
		}
	}
	return w.c.Inputs(w.trace, initial, func(at, k int) uint64 { return w.given[at][k] })
}

// through goes on from the head of a block to its end, if there is a way.
func (w *walk) through(k *block, chosen map[int]uint64) bool {
	for s := k.head; ; {
		i := w.enabled(s, k.edges[s])
		if i < 0 {
			return false
		}
		e := w.c.Edges[s][i]
		w.do(e.Letter, k.inputs[[2]int{s, i}], chosen)
		if k.ends(e) {
			return true
		}
		s = e.To
	}
}

// enabled returns the edge of state s, one of those listed, that can be
// taken now, or -1.
func (w *walk) enabled(s int, edges []int) int {
	w.ev.Reset()
	for _, i := range edges {
		if w.ev.Eval(w.c.Letters[w.c.Edges[s][i].Letter].Guard) == 1 {
			return i
		}
	}
	return -1
}

// do executes letter l, whose Havoc gets what was chosen for inputs.
func (w *walk) do(l int, inputs []int, chosen map[int]uint64) {
	letter := w.c.Letters[l]
	values := make([]uint64, len(letter.Vars))
	for i := range letter.Vars {
		values[i] = w.ev.Eval(letter.Values[i])
	}
	for i, v := range letter.Vars {
		w.now[v] = values[i]
	}
	var given []uint64
	for i, v := range letter.Havoc {
		w.now[v] = chosen[inputs[i]]
		given = append(given, w.now[v])
	}
	w.trace, w.given = append(w.trace, l), append(w.given, given)
}

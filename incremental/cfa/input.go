package cfa

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// This file turns runs of the automaton into inputs of the program.

// Run returns the edges of a run of c that reads trace from the start to the
// error.
func (c *Automaton) Run(trace []int) []*Edge {
	type step struct {
		state, from int
		edge        *Edge
	}
	layers := [][]step{{{state: c.Start}}}
	for _, l := range trace {
		var next []step
		seen := make(map[int]bool)
		for i, x := range layers[len(layers)-1] {
			for k := range c.Edges[x.state] {
				e := &c.Edges[x.state][k]
				if e.Letter == l && !seen[e.To] {
					seen[e.To] = true
					next = append(next, step{e.To, i, e})
				}
			}
		}
		layers = append(layers, next)
	}
	run := make([]*Edge, len(trace))
	at := -1
	for i, x := range layers[len(trace)] {
		if x.state == c.Error {
			at = i
		}
	}
	for i := len(trace); i > 0 && at >= 0; i-- {
		x := layers[i][at]
		run[i-1] = x.edge
		at = x.from
	}
	if at < 0 {
		return nil
	}
	return run
}

// A pathStep is one step of an unwinding and inlining path.
type pathStep struct {
	key   ir.LocID
	round int // 0 for a call
}

func (p pathStep) String() string {
	if p.round == 0 {
		return strconv.Itoa(int(p.key))
	}
	return strconv.Itoa(int(p.key)) + "#" + strconv.Itoa(p.round)
}

// move returns path after ops.
func move(path []pathStep, ops []pathOp) []pathStep {
	for _, op := range ops {
		path = path[:min(op.depth, len(path))]
		switch {
		case op.next:
			path[len(path)-1].round++
		case op.loop:
			path = append(path, pathStep{op.key, 1})
		case op.key != 0:
			path = append(path, pathStep{op.key, 0})
		}
	}
	return path
}

// join returns the path made of path and rest.
func join(path []pathStep, rest ir.Path) ir.Path {
	var parts []string
	for _, p := range path {
		parts = append(parts, p.String())
	}
	if rest != "" {
		parts = append(parts, string(rest))
	}
	return ir.Path(strings.Join(parts, "/"))
}

// Inputs returns the input with which the program executes trace, a word of
// c: initial gives the value of a variable at the start, and havoc that of
// the k-th variable that the letter at a position makes free; if the letter
// is a block, the value with which it went through the block.
func (c *Automaton) Inputs(trace []int, initial func(v int) uint64, havoc func(at, k int) uint64) ssa.Model {
	if c.statements != nil {
		return c.throughBlocks(trace, initial, havoc)
	}
	m := make(ssa.Model)
	set := func(of ir.Choice, value uint64) {
		if m[of] = value; value == 0 {
			delete(m, of)
		}
	}
	for _, x := range c.initial {
		set(x.of, initial(x.v))
	}
	var path []pathStep
	for i, e := range c.Run(trace) {
		for _, x := range e.inputs {
			if k := slices.Index(c.Letters[e.Letter].Havoc, x.v); k >= 0 {
				of := x.of
				of.Path = join(path, of.Path)
				set(of, havoc(i, k))
			}
		}
		path = move(path, e.path)
	}
	return m
}

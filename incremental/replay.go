package incremental

import (
	"context"
	"strconv"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// This file turns a feasible trace into an input of the program and has the
// interpreter run it.

// run returns the edges of a run of c that reads trace from the start to the
// error.
func (c *CFA) run(trace []int) []*Edge {
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

// model returns the input that makes the program execute the trace of f, of
// whose formula value gives a model.
func (c *CFA) model(f *traceForm, value func(formula.Term) uint64) ssa.Model {
	m := make(ssa.Model)
	for _, x := range c.initial {
		if t := f.initial[x.v]; t != 0 {
			m[x.of] = value(t)
		}
	}
	var path []pathStep
	for i, e := range c.run(f.trace) {
		for _, x := range e.choices {
			for k, v := range c.Letters[e.Letter].Havoc {
				if v == x.v {
					of := x.of
					of.Path = join(path, of.Path)
					m[of] = value(f.havocs[i][k])
				}
			}
		}
		path = move(path, e.path)
	}
	for k, v := range m {
		if v == 0 {
			delete(m, k)
		}
	}
	return m
}

// replay runs p on m. It returns the trace of a violation, and an error if
// there is none.
func replay(ctx context.Context, p *ir.Program, m ssa.Model) (*interp.Trace, error) {
	t, err := interp.Run(ctx, p, interp.Config{Input: m.Input, Unwind: -1, MaxSteps: -1})
	switch {
	case err != nil:
		return nil, err
	case t.Outcome == interp.Cut:
		return nil, allocTooLarge
	case t.Outcome != interp.Violated:
		return nil, ir.Internalf("incremental", "a counterexample does not replay (%v)", t.Outcome)
	}
	return t, nil
}

package slice

import (
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ssa"
)

// A Graph is the dependency graph of a form: from each defined name to the
// names and inputs that its value mentions (Definition 3 of the thesis).
// It is made once and serves every model, and, if the form has alternatives
// behind selectors, every program that they select: the incremental form of
// FOSFL. A Graph may be used by one goroutine at a time.
type Graph struct {
	form  *ssa.Form
	run   *ssa.Run
	defs  []int32 // by Term: index into form.Defs plus 1, if it is a name
	mark  []uint32
	epoch uint32
	stack []int32
	vars  []formula.Term
}

// NewGraph returns the dependency graph of f, in time linear in f.
func NewGraph(f *ssa.Form) *Graph {
	g := &Graph{form: f, run: ssa.NewRun(f), mark: make([]uint32, len(f.Defs))}
	g.defs = make([]int32, f.Store.Len())
	for i, d := range f.Defs {
		g.defs[d.Name] = int32(i + 1)
	}
	return g
}

// Must returns a must location set for the run on m of the program that the
// selectors select, which must violate a claim (else Must panics with
// ErrPasses, which a Localizer returns): a program that agrees with it on all
// these locations violates the claim too.
//
// This is Algorithm 5.2 (FOSFL). Departures: what decides a value is found
// by the rule of Algorithm A.1 in assignments and phis too, not only in the
// demand, so sets are smaller: of a lazy operator, a multiplication by zero
// or a chosen alternative only the operands that decide count. And only the
// first claim that the run violates is sliced.
func (g *Graph) Must(m ssa.Model, selected ...formula.Term) Set {
	c, err := g.start(m, selected)
	if err != nil {
		panic(err)
	}
	return g.Slice(c.Violated(g.form.Store))
}

// ErrPasses says that a run that is to be localized violates nothing: that
// the input is one of another revision, say.
var ErrPasses = errors.New("slice: the run violates nothing")

// start computes the run on m and returns the first claim that it violates.
// The error is ErrPasses.
func (g *Graph) start(m ssa.Model, selected []formula.Term) (*ssa.Claim, error) {
	g.run.Start(m, selected)
	for i := range g.form.Claims {
		c := &g.form.Claims[i]
		if g.run.Value(c.Violated(g.form.Store)) == 1 {
			return c, nil
		}
	}
	return nil, ErrPasses
}

// Run returns the run that the next Slice reads.
func (g *Graph) Run() *ssa.Run { return g.run }

// Slice returns the origins of the definitions that give t its value in the
// current run (Definitions 4 to 6; Algorithm 5.1). As long as they stay as
// they are, so does t's value on the same input (Theorem 2). Beyond the
// evaluation of the terms it meets, it takes time linear in the slice.
func (g *Graph) Slice(t formula.Term) Set {
	var s Set
	g.epoch++
	g.stack = g.stack[:0]
	g.visit(t)
	for len(g.stack) > 0 {
		d := &g.form.Defs[g.stack[len(g.stack)-1]]
		g.stack = g.stack[:len(g.stack)-1]
		if d.Origin != 0 {
			s.Add(d.Origin)
		}
		g.visit(d.Value)
	}
	return s
}

// visit puts the definitions that decide t on the stack, if they are new.
func (g *Graph) visit(t formula.Term) {
	g.vars = formula.Important(g.form.Store, t, g.run.Evaluator(), g.vars[:0])
	for _, v := range g.vars {
		if int(v) >= len(g.defs) || g.defs[v] == 0 {
			continue // an input or a selector
		}
		if i := g.defs[v] - 1; g.mark[i] != g.epoch {
			g.mark[i] = g.epoch
			g.stack = append(g.stack, i)
		}
	}
}

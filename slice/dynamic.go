package slice

import (
	"context"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ssa"
)

// Dynamic is dynamic slicing (Agrawal and Horgan, "Dynamic Program
// Slicing", PLDI 1990): the statements whose execution led to the value of
// the violated assertion by data and control dependence. It misses
// conditions that should have gone the other way, so its sets are may sets.
type Dynamic struct{ graph *Graph }

// NewDynamic returns the localizer for the program that build builds,
// within the bounds of cfg, whose Hook and Fold it ignores.
func NewDynamic(build ssa.Builder, cfg ssa.Config) (*Dynamic, error) {
	f, err := NewFOSFL(build, cfg)
	if err != nil {
		return nil, err
	}
	return &Dynamic{f.graph}, nil
}

// Localize returns the dynamic slice of the first violated claim. It solves
// nothing and ignores ctx.
func (d *Dynamic) Localize(_ context.Context, m ssa.Model) (Set, bool, error) {
	g := d.graph
	var s Set
	c, err := g.start(m, nil)
	if err != nil {
		return s, false, err
	}
	g.epoch++
	g.stack = g.stack[:0]
	g.visit(c.Cond)
	g.visit(c.Guard)
	for len(g.stack) > 0 {
		def := &g.form.Defs[g.stack[len(g.stack)-1]]
		g.stack = g.stack[:len(g.stack)-1]
		if def.Phi {
			g.visit(chosen(g, def.Value))
			continue
		}
		if def.Origin != 0 {
			s.Add(def.Origin)
		}
		g.visit(def.Value)
		g.visit(def.Guard)
	}
	return s, false, nil
}

// chosen returns the version that the phi t chooses in the current run.
func chosen(g *Graph, t formula.Term) formula.Term {
	st := g.form.Store
	if st.Op(t) != formula.OpIte {
		return t
	}
	if g.run.Value(st.Arg(t, 0)) == 1 {
		return st.Arg(t, 1)
	}
	return st.Arg(t, 2)
}

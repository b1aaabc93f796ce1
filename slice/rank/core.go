package rank

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// This file holds FLACK's analysis of models without a passing instance.

// unsat ranks by the formulas that contradict each other: FLACK's analysis for
// models without a passing instance. Those of units that are in a core are left
// out; the ones that an instance of the rest falsifies are listed.
func (f *flack) unsat(ctx context.Context, cexs []*relation.Instance) (*Result, error) {
	c := f.m.Passing()
	var parts, own []relation.Formula
	for _, x := range c.Facts {
		parts = conjuncts(x, parts)
	}
	f.split(c.Goal, &parts, &own)
	core, err := coreOf(ctx, f.cfg, c, append(parts[:len(parts):len(parts)], own...))
	if err != nil {
		return nil, err
	}
	rest := append(own, c.Implicit...)
	for i, x := range parts {
		if !core[i] {
			rest = append(rest, x)
		}
	}
	r := &Result{Counterexamples: cexs}
	in, err := withoutCore(ctx, f.cfg, c, rest, cexs)
	if err != nil {
		if errors.Is(err, errNoPassing) { // the goal contradicts itself or the declarations
			err = nil
		}
		return r, err
	}
	r.Passing = []*relation.Instance{in}
	for i, n := range f.m.Nodes {
		k := slices.IndexFunc(parts, func(x relation.Formula) bool { return n.Rel == relation.Node(x) })
		if k < 0 || !core[k] {
			continue
		}
		for _, x := range f.falsified(in, i, len(cexs) > 0) {
			r.Entries = append(r.Entries, Entry{Node: x, Score: 1})
		}
	}
	f.finish(r)
	return r, nil
}

// withoutCore returns the instance of rest nearest to the first counterexample,
// or to the empty one.
func withoutCore(ctx context.Context, cfg Config, c *Command, rest []relation.Formula, cexs []*relation.Instance) (*relation.Instance, error) {
	n, err := newNearest(ctx, cfg, c, rest...)
	if err != nil {
		return nil, err
	}
	from := relation.NewInstance(c.Bounds)
	if len(cexs) > 0 {
		from = cexs[0]
	}
	return n.find(ctx, from)
}

// falsified returns node i if it is false in in; if it quantifies over a
// conjunction the conjuncts for which that is so. Without a counterexample it
// is split only if a conjunct doesn't depend on the variables.
func (f *flack) falsified(in *relation.Instance, i int, split bool) (out []int) {
	q, ok := f.m.Nodes[i].Rel.(*relation.Quant)
	if !ok || q.Op != relation.All || len(f.kids[i]) == 0 || !f.isAnd(f.kids[i][len(f.kids[i])-1]) || !split && !f.hasClosed(i) {
		if v, err := in.Eval(f.m.Nodes[i].Rel.(relation.Formula), nil); err == nil && !v {
			out = append(out, i)
		}
		return out
	}
	for _, k := range f.kids[f.kids[i][len(f.kids[i])-1]] {
		part := &relation.Quant{Op: q.Op, Decls: q.Decls, Body: f.m.Nodes[k].Rel.(relation.Formula)}
		if v, err := in.Eval(part, nil); err == nil && !v {
			out = append(out, k)
		}
	}
	return out
}

// hasClosed returns whether a conjunct in the body of node i has no variables.
func (f *flack) hasClosed(i int) bool {
	return slices.ContainsFunc(f.kids[f.kids[i][len(f.kids[i])-1]], func(k int) bool {
		return len(relation.FreeVars(f.m.Nodes[k].Rel)) == 0
	})
}

func (f *flack) isAnd(i int) bool {
	c, ok := f.m.Nodes[i].Rel.(*relation.Connective)
	return ok && c.Op == relation.And
}

// split appends the conjuncts of a goal to parts if they are in a unit that it
// calls without arguments, else to own.
func (f *flack) split(x relation.Formula, parts, own *[]relation.Formula) {
	switch y := x.(type) {
	case *relation.Connective:
		if y.Op == relation.And {
			for _, z := range y.Xs {
				f.split(z, parts, own)
			}
			return
		}
	case *relation.LetFormula:
		if len(y.Vars) == 0 && slices.ContainsFunc(f.m.Units, func(u Unit) bool { return u.Body == relation.Node(y.Body) }) {
			*parts = conjuncts(y.Body, *parts)
			return
		}
	}
	*own = append(*own, x)
}

// conjuncts splits x at conjunctions and at calls without arguments.
func conjuncts(x relation.Formula, dst []relation.Formula) []relation.Formula {
	switch x := x.(type) {
	case *relation.Connective:
		if x.Op == relation.And {
			for _, y := range x.Xs {
				dst = conjuncts(y, dst)
			}
			return dst
		}
	case *relation.LetFormula:
		if len(x.Vars) == 0 {
			return conjuncts(x.Body, dst)
		}
	}
	return append(dst, x)
}

// coreOf returns which of parts make, with c's declarations, a minimal
// contradiction. The error is ErrHolds if there is none.
func coreOf(ctx context.Context, cfg Config, c *Command, parts []relation.Formula) ([]bool, error) {
	s := cfg.solver(ctx, c.Bounds)
	for _, x := range c.Implicit {
		if err := s.Assert(x); err != nil {
			return nil, err
		}
	}
	lits := make([]sat.Lit, len(parts))
	for i, x := range parts {
		g, err := s.Gate(x)
		if err != nil {
			return nil, err
		}
		lits[i] = s.Lit(g)
	}
	switch status, err := s.SAT().Solve(ctx, lits...); status {
	case sat.Unknown:
		return nil, err
	case sat.Sat:
		return nil, ErrHolds
	}
	core, err := sat.MinCore(ctx, s.SAT(), s.SAT().Core(nil))
	if err != nil {
		return nil, err
	}
	in := make([]bool, len(parts))
	for i, m := range lits {
		in[i] = slices.Contains(core, m)
	}
	return in, nil
}

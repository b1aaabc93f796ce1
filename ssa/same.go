package ssa

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// This file compares constraint sets: what was proved of one holds of another
// that differs only in the names of definitions.

// Same reports whether g is the constraint set f under other names: whether the
// definitions, claims, cuts, assumptions, choices and results of both are the
// same terms, in the same order, once g's names are exchanged for f's. Both are
// over one store and inputs. It may miss that they are.
func (f *Form) Same(g *Form) bool {
	if f.Store != g.Store || f.Inputs != g.Inputs || len(f.Defs) != len(g.Defs) || len(f.guarded)+len(g.guarded) > 0 {
		return false
	}
	names := make(map[formula.Term]formula.Term)
	for i := range f.Defs {
		x, y := f.Defs[i].Name, g.Defs[i].Name
		if f.Store.Width(x) != f.Store.Width(y) {
			return false
		}
		names[y] = x
	}
	r := formula.NewRenamer(f.Store, func(v formula.Term) formula.Term {
		if x, ok := names[v]; ok {
			return x
		}
		return v
	})
	return slices.EqualFunc(f.parts(), g.parts(), func(x, y part) bool {
		return x.at == y.at && x.kind == y.kind && x.n == y.n &&
			slices.EqualFunc(x.terms, y.terms, func(a, b formula.Term) bool { return a == r.Replace(b) })
	})
}

// A part is what Same compares of one element of a form.
type part struct {
	at    ir.Choice
	kind  ir.Kind
	n     int
	terms []formula.Term
}

// parts returns the elements of f in a fixed order.
func (f *Form) parts() []part {
	var out []part
	add := func(p part, terms ...formula.Term) {
		p.terms = terms
		out = append(out, p)
	}
	for _, n := range []int{len(f.Claims), len(f.Cuts), len(f.Assumes), len(f.Choices)} {
		add(part{n: n})
	}
	for i := range f.Defs {
		d := &f.Defs[i]
		add(part{n: len(d.When)}, slices.Concat([]formula.Term{d.Name, d.Value}, d.When, d.Values)...)
	}
	for _, c := range f.Claims {
		add(part{at: ir.Choice{At: c.At, Path: c.Path}, kind: c.Kind}, c.Guard, c.Cond)
	}
	for _, c := range f.Cuts {
		add(part{at: ir.Choice{At: c.At, Path: c.Path}}, c.Guard)
	}
	for _, a := range f.Assumes {
		add(part{at: ir.Choice{At: a.At, Path: a.Path}, n: a.Claims}, a.Guard, a.Cond)
	}
	for _, c := range f.Choices {
		add(part{at: c.Choice, n: c.Claims}, c.Guard)
	}
	add(part{}, append(slices.Clone(f.Results), f.End)...)
	add(part{}, f.Wakeups...)
	add(part{}, f.Normal...)
	return out
}

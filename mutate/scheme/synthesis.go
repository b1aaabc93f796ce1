package scheme

import (
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Synthesis replaces an expression of integer type or a condition by any of a
// small grammar, or puts it into one. With x and y for what is in scope there
// (variables, elements of the arrays that the function names by indices that are
// in scope or that it uses, and what components yield), c and d for constants, e
// for what was there, and ~ for an operator:
//
//	x   c   e ~ x   x - e   e ~ c   c - e   x ~ c   c - x   x ~ y     ~ is + - & | ^
//	k ? x : e   k ? c : e   k ? e ~ x : e   k ? e ~ c : e
//	x # y   x # c   !x   x   of conditions                            # compares
//
// where the condition k is x, !x, x # y or x # c. Of what is in scope it takes the
// first 64. Variables, constants and operators are holes: a form is one change, reported with what is simplest in it.
// It is a scheme of components, in the sense of Jha et al., "Oracle-Guided
// Component-Based Program Synthesis", ICSE 2010, with one circuit for each form,
// the smallest first.
func Synthesis(components ...mutate.Component) []*mutate.Operator {
	return []*mutate.Operator{{
		Name: "synthesize",
		Doc:  "replace an expression by one that is made of what is in scope",
		Cost: 5,
		Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				if b, ok := s.Expr.(*ir.Binary); ok && b.Form != ir.Infix {
					return // a statement: x += y
				}
				g := newGrammar(s, components)
				switch s.Expr.Type().(type) {
				case ir.Bool:
					g.conditions(yield)
				case ir.Int:
					if _, constant := s.Expr.(*ir.Const); s.Syntax.Computes(s.Expr.Type()) || constant {
						g.numbers(yield)
					}
				}
			}
		},
	}}
}

// A grammar is what can be said at a site.
type grammar struct {
	site  mutate.Site
	atoms []ir.Expr // in order, no two the same
}

// maxAtoms is how many a site has: more make forms that no solver fills.
const maxAtoms = 64

func newGrammar(s mutate.Site, components []mutate.Component) *grammar {
	g := &grammar{site: s}
	for _, v := range s.InScope {
		g.add(use(v))
	}
	for _, c := range components {
		for e := range c.Apply(s) {
			g.add(e)
		}
	}
	g.elements()
	return g
}

func (g *grammar) add(e ir.Expr) {
	for _, a := range g.atoms {
		if ir.EqualExpr(a, e) {
			return
		}
	}
	if len(g.atoms) < maxAtoms {
		g.atoms = append(g.atoms, e)
	}
}

// elements adds those of the arrays that the function names. What is out of
// range must be no value of its own: see mutate.Site.Checks.
func (g *grammar) elements() {
	if g.site.Proc == nil || !g.site.Checks.Has(ir.CheckBounds) {
		return
	}
	var arrays, indices []ir.Expr
	note := func(list *[]ir.Expr, e ir.Expr) {
		for _, x := range *list {
			if ir.EqualExpr(x, e) {
				return
			}
		}
		*list = append(*list, ir.Unsited(e))
	}
	ir.EachStmt(g.site.Proc.Body, func(t ir.Stmt) {
		ir.EachExpr(t, func(e *ir.Expr) {
			x, ok := (*e).(*ir.Index)
			if !ok {
				return
			}
			if _, whole := x.X.(*ir.Use); whole {
				note(&arrays, x.X)
			}
			if _, constant := x.I.(*ir.Const); constant {
				note(&indices, x.I)
			}
		})
	})
	for _, v := range g.site.InScope {
		if _, ok := v.Type.(ir.Int); ok {
			note(&indices, use(v))
		}
	}
	for _, a := range arrays {
		of, ok := a.Type().(ir.Array)
		if _, nested := of.Elem.(ir.Array); !ok || nested || of.Len == 0 {
			continue
		}
		for _, i := range indices {
			if c, ok := i.(*ir.Const); !ok || c.Val < uint64(of.Len) {
				g.add(&ir.Index{X: a, I: i})
			}
		}
	}
}

// of returns the atoms of type t.
func (g *grammar) of(t ir.Type) []ir.Expr {
	var out []ir.Expr
	for _, a := range g.atoms {
		if a.Type() == t {
			out = append(out, a)
		}
	}
	return out
}

// A part is an expression with holes.
type part struct {
	expr  ir.Expr
	holes []mutate.Hole
}

// any returns a part that is one of the atoms of type t but e, none if there is
// none.
func (g *grammar) any(t ir.Type, e ir.Expr) []part {
	var xs []ir.Expr
	for _, x := range g.of(t) {
		if e == nil || !ir.EqualExpr(x, e) {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 {
		return nil
	}
	x, h := mutate.Choose(xs...)
	return []part{{x, []mutate.Hole{h}}}
}

// constant returns a part that is any constant of type t, but e.
func constant(t ir.Type, e ir.Expr) part {
	h := mutate.NewHole(t)
	if c, ok := e.(*ir.Const); ok {
		h.Not = []uint64{c.Val}
	}
	return part{h.Use(), []mutate.Hole{h}}
}

// operators of numbers, those that people use most first.
var arithmeticOps = []ir.Op{ir.Add, ir.Sub, ir.And, ir.Or, ir.Xor}

// combined returns x ~ y, or y - x if that is said.
func combined(x ir.Expr, y part, reversed bool) part {
	var es []ir.Expr
	for _, op := range arithmeticOps {
		es = append(es, &ir.Binary{Op: op, X: x, Y: y.expr})
	}
	if reversed {
		es = append(es, &ir.Binary{Op: ir.Sub, X: y.expr, Y: x})
	}
	e, h := mutate.Choose(es...)
	return part{e, append(y.holes[:len(y.holes):len(y.holes)], h)}
}

// choices yields the forms of conditions, for each type those that compare its
// atoms.
func (g *grammar) choices() []part {
	var out []part
	seen := make(map[ir.Type]bool)
	for _, a := range g.atoms {
		t := a.Type()
		if seen[t] {
			continue
		}
		seen[t] = true
		xs := g.of(t)
		x, hx := mutate.Choose(xs...)
		switch t.(type) {
		case ir.Bool:
			e, h := mutate.Choose(x, &ir.Unary{Op: ir.Not, X: x})
			out = append(out, part{e, []mutate.Hole{hx, h}})
		case ir.Int:
			c := mutate.NewHole(t)
			e, h := mutate.Choose(comparisons(x, c.Use())...)
			out = append(out, part{e, []mutate.Hole{hx, h, c}})
			if len(xs) > 1 {
				p := pairs(xs)
				out = append(out, part{p.Expr, p.Holes})
			}
		}
	}
	return out
}

// conditions yields what may take the place of a condition. What extends it is in
// scheme Conditions.
func (g *grammar) conditions(yield func(mutate.Alternative) bool) {
	for _, k := range g.choices() {
		if !yield(mutate.Alternative{Expr: k.expr, Holes: k.holes, Cost: 2}) {
			return
		}
	}
}

// numbers yields what may take the place of a number.
func (g *grammar) numbers(yield func(mutate.Alternative) bool) {
	t, e := g.site.Expr.Type(), g.site.Expr
	_, isConstant := e.(*ir.Const)
	kept := !isConstant && repeatable(e, g.site.Checks)
	form := func(cost int, p part) bool {
		return yield(mutate.Alternative{Expr: p.expr, Holes: p.holes, Cost: cost})
	}
	for _, x := range g.any(t, e) {
		if !form(0, x) {
			return
		}
	}
	if !g.site.Syntax.Computes(t) || !form(1, constant(t, e)) {
		return
	}
	if kept {
		for _, x := range g.any(t, nil) {
			if !form(2, combined(ir.Unsited(e), x, true)) {
				return
			}
		}
		if !form(2, combined(ir.Unsited(e), constant(t, nil), true)) {
			return
		}
	}
	for _, x := range g.any(t, nil) {
		c := constant(t, nil)
		if !form(3, combined(x.expr, part{c.expr, append(x.holes, c.holes...)}, true)) {
			return
		}
	}
	for _, x := range g.any(t, nil) {
		for _, y := range g.any(t, nil) {
			if !form(3, combined(x.expr, part{y.expr, append(x.holes, y.holes...)}, false)) {
				return
			}
		}
	}
	if kept {
		g.cases(t, ir.Unsited(e), form)
	}
}

// cases yields what is e in one case.
func (g *grammar) cases(t ir.Type, e ir.Expr, form func(cost int, p part) bool) {
	others := []func() []part{
		func() []part { return g.any(t, e) },
		func() []part { return []part{constant(t, nil)} },
		func() []part {
			var out []part
			for _, x := range g.any(t, nil) {
				out = append(out, combined(e, x, true))
			}
			return out
		},
		func() []part { return []part{combined(e, constant(t, nil), true)} },
	}
	for cost, other := range others {
		for i := range g.choices() {
			for _, x := range other() {
				k := g.choices()[i] // with holes of its own
				if !form(4+cost/2, part{&ir.Cond{C: k.expr, X: x.expr, Y: e}, append(k.holes, x.holes...)}) {
					return
				}
			}
		}
	}
}

// same reports whether a copy of e, with e's operands, has e's value: what is free,
// since it is out of range and not checked, is another choice.
func same(e ir.Expr, checks ir.Checks) bool {
	switch e := e.(type) {
	case *ir.Binary:
		return e.Op != ir.Div && e.Op != ir.Rem || checks.Has(ir.CheckDiv)
	case *ir.Index:
		return checks.Has(ir.CheckBounds)
	case *ir.Use, *ir.Unary, *ir.Cond, *ir.Convert:
		return true
	}
	return false
}

// repeatable reports whether e may stand twice in an expression.
func repeatable(e ir.Expr, checks ir.Checks) bool {
	if _, constant := e.(*ir.Const); !constant && !same(e, checks) {
		return false
	}
	for _, o := range e.Operands(nil) {
		if !repeatable(*o, checks) {
			return false
		}
	}
	return true
}

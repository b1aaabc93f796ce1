package scheme

import (
	"iter"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Linear replaces an arithmetic expression by a linear one over at most two
// variables in scope: c, x + c, -x + c, 2*x + c, x + y + c or x - y + c.
// Which variables, and the constant, are holes.
func Linear() []*mutate.Operator {
	return []*mutate.Operator{{
		Name: "linear",
		Doc:  "replace an arithmetic expression by a linear one over variables in scope",
		Cost: 4,
		Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				if arithmetic(s.Expr) && s.Syntax.Computes(s.Expr.Type()) {
					combine(s, yield)
				}
			}
		},
	}}
}

// arithmetic reports whether e computes a number from others, or reads one.
func arithmetic(e ir.Expr) bool {
	if _, ok := e.Type().(ir.Int); !ok {
		return false
	}
	switch e := e.(type) {
	case *ir.Binary:
		return e.Form == ir.Infix
	case *ir.Use:
		return true
	}
	return false
}

// combine yields the linear forms, those with fewer variables first.
func combine(s mutate.Site, yield func(mutate.Alternative) bool) {
	t := s.Expr.Type()
	c := mutate.NewHole(t)
	if !yield(mutate.Alternative{Expr: c.Use(), Holes: []mutate.Hole{c}}) {
		return
	}
	var xs []ir.Expr
	for _, v := range s.InScope {
		if v.Type == t {
			xs = append(xs, use(v))
		}
	}
	if len(xs) == 0 {
		return
	}
	x, hx := mutate.Choose(xs...)
	double := &ir.Binary{Op: ir.Mul, X: &ir.Const{Val: 2, Typ: t}, Y: x}
	e, form := mutate.Choose(x, &ir.Unary{Op: ir.Neg, X: x}, double)
	c = mutate.NewHole(t)
	if !yield(mutate.Alternative{Expr: &ir.Binary{Op: ir.Add, X: e, Y: c.Use()}, Holes: []mutate.Hole{hx, form, c}}) || len(xs) == 1 {
		return
	}
	x, hx = mutate.Choose(xs...)
	y, hy := mutate.Choose(xs...)
	e, form = mutate.Choose(&ir.Binary{Op: ir.Add, X: x, Y: y}, &ir.Binary{Op: ir.Sub, X: x, Y: y})
	c = mutate.NewHole(t)
	yield(mutate.Alternative{Expr: &ir.Binary{Op: ir.Add, X: e, Y: c.Use()}, Holes: []mutate.Hole{hx, hy, form, c}})
}

package mutate

import (
	"iter"

	"github.com/go-amend/amend/ir"
)

// Linear replaces an arithmetic expression by a linear one over at most two
// variables in scope: c, x + c, -x + c, 2*x + c, x + y + c or x - y + c.
// Which variables, and the constant, are holes.
func Linear() []*Operator {
	return []*Operator{{
		Name: "linear",
		Doc:  "replace an arithmetic expression by a linear one over variables in scope",
		Cost: 4,
		Apply: func(s Site) iter.Seq[Alternative] {
			return func(yield func(Alternative) bool) {
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
func combine(s Site, yield func(Alternative) bool) {
	t := s.Expr.Type()
	c := NewHole(t)
	if !yield(Alternative{Expr: c.Use(), Holes: []Hole{c}}) {
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
	x, hx := Choose(xs...)
	double := &ir.Binary{Op: ir.Mul, X: &ir.Const{Val: 2, Typ: t}, Y: x}
	e, form := Choose(x, &ir.Unary{Op: ir.Neg, X: x}, double)
	c = NewHole(t)
	if !yield(Alternative{Expr: &ir.Binary{Op: ir.Add, X: e, Y: c.Use()}, Holes: []Hole{hx, form, c}}) || len(xs) == 1 {
		return
	}
	x, hx = Choose(xs...)
	y, hy := Choose(xs...)
	e, form = Choose(&ir.Binary{Op: ir.Add, X: x, Y: y}, &ir.Binary{Op: ir.Sub, X: x, Y: y})
	c = NewHole(t)
	yield(Alternative{Expr: &ir.Binary{Op: ir.Add, X: e, Y: c.Use()}, Holes: []Hole{hx, hy, form, c}})
}

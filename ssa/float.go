package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/float"
	"github.com/go-amend/amend/ir"
)

// This file translates floating-point numbers, which are terms of their bits.

// floats returns the arithmetic of t, nil if that is no floating-point type.
func (b *builder) floats(t ir.Type) *float.Arithmetic {
	switch t {
	case ir.Float{Width: 32}:
		return float.New(b.Store, float.Binary32)
	case ir.Float{Width: 64}:
		return float.New(b.Store, float.Binary64)
	}
	return nil
}

// nearest is how programs round.
func (b *builder) nearest() formula.Term { return float.NearestEven.Term(b.Store) }

// float returns x op y.
func (b *builder) float(a *float.Arithmetic, op ir.Op, x, y formula.Term) formula.Term {
	switch op {
	case ir.Add:
		return a.Add(b.nearest(), x, y)
	case ir.Sub:
		return a.Sub(b.nearest(), x, y)
	case ir.Mul:
		return a.Mul(b.nearest(), x, y)
	case ir.Div:
		return a.Div(b.nearest(), x, y)
	case ir.Eq:
		return a.Eq(x, y)
	case ir.Ne:
		return b.Not(a.Eq(x, y))
	case ir.Lt:
		return a.Lt(x, y)
	case ir.Le:
		return a.Le(x, y)
	case ir.Gt:
		return a.Lt(y, x)
	case ir.Ge:
		return a.Le(y, x)
	}
	panic("ssa: unknown operator")
}

// roundings are the functions that round to an integer.
var roundings = map[ir.Fn]float.Mode{
	ir.Floor: float.TowardNegative, ir.Ceil: float.TowardPositive, ir.Trunc: float.TowardZero,
	ir.Round: float.NearestAway, ir.RoundEven: float.NearestEven,
}

// function returns the value of e.
func (b *builder) function(e *ir.Math) formula.Term {
	a := b.floats(e.Type())
	xs := make([]formula.Term, len(e.Args))
	for i, x := range e.Args {
		xs[i] = b.value(x)
	}
	if m, ok := roundings[e.Fn]; ok {
		return a.RoundToIntegral(m.Term(b.Store), xs[0])
	}
	switch e.Fn {
	case ir.Sqrt:
		return a.Sqrt(b.nearest(), xs[0])
	case ir.Mod:
		return a.Mod(xs[0], xs[1])
	case ir.Remainder:
		return a.Remainder(xs[0], xs[1])
	case ir.FMA:
		return a.FMA(b.nearest(), xs[0], xs[1], xs[2])
	}
	panic("ssa: unknown function")
}

// convertFloat converts x from or to a floating-point type.
func (b *builder) convertFloat(x formula.Term, from, to ir.Type) formula.Term {
	a, c := b.floats(from), b.floats(to)
	switch {
	case a == nil:
		return c.FromInt(b.nearest(), x, ir.Signed(from))
	case c != nil:
		return a.To(c.Format, b.nearest(), x)
	case to == ir.Type(ir.Bool{}):
		return b.Not(a.IsZero(x))
	}
	return b.toInt(a, x, to.(ir.Int))
}

// toInt returns x as an integer, as ir.Convert has it.
func (b *builder) toInt(a *float.Arithmetic, x formula.Term, to ir.Int) formula.Term {
	zero := float.TowardZero.Term(b.Store)
	by := 64
	if to.Width < 32 || to.Width == 32 && to.Signed {
		by = 32
	}
	v, fits := a.ToInt(zero, x, by, true)
	if to != (ir.Int{Width: 64}) {
		return b.Extract(v, to.Width-1, 0)
	}
	u, is := a.ToInt(zero, x, 64, false)
	large := b.AndN(b.Not(fits), b.Not(a.Sign(x)), b.Not(a.IsNaN(x)))
	return b.Ite(large, b.Ite(is, u, b.Const(64, 0)), v)
}

// checkFloat claims of e, which computes a number from xs, what is checked of
// that.
func (b *builder) checkFloat(claim func(ir.Kind, formula.Term), e ir.Expr, xs ...ir.Expr) {
	a, z := b.floats(e.Type()), b.raw(e)
	numbers, finite := b.True(), b.True()
	for _, x := range xs {
		numbers = b.And(numbers, b.Not(a.IsNaN(b.value(x))))
		finite = b.And(finite, b.Not(a.IsInf(b.value(x))))
	}
	claim(ir.CheckNaN, b.Not(b.And(numbers, a.IsNaN(z))))
	claim(ir.CheckFloatOverflow, b.Not(b.And(finite, a.IsInf(z))))
}

// checkFromFloat is checkFloat for a conversion from numbers of a.
func (b *builder) checkFromFloat(claim func(ir.Kind, formula.Term), a *float.Arithmetic, e *ir.Convert) {
	x := b.value(e.X)
	if c := b.floats(e.To); c != nil {
		claim(ir.CheckFloatOverflow, b.Or(a.IsInf(x), b.Not(c.IsInf(b.raw(e)))))
		return
	}
	_, fits := a.ToInt(float.TowardZero.Term(b.Store), x, ir.Width(e.To), ir.Signed(e.To))
	claim(ir.CheckConversion, fits)
}

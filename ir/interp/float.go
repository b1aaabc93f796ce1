package interp

import (
	"math"

	"github.com/go-amend/amend/ir"
)

// This file computes with floating-point numbers, on the machine's. Every
// result is converted, so that Go fuses no two operations into one.

func (t scalar) float() ir.Float { return ir.Float{Width: t.Width} }

// float applies e's operator to x and y.
func (m *machine) float(e *ir.Binary, t scalar, x, y uint64) (uint64, scalar) {
	p, q := t.float().Value(x), t.float().Value(y)
	if e.Op.Relational() {
		return truth(compareFloats(e.Op, p, q)), boolean
	}
	return m.defined(e, t, arithmetic(e.Op, t, p, q), p, q), t
}

func compareFloats(op ir.Op, x, y float64) bool {
	switch op {
	case ir.Eq:
		return x == y
	case ir.Ne:
		return x != y
	case ir.Lt:
		return x < y
	case ir.Le:
		return x <= y
	case ir.Gt:
		return x > y
	case ir.Ge:
		return x >= y
	}
	panic("interp: unknown operator")
}

// arithmetic returns x op y in type t.
func arithmetic(op ir.Op, t scalar, x, y float64) float64 {
	if t.Width == 32 {
		return float64(arithmeticOf(op, float32(x), float32(y)))
	}
	return arithmeticOf(op, x, y)
}

func arithmeticOf[T float32 | float64](op ir.Op, x, y T) T {
	switch op {
	case ir.Add:
		return T(x + y)
	case ir.Sub:
		return T(x - y)
	case ir.Mul:
		return T(x * y)
	case ir.Div:
		return T(x / y)
	}
	panic("interp: unknown operator")
}

// defined makes the checks of e, which computes z from xs, and returns its
// bits.
func (m *machine) defined(e ir.Expr, t scalar, z float64, xs ...float64) uint64 {
	finite, numbers := true, true
	for _, x := range xs {
		finite = finite && !math.IsInf(x, 0)
		numbers = numbers && x == x
	}
	if m.p.Checks.Has(ir.CheckNaN) && numbers && z != z {
		m.violate(ir.CheckNaN, e.Site())
	}
	if m.p.Checks.Has(ir.CheckFloatOverflow) && finite && math.IsInf(z, 0) {
		m.violate(ir.CheckFloatOverflow, e.Site())
	}
	return t.float().Bits(z)
}

// function applies a function to numbers.
func (m *machine) function(e *ir.Math) (uint64, scalar) {
	var t scalar
	xs := make([]float64, len(e.Args))
	for i, a := range e.Args {
		var x uint64
		x, t = m.eval(a)
		xs[i] = t.float().Value(x)
	}
	return m.defined(e, t, apply(e.Fn, t, xs), xs...), t
}

// apply returns f of xs in type t. Of what is computed as double, float32 is
// another rounding: that changes no result but that of a fused product.
func apply(f ir.Fn, t scalar, xs []float64) float64 {
	x := xs[0]
	switch f {
	case ir.Sqrt:
		return rounded(t, math.Sqrt(x))
	case ir.Floor:
		return math.Floor(x)
	case ir.Ceil:
		return math.Ceil(x)
	case ir.Trunc:
		return math.Trunc(x)
	case ir.Round:
		return math.Round(x)
	case ir.RoundEven:
		return math.RoundToEven(x)
	case ir.Mod:
		return math.Mod(x, xs[1])
	case ir.Remainder:
		return math.Remainder(x, xs[1])
	case ir.FMA:
		if t.Width == 32 {
			return rounded(t, fused(x, xs[1], xs[2]))
		}
		return math.FMA(x, xs[1], xs[2])
	}
	panic("interp: unknown function")
}

func rounded(t scalar, v float64) float64 { return t.float().Value(t.float().Bits(v)) }

// fused returns x*y + z of three float32, rounded to odd: the last bit is one
// if any bit is lost, so that rounding once more is right (Boldo and
// Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
func fused(x, y, z float64) float64 {
	p := float64(x * y) // exact
	s := float64(p + z)
	if math.IsInf(s, 0) || s != s {
		return s
	}
	b := float64(s - p)
	lost := float64(float64(p-float64(s-b)) + float64(z-b))
	if v := math.Float64bits(s); lost != 0 && v&1 == 0 {
		if (lost > 0) == (s > 0) {
			return math.Float64frombits(v + 1)
		}
		return math.Float64frombits(v - 1)
	}
	return s
}

// convertFloat converts x from or to a floating-point type.
func (m *machine) convertFloat(e *ir.Convert, from scalar, x uint64, to scalar) (uint64, scalar) {
	switch {
	case !from.Float && from.Signed:
		return floatOf(to, signed(from, x)), to
	case !from.Float:
		return floatOf(to, x), to
	}
	v := from.float().Value(x)
	switch {
	case e.To == ir.Type(ir.Bool{}):
		return truth(v != 0), boolean
	case to.Float:
		return m.defined(e, to, rounded(to, v), v), to
	}
	v = math.Trunc(v)
	if !holds(to, v) && m.p.Checks.Has(ir.CheckConversion) {
		m.violate(ir.CheckConversion, e.ID)
	}
	return integer(to, v), to
}

// floatOf returns the bits of the number of type t nearest to n.
func floatOf[T int64 | uint64](t scalar, n T) uint64 {
	if t.Width == 32 {
		return uint64(math.Float32bits(float32(n)))
	}
	return math.Float64bits(float64(n))
}

// holds reports whether v, which has no fraction, is an integer of type t.
func holds(t scalar, v float64) bool {
	least, most := 0.0, math.Ldexp(1, t.Width)
	if t.Signed {
		least, most = -most/2, most/2
	}
	return v >= least && v < most
}

// integer returns v, which has no fraction, as an integer of type t, as
// ir.Convert has it.
func integer(t scalar, v float64) uint64 {
	by := scalar{Width: 64, Signed: true}
	if t.Width < 32 || t.Width == 32 && t.Signed {
		by.Width = 32
	}
	switch {
	case holds(by, v):
		return uint64(int64(v)) & mask(t)
	case t.Width == 64 && !t.Signed && v >= 1<<63:
		if holds(t, v) {
			return uint64(v)
		}
		return 0
	}
	return lowest(by) & mask(t)
}

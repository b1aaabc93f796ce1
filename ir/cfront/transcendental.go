package cfront

// Transcendental functions of constants: C says nothing about how exact they are,
// but no library is as far from the value as what is allowed here.

import (
	"math"
	"math/big"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

var (
	ofOne = map[string]func(float64) float64{
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "exp": math.Exp, "exp2": math.Exp2,
		"expm1": math.Expm1, "log": math.Log, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p, "cbrt": math.Cbrt,
	}
	ofTwo = map[string]func(x, y float64) float64{"pow": math.Pow, "atan2": math.Atan2, "hypot": math.Hypot}
)

// farthest is the relative error that a result may have: of numbers of 32 bits it
// is some units in the last place.
const farthest = 1.0 / (1 << 20)

// ofConstants is the value of the call n of such a function, a number near what it
// is, if its arguments are numbers in the text and the value is an ordinary one.
func (b *body) ofConstants(n *cc.PostfixExpression, name string) (ir.Expr, bool) {
	base, t := ofDouble(name, func(s string) bool { return ofOne[s] != nil || ofTwo[s] != nil })
	var xs []float64
	for _, a := range arguments(n) {
		x, ok := numberInText(a)
		if !ok {
			return nil, false
		}
		xs = append(xs, t.Value(t.Bits(x)))
	}
	var v float64
	switch {
	case ofOne[base] != nil && len(xs) == 1:
		v = ofOne[base](xs[0])
	case ofTwo[base] != nil && len(xs) == 2:
		v = ofTwo[base](xs[0], xs[1])
	}
	if size := math.Abs(v); !(size > 1e-30 && size < 1e30) { // 0 too
		return nil, false
	}
	margin := math.Abs(v) * farthest
	at := func(x float64) ir.Expr { return number(t.Bits(x), t) }
	r := b.Temp("near", t)
	r.Loose = true
	b.fill(r, false)
	in := both(&ir.Binary{Op: ir.Ge, X: use(r, ir.Span{}), Y: at(v - margin)}, &ir.Binary{Op: ir.Le, X: use(r, ir.Span{}), Y: at(v + margin)})
	return &ir.Cond{ExprInfo: ir.ExprInfo{Pos: b.span(n)}, C: in, X: use(r, ir.Span{}), Y: at(v)}, true
}

// numberInText is the value of e, if that is a constant.
func numberInText(e cc.ExpressionNode) (float64, bool) {
	switch v := e.Value().(type) {
	case cc.Float64Value:
		return float64(v), true
	case *cc.LongDoubleValue:
		x, _ := (*big.Float)(v).Float64()
		return x, true
	case cc.Int64Value:
		return float64(v), true
	case cc.UInt64Value:
		return float64(v), true
	}
	return 0, false
}

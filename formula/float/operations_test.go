package float

import (
	"math"
	"testing"

	"github.com/go-amend/amend/formula"
)

// operations are the terms of a bench that are compared with the machine.
type operations struct {
	*bench
	add, mul, div, sqrt, fma, mod, rem, whole formula.Term
	lt, eq, narrow, wide                      formula.Term
	ints                                      []intTerms
}

type intTerms struct {
	n              int
	signed         bool
	to, fits, from formula.Term
}

func newOperations(b *bench) *operations {
	a := b.a
	o := &operations{bench: b,
		add: a.Add(b.mode, b.x, b.y), mul: a.Mul(b.mode, b.x, b.y), div: a.Div(b.mode, b.x, b.y),
		sqrt: a.Sqrt(b.mode, b.x), fma: a.FMA(b.mode, b.x, b.y, b.z),
		mod: a.Mod(b.x, b.y), rem: a.Remainder(b.x, b.y), whole: a.RoundToIntegral(b.mode, b.x),
		lt: a.Lt(b.x, b.y), eq: a.Eq(b.x, b.y),
		narrow: a.To(Binary32, b.mode, b.x), wide: a.To(Binary64, b.mode, b.x)}
	for _, n := range []int{8, 32, 64} {
		for _, signed := range []bool{false, true} {
			k := intTerms{n: n, signed: signed}
			k.to, k.fits = a.ToInt(b.mode, b.x, n, signed)
			low := b.s.Zext(n, b.s.Extract(b.x, min(n, a.Width())-1, 0))
			k.from = a.FromInt(b.mode, low, signed)
			o.ints = append(o.ints, k)
		}
	}
	return o
}

// reference compares with the definition.
func (o *operations) reference(t *testing.T, x, y, z uint64, m Mode) {
	t.Helper()
	f := o.a.Format
	p, q, r := decode(f, x), decode(f, y), decode(f, z)
	o.set(m, x, y, z)
	o.want(t, "add", o.add, refAdd(f, m, p, q))
	o.want(t, "mul", o.mul, refFMA(f, m, p, q, nil))
	o.want(t, "div", o.div, refDiv(f, m, p, q))
	o.want(t, "fma", o.fma, refFMA(f, m, p, q, &r))
	o.want(t, "integral", o.whole, refIntegral(f, m, p))
	o.want(t, "narrow", o.narrow, refTo(Binary32, m, p))
	o.want(t, "wide", o.wide, refTo(Binary64, m, p))
	for _, k := range o.ints {
		v, ok := refInt(m, p, k.n, k.signed)
		o.want(t, "to int", k.to, v)
		o.want(t, "fits", k.fits, truth(ok))
	}
}

// machine compares with Go's arithmetic.
func (o *operations) machine(t *testing.T, x, y, z uint64) {
	t.Helper()
	o.set(NearestEven, x, y, z)
	switch o.a.Format {
	case Binary32:
		o.machine32(t, float32From(x), float32From(y), float32From(z))
	case Binary64:
		o.machine64(t, math.Float64frombits(x), math.Float64frombits(y), math.Float64frombits(z))
	}
}

// remainders compares with Go's, which are apart because they cost most.
func (o *operations) remainders(t *testing.T, x, y uint64) {
	t.Helper()
	f := o.a.Format
	o.set(NearestEven, x, y, 0)
	if f != Binary64 {
		o.want(t, "mod", o.mod, refRem(f, TowardZero, decode(f, x), decode(f, y)))
		o.want(t, "rem", o.rem, refRem(f, NearestEven, decode(f, x), decode(f, y)))
		return
	}
	p, q := math.Float64frombits(x), math.Float64frombits(y)
	o.want(t, "mod", o.mod, canonical(f, math.Float64bits(math.Mod(p, q))))
	o.want(t, "rem", o.rem, canonical(f, math.Float64bits(math.Remainder(p, q))))
}

func float32From(v uint64) float32 { return math.Float32frombits(uint32(v)) }

func (o *operations) machine32(t *testing.T, x, y, z float32) {
	want := func(name string, got formula.Term, v float32) {
		t.Helper()
		o.want(t, name, got, canonical(Binary32, uint64(math.Float32bits(v))))
	}
	want("add", o.add, x+y)
	want("mul", o.mul, x*y)
	want("div", o.div, x/y)
	want("sqrt", o.sqrt, float32(math.Sqrt(float64(x))))
	o.want(t, "lt", o.lt, truth(x < y))
	o.want(t, "eq", o.eq, truth(x == y))
	o.want(t, "wide", o.wide, canonical(Binary64, math.Float64bits(float64(x))))
	v := math.Float32bits(x)
	for i, w := range []float32{float32(uint8(v)), float32(int8(v)), float32(v), float32(int32(v)), float32(uint64(v)), float32(int64(v))} {
		want("from int", o.ints[i].from, w)
	}
}

func (o *operations) machine64(t *testing.T, x, y, z float64) {
	want := func(name string, got formula.Term, v float64) {
		t.Helper()
		o.want(t, name, got, canonical(Binary64, math.Float64bits(v)))
	}
	want("add", o.add, x+y)
	want("mul", o.mul, x*y)
	want("div", o.div, x/y)
	want("sqrt", o.sqrt, math.Sqrt(x))
	want("fma", o.fma, math.FMA(x, y, z))
	o.want(t, "lt", o.lt, truth(x < y))
	o.want(t, "eq", o.eq, truth(x == y))
	o.want(t, "narrow", o.narrow, canonical(Binary32, uint64(math.Float32bits(float32(x)))))
	v := math.Float64bits(x)
	for i, w := range []float64{float64(uint8(v)), float64(int8(v)), float64(uint32(v)), float64(int32(v)), float64(v), float64(int64(v))} {
		want("from int", o.ints[i].from, w)
	}
}

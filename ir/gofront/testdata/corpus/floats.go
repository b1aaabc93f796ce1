package corpus

import "math"

// bits64 is what of x can be compared: which NaN it is may differ.
func bits64(x float64) uint64 {
	if x != x {
		return 1
	}
	return math.Float64bits(x)
}

func bits32(x float32) uint32 {
	if x != x {
		return 1
	}
	return math.Float32bits(x)
}

func FloatArith(a, b int64, u uint64) (uint64, uint64, uint64) {
	x, y, z := float64(a)/8, float64(int32(b)), math.Float64frombits(u)
	return bits64(x*y - z + x/y - 3.5), bits64(z * 0.1), bits64(-z / x)
}

func Float32Arith(a, b int32, u uint32) (uint32, uint32) {
	x, y := float32(a)*1.5, float32(b)
	x += math.Float32frombits(u)
	x /= y
	x++
	return bits32(x), bits32(x - 0.1)
}

func FloatCompare(u, v uint64, a int8) (bool, bool, bool, int) {
	x, y := math.Float64frombits(u), math.Float64frombits(v)
	if a > 0 {
		y = x
	}
	n := 0
	switch {
	case x < y:
		n = 1
	case x > y:
		n = 2
	case x == 0:
		n = 3
	}
	return x == y, x <= y, x != float64(a) && !(x >= 1e10), n
}

func FloatMath(u uint64, a int32) (uint64, uint64, uint64, uint64, uint64, bool, bool) {
	x, y := math.Float64frombits(u), float64(a)/4
	return bits64(math.Sqrt(x)), bits64(math.Floor(y) + math.Ceil(y) - math.Trunc(y)), bits64(math.Round(y) * math.RoundToEven(y)),
		bits64(math.Abs(x) + math.Copysign(y, -1)), bits64(math.FMA(y, y, x)), math.IsNaN(x) || math.IsInf(y/0.5, 0), math.Signbit(y)
}

func FloatMod(a, b int32) (uint64, uint64) {
	x, y := float64(a)/3, float64(b)
	return bits64(math.Mod(x, y)), bits64(math.Remainder(x, y))
}

func FloatExtremes(u, v uint64, a int8) (uint64, uint64, uint64, uint32) {
	x, y := math.Float64frombits(u), math.Float64frombits(v)
	switch {
	case a < -3:
		x = math.NaN()
	case a < 0:
		x = math.Inf(int(a))
	case a == 0:
		x, y = 0, math.Copysign(0, -1)
	}
	return bits64(math.Min(x, y)), bits64(math.Max(x, y)), bits64(min(x, y) + max(y, x)), bits32(min(float32(x), float32(y), 2))
}

func FloatConvert(a int64, b uint64, c uint8) (int, uint8, int64, uint32, uint64) {
	x := float64(a) / 1024
	return int(x), uint8(float32(c) + 0.5), int64(float32(int16(a))), uint32(float64(uint32(b)) / 2), bits64(float64(b) + float64(float32(0.1)))
}

type vertex struct {
	X, Y float64
	tag  int
}

func (p *vertex) scale(k float64) { p.X *= k; p.Y *= k }

type numeric interface{ ~int | ~float64 }

func totalOf[T numeric](xs []T) T {
	var s T
	for _, x := range xs {
		s += x
	}
	return s
}

func FloatStructs(a, b int16) (uint64, bool, uint64) {
	p := vertex{float64(a), 2.5, 1}
	q := &p
	q.scale(float64(b) / 2)
	r := p
	r.tag++
	xs := []float64{p.X, p.Y, -0.0, 1e-3}
	xs = append(xs, xs[1]*3)
	f := func(x float64) float64 { return x + q.Y }
	return bits64(totalOf(xs)), p == vertex{r.X, r.Y, 1}, bits64(f(xs[4]))
}

func Newton(a uint8) uint64 {
	x := float64(a) + 1
	r := x
	for i := 0; i < 6; i++ {
		r = (r + x/r) / 2
	}
	return bits64(r)
}

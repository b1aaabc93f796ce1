package ir_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
)

const floats = `checks float-overflow, nan

var g f32 = f32(1.5)
var a [2]f64

proc floor.2(Inf.3 f64) f64 {
	return floor(Inf.3)
}

proc main(x f64, y f32) {
	var b u64
	a[0] = x * f64(1e-05) + f64(Inf)
	a[1] = f64(-Inf) - f64(NaN)
	g = -y / f32(-0.0) + f32(NaN:0xffc00001)
	b = u64bits(x)
	x = f64bits(b + u64(1))
	x = fma(x, sqrt(x), f64(y)) - f64(i32(y))
	assert fmod(x, f64(2.0)) < x || bool(y)
}
`

// Floating-point numbers are printed so that they are read back.
func TestFloatsAreReadBack(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte(floats))
	if err != nil {
		t.Fatal(err)
	}
	p.Procs[0].Name = "floor" // as a C program may have it that uses floorf
	text := p.String()
	q, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again := q.String(); again != text {
		t.Errorf("printed\n%s\nthen\n%s", text, again)
	}
	for _, want := range []string{"f64(1e-05)", "f64(Inf)", "f64(-Inf)", "f32(-0.0)", "f32(NaN:0xffc00001)", "u64bits(x)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// A literal with a fraction takes the type around it, rounded once.
func TestFloatLiterals(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte("proc main(x f32) {\n\tassert x + 0.1 < 3 - 1e10\n\tassert 0.5 < 1\n\tx = 0x1.8p-1\n}"))
	if err != nil {
		t.Fatal(err)
	}
	var got []ir.Type
	var vals []float64
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			if c, ok := (*e).(*ir.Const); ok {
				got = append(got, c.Typ)
				vals = append(vals, c.Typ.(ir.Float).Value(c.Val))
			}
		})
	})
	f, d := ir.Float{Width: 32}, ir.Float{Width: 64}
	want := []ir.Type{f, f, f, d, d, f}
	values := []float64{float64(float32(0.1)), 3, 1e10, 0.5, 1, 0.75}
	for i := range want {
		if got[i] != want[i] || vals[i] != values[i] {
			t.Errorf("literal %d: %v %v, want %v %v", i, got[i], vals[i], want[i], values[i])
		}
	}
}

// What floating-point numbers have no meaning for is an error with a place.
func TestFloatMistakes(t *testing.T) {
	for _, body := range []string{"x = x % y", "x = x & y", "x = ~x", "x = x << 1", "i = 1.5", "x = x + i", "x = sqrt(i)",
		"x = fma(x, x)", "i = u32bits(x)", "x = f64(NaN:1)", "a[x] = 1", "assert x"} {
		_, err := ir.Parse("p.ir", []byte("proc main(x f64, y f64, i u32) {\n\tvar a [3]u8\n\t"+body+"\n}"))
		if err == nil || !strings.HasPrefix(err.Error(), "p.ir:3:") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// Values are written so that an input file has them exactly.
func TestFloatValues(t *testing.T) {
	for _, f := range []ir.Float{{Width: 32}, {Width: 64}} {
		for _, v := range []uint64{0, 1, f.Bits(-0.1), f.Bits(1e10), f.Bits(math.Inf(-1)), f.NaN(), f.NaN() + 1, f.Bits(math.Copysign(0, -1)), f.Bits(3)} {
			text := ir.FormatValue(f, v)
			if got, err := f.Parse(text); err != nil || got != v {
				t.Errorf("%s of %v: %#x, %v; want %#x", text, f, got, err, v)
			}
		}
	}
}

package interp_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// Numbers that an integer type cannot hold are converted as compilers for x86
// do: the wanted results are those of gcc.
func TestFloatToInteger(t *testing.T) {
	for _, c := range []struct {
		to   string
		x    float64
		want int64
	}{
		{"i32", 2147483648, math.MinInt32}, {"i32", math.NaN(), math.MinInt32}, {"i32", -1.9, -1}, {"i32", -2147483648.5, math.MinInt32},
		{"i8", 300, 44}, {"i8", 1e10, 0}, {"u8", -1, 255}, {"u16", 65536.5, 0}, {"u32", 4294967297, 1}, {"u32", -1, 4294967295},
		{"u32", 1e30, 0}, {"i64", 1e30, math.MinInt64}, {"u64", -1, -1}, {"u64", 1 << 63, math.MinInt64}, {"u64", 1e30, 0},
		{"u64", math.NaN(), math.MinInt64}, {"u64", -1e30, math.MinInt64}, {"u64", math.Inf(1), 0},
	} {
		p, err := ir.Parse("a.ir", []byte("proc main(x f64) (r i64) {\n\treturn i64("+c.to+"(x))\n}"))
		if err != nil {
			t.Fatal(err)
		}
		in := func(ir.Choice) uint64 { return math.Float64bits(c.x) }
		run, err := interp.Run(context.Background(), p, interp.Config{Input: in})
		if err != nil {
			t.Fatal(err)
		}
		if got := int64(run.Results[0]); got != c.want {
			t.Errorf("%s(%v) = %d, want %d", c.to, c.x, got, c.want)
		}
	}
}

// A fused product of float32 is rounded once.
func TestFusedOfFloat32(t *testing.T) {
	p, err := ir.Parse("a.ir", []byte("proc main(x f32, y f32, z f32) (r f32) {\n\treturn fma(x, y, z)\n}"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		x := map[ir.VarID]float32{}
		for i, v := range p.Entry.Params { // z is about as large as the last bits of x*y
			x[v.ID] = float32(math.Ldexp(1+rng.Float64(), rng.IntN(4)-60*(i/2)+rng.IntN(40)))
		}
		in := func(c ir.Choice) uint64 { return uint64(math.Float32bits(x[c.Var])) }
		run, err := interp.Run(context.Background(), p, interp.Config{Input: in})
		if err != nil {
			t.Fatal(err)
		}
		rat := func(i int) *big.Rat { return new(big.Rat).SetFloat64(float64(x[p.Entry.Params[i].ID])) }
		sum := new(big.Rat).Mul(rat(0), rat(1))
		want, _ := sum.Add(sum, rat(2)).Float32()
		if got := math.Float32frombits(uint32(run.Results[0])); got != want {
			t.Fatalf("fma(%v) = %v, want %v", x, got, want)
		}
	}
}

package ssa_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// floatExprs are expressions over x, y and z of type T, and n of type i32.
var floatExprs = []string{
	"x + y", "x - y", "x * y", "x / y", "-x", "x < y ? x : y", "x == y ? z : x * x",
	"sqrt(x)", "floor(x)", "ceil(x)", "trunc(x)", "round(x)", "roundeven(x)", "fma(x, y, z)",
	"T(n)", "T(u32(n))", "T(u64(n) << 33)", "T(i64(x))", "T(u8(x))", "T(i32(y))", "T(u64(x))", "T(u32(x))", "T(i16(x))", "T(i40(x))", "T(u33(x))", "T(x != y)", "T(bool(x))",
	"T(f32(x) * f32(y))", "T(f64(x) + f64(y))", "Tbits(Ibits(x) ^ Ibits(y))", "x * y + z", "x >= y && z <= x || x > z ? y : z",
}

// slowExprs have large terms.
var slowExprs = []string{"fmod(x, y)", "remainder(x, y)"}

// TestFloatsAsTheInterpreter compares formulas with runs, checks included, for
// random numbers and special ones.
func TestFloatsAsTheInterpreter(t *testing.T) {
	for _, f := range []ir.Float{{Width: 32}, {Width: 64}} {
		for _, e := range floatExprs {
			compareFloats(t, f, e, 60)
		}
		for _, e := range slowExprs {
			compareFloats(t, f, e, 3)
		}
	}
}

func compareFloats(t *testing.T, f ir.Float, expr string, runs int) {
	t.Helper()
	expr = replaced(expr, f)
	text := fmt.Sprintf("checks conversion, float-overflow, nan\nproc main(x %[1]v, y %[1]v, z %[1]v, n i32) (r %[1]v) {\n\treturn %s\n}", f, expr)
	p, err := ir.Parse("a.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	all, rng := p.Checks, rand.New(rand.NewPCG(1, uint64(f.Width)))
	for range runs {
		m := ssa.Model{}
		for i, v := range p.Entry.Params {
			if m[ir.Choice{Var: v.ID}] = rng.Uint64(); i < 3 {
				m[ir.Choice{Var: v.ID}] = randomFloat(rng, f)
			}
		}
		p.Checks = ir.Checks(rng.Uint64()) & all
		run, err := interp.Run(t.Context(), p, interp.Config{Input: m.Input})
		if err != nil {
			t.Fatal(err)
		}
		st := formula.NewStore()
		form, err := ssa.Build(st, p, ssa.Config{Inputs: ssa.FixedInputs(st, m)})
		if err != nil {
			t.Fatal(err)
		}
		violated, _ := st.Value(evaluated(form, form.Violated()))
		if (violated == 1) != (run.Outcome == interp.Violated) {
			t.Fatalf("%s: %v, but violated is %d, for %#x", text, run.Outcome, violated, m)
		}
		if run.Outcome != interp.Ended {
			continue
		}
		if got, _ := st.Value(evaluated(form, form.Results[0])); got != run.Results[0] {
			t.Fatalf("%s = %#x, the interpreter has %#x, for %#x", expr, got, run.Results[0], m)
		}
	}
}

// evaluated returns the constant that x is, names replaced by their values.
func evaluated(f *ssa.Form, x formula.Term) formula.Term {
	values := make(map[formula.Term]uint64)
	eval := func(x formula.Term) uint64 {
		return f.Store.Eval(x, func(v formula.Term) uint64 { return values[v] })
	}
	for _, d := range f.Defs {
		values[d.Name] = eval(d.Value)
	}
	return f.Store.Const(f.Store.Width(x), eval(x))
}

func replaced(expr string, f ir.Float) string {
	var out []byte
	for i := range len(expr) {
		switch expr[i] {
		case 'T':
			out = append(out, f.String()...)
		case 'I':
			out = fmt.Appendf(out, "u%d", f.Width)
		default:
			out = append(out, expr[i])
		}
	}
	return string(out)
}

// randomFloat returns the bits of a number: any, a special one, or one near 1.
func randomFloat(rng *rand.Rand, f ir.Float) uint64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, -2.5, 127.5, 255, 256, 1 << 31, -1 << 31, 1 << 32,
		1 << 63, math.MaxFloat32, math.MaxFloat64, math.SmallestNonzeroFloat32, 1e-310, math.Inf(1), math.Inf(-1), math.NaN()}
	switch rng.IntN(3) {
	case 0:
		return ir.Wrap(f, rng.Uint64())
	case 1:
		return f.Bits(special[rng.IntN(len(special))])
	}
	return f.Bits(rng.NormFloat64() * 100)
}

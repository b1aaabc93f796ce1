package cfront_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

// TestRandomFloats compares random expressions with floating-point numbers,
// compiled by gcc without optimization, with the interpreter's runs.
func TestRandomFloats(t *testing.T) {
	exprs := 150
	if testing.Short() {
		exprs = 40
	}
	compareFloats(t, 1, exprs)
}

// floatParams are the inputs of an expression.
const floatParams = "double a, double b, float f, float g, int i, unsigned u, long l, unsigned char c"

type floatFunction struct{ result, expr string }

func (f floatFunction) text(name string) string {
	return fmt.Sprintf("%s %s(%s) { return %s; }\n", f.result, name, floatParams, f.expr)
}

func compareFloats(t *testing.T, seed uint64, n int) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	fs := make([]floatFunction, n)
	for i := range fs {
		result := []string{"double", "double", "float", "int", "long", "unsigned"}[rng.IntN(6)]
		fs[i] = floatFunction{result, floatExpr(rng, 4) + " + a"}
	}
	ins := floatInputs(rng)
	want := compiledFloats(t, gcc, fs, ins)
	for k, f := range fs {
		source := "#include <math.h>\n" + f.text("entry")
		p, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(source)}}, cfront.Config{Entry: "entry", Checks: ir.NoChecks})
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		for j, in := range ins {
			tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: -1, Input: func(c ir.Choice) uint64 {
				for n, v := range p.Entry.Params {
					if v.ID == c.Var {
						return in[n]
					}
				}
				return 0
			}})
			if err != nil || tr.Outcome != interp.Ended {
				t.Fatalf("%v %v on %#x\n%s", err, tr.Outcome, in, source)
			}
			typ := p.Entry.Results[0].Type
			if got, w := oneNaN(typ, tr.Results[0]), oneNaN(typ, ir.Wrap(typ, want[k*len(ins)+j])); got != w {
				t.Fatalf("seed %d: %s, compiled %s, on %#x\n%s\n%s", seed, ir.FormatValue(typ, got), ir.FormatValue(typ, w), in, source, p)
			}
		}
	}
}

// oneNaN returns v, or the one NaN if it is one.
func oneNaN(t ir.Type, v uint64) uint64 {
	if f, ok := t.(ir.Float); ok && math.IsNaN(f.Value(v)) {
		return f.NaN()
	}
	return v
}

// floatInputs are the bits of inputs: special ones and random ones.
func floatInputs(rng *rand.Rand) [][8]uint64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 3, 1e10, -1e10, 1e300, 1e-310, 1 << 31, 1 << 63, math.Inf(1), math.Inf(-1), math.NaN(), 255.5}
	number := func(f ir.Float) uint64 {
		if rng.IntN(2) == 0 {
			return f.Bits(special[rng.IntN(len(special))])
		}
		return f.Bits(rng.NormFloat64() * 50)
	}
	d, f := ir.Float{Width: 64}, ir.Float{Width: 32}
	ins := make([][8]uint64, 40)
	for i := range ins {
		small := rng.Uint64() >> (rng.IntN(4) * 16)
		ins[i] = [8]uint64{number(d), number(d), number(f), number(f), uint64(uint32(small)), uint64(uint32(rng.Uint64())), rng.Uint64() >> rng.IntN(60), rng.Uint64() & 255}
	}
	return ins
}

// floatExpr is an expression of arithmetic type. What is converted to an
// integer is never a constant, which gcc converts in another way where C says
// nothing; signs of NaN, of which C says nothing too, are not looked at.
func floatExpr(rng *rand.Rand, depth int) string {
	x := func() string { return floatExpr(rng, depth-1) }
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	if depth == 0 || rng.IntN(8) == 0 {
		if rng.IntN(4) == 0 {
			return pick("1.5", "2", "0.1f", "3.0f", "0x1.8p3", "1e3", "7u", "-0.25", ".5", "10.", "100L", "INFINITY", "-1")
		}
		return pick("a", "b", "f", "g", "i", "u", "l", "c", "a", "f")
	}
	switch rng.IntN(12) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", x(), pick("+", "-", "*", "+", "*"), x())
	case 4:
		return fmt.Sprintf("(%s / (double)%s)", x(), x())
	case 5:
		return fmt.Sprintf("(%s %s %s)", x(), pick("<", "<=", ">", ">=", "==", "!="), x())
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", x(), x(), x())
	case 7:
		return fmt.Sprintf("(%s)(%s + %s)", pick("int", "long", "unsigned", "unsigned char", "short", "unsigned long", "_Bool"), x(), pick("a", "f", "b"))
	case 8:
		return fmt.Sprintf("(%s)%s", pick("double", "float"), x())
	case 9:
		return fmt.Sprintf("%s(%s)", pick("sqrt", "floor", "ceil", "trunc", "round", "fabs", "rint", "sqrtf", "floorf", "fabsf", "roundf"), x())
	case 10:
		return fmt.Sprintf("%s(%s, %s)", pick("fmod", "fdim", "fmodf"), x(), x())
	}
	return fmt.Sprintf("%s(%s + %s)", pick("!", "-", "isnan", "!!isinf", "isfinite", "+", "isnormal"), x(), pick("a", "f"))
}

// compiledFloats returns the bits of all functions on all inputs.
func compiledFloats(t *testing.T, gcc string, fs []floatFunction, ins [][8]uint64) []uint64 {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include <math.h>\n#include <stdio.h>\n#include <string.h>\n")
	for i, f := range fs {
		b.WriteString(f.text(fmt.Sprintf("e%d", i)))
	}
	b.WriteString("unsigned long in[][8] = {\n")
	for _, in := range ins {
		b.WriteString("{")
		for _, v := range in {
			fmt.Fprintf(&b, "%#xul, ", v)
		}
		b.WriteString("},\n")
	}
	b.WriteString("};\nint main(void) { double a, b; float f, g;\n")
	for i, f := range fs {
		fmt.Fprintf(&b, `for (int k = 0; k < %d; k++) { unsigned long *x = in[k], out = 0;
memcpy(&a, x, 8); memcpy(&b, x + 1, 8); memcpy(&f, x + 2, 4); memcpy(&g, x + 3, 4);
%s r = e%d(a, b, f, g, x[4], x[5], x[6], x[7]); memcpy(&out, &r, sizeof r); printf("%%lx\n", out); }
`, len(ins), f.result, i)
	}
	b.WriteString("}\n")
	dir := t.TempDir()
	source, bin := filepath.Join(dir, "t.c"), filepath.Join(dir, "t")
	if err := os.WriteFile(source, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-w", "-O0", "-ffp-contract=off", "-fno-builtin", "-fwrapv", "-o", bin, source, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	var vs []uint64
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		var v uint64
		if _, err := fmt.Sscanf(s.Text(), "%x", &v); err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	return vs
}

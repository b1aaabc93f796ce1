package cfront_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

// TestDifferential compares random functions, compiled by gcc, with the
// interpreter's run of what Load makes of them. The programs have no
// undefined behaviour but what -fwrapv defines, and no order of evaluation
// that C leaves open.
func TestDifferential(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	functions := 100
	if testing.Short() {
		functions = 10
	}
	seed := uint64(1) // the nightly run gives others
	if s := os.Getenv("AMEND_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var cases []*testCase
	for i := range functions {
		cases = append(cases, newCase(r, i))
	}
	want := runCompiled(t, &nativeOracle{gcc: gcc, dir: t.TempDir()}, cases)
	for i, c := range cases {
		p, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(c.source)}}, cfront.Config{Entry: "run"})
		if err != nil {
			t.Fatalf("seed %d, function %d: %v\n%s", seed, i, err, c.source)
		}
		roundTrip(t, p)
		for j, in := range c.inputs {
			got := runInterpreted(t, p, in)
			if got != want[i][j] {
				t.Fatalf("seed %d, function %d on %v = %s, gcc says %s\n%s", seed, i, in, got, want[i][j], c.source)
			}
		}
	}
}

func runInterpreted(t *testing.T, p *ir.Program, in []int64) string {
	t.Helper()
	values := map[ir.VarID]uint64{}
	for i, v := range p.Entry.Params {
		values[v.ID] = uint64(in[i])
	}
	tr, err := interp.Run(context.Background(), p, interp.Config{
		Unwind: -1,
		Input: func(c ir.Choice) uint64 { // what C leaves indeterminate is noise
			if v, ok := values[c.Var]; ok && c.At == 0 && c.Path == "" {
				return v
			}
			return 0x5555
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Outcome != interp.Ended {
		return tr.Outcome.String()
	}
	last := tr.Steps[len(tr.Steps)-1]
	return strconv.FormatInt(int64(last.Value), 10)
}

func runCompiled(t *testing.T, o *nativeOracle, cases []*testCase) [][]string {
	t.Helper()
	out, err := o.compiled(oneProgram(cases))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var want [][]string
	for _, c := range cases {
		want = append(want, lines[:len(c.inputs)])
		lines = lines[len(c.inputs):]
	}
	return want
}

// oneProgram runs all cases on all their inputs and prints the results.
func oneProgram(cases []*testCase) string {
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n")
	for i, c := range cases {
		text := c.source
		for _, n := range []string{"struct S", "result", "run", "count", "side", "helper", "table", "compute"} {
			text = rename(text, n, i) // one namespace for all
		}
		b.WriteString(text)
	}
	b.WriteString("int main(void) {\n")
	for i, c := range cases {
		for _, in := range c.inputs {
			var args []string
			for _, v := range in {
				args = append(args, fmt.Sprintf("(long)%dULL", uint64(v)))
			}
			fmt.Fprintf(&b, "run%d(%s); printf(\"%%ld\\n\", result%d);\n", i, strings.Join(args, ", "), i)
		}
	}
	b.WriteString("return 0; }\n")
	return b.String()
}

func rename(text, name string, i int) string {
	return strings.ReplaceAll(text, name, fmt.Sprintf("%s%d", name, i))
}

// A testCase is a random C program: run calls compute.
type testCase struct {
	source string
	inputs [][]int64
}

var cTypes = []string{"int", "unsigned", "char", "unsigned char", "short", "unsigned short", "long", "unsigned long", "signed char", "_Bool", "enum E", "long long"}

// A writer writes one random function.
type writer struct {
	r      *rand.Rand
	b      strings.Builder
	vars   []string // readable scalars
	loops  int
	number int  // of the function
	loop   bool // inside a loop
}

func newCase(r *rand.Rand, n int) *testCase {
	w := &writer{r: r}
	var params []string
	k := 1 + r.IntN(4)
	for i := range k {
		params = append(params, fmt.Sprintf("%s p%d", w.typ(), i))
		w.vars = append(w.vars, fmt.Sprintf("p%d", i))
	}
	fmt.Fprintf(&w.b, `
#ifndef ONCE
#define ONCE
enum E { A, B = 7, C };
#define K1 (-3)
#define K2 11u
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#endif
struct S { int x; short y; unsigned char z[3]; };
long result; int count; unsigned char side = 3;
int table[2][3] = {{1, -2, 3}, {40, 5}};
int helper(int x) { count = count * 3 + x; return x %% 17 - 3; }
struct S make%d(int x) { struct S s = {x, x >> 3, {1, x}}; s.z[2] = s.y; return s; }
long sum%d(const int *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return n > 0 ? s + a[n - 1] : s; }
long rec%d(int n, short d) { return n <= 0 ? d : rec%d(n - 1, d + n) - 1; }
int *pick%d(int *p, int *q, int c) { return c ? p : q; }
void bump%d(int *p, struct S *t) { *p += t->y; t->x ^= *p; (*t).z[0]++; }
`, n, n, n, n, n, n)
	fmt.Fprintf(&w.b, "long compute(%s) {\nint a[4] = {5, p0};\n", strings.Join(params, ", "))
	for i := range 3 {
		fmt.Fprintf(&w.b, "%s v%d = %s;\n", w.typ(), i, w.pure(2))
		w.vars = append(w.vars, fmt.Sprintf("v%d", i))
	}
	fmt.Fprintf(&w.b, "a[2] = %s; a[3] = %s;\nstruct S s = {%s}, q[2] = {[1] = {.y = %s}};\nchar str[] = \"ab\\n\" \"c\";\nstatic int kept; kept = %s;\n",
		w.pure(1), w.pure(1), w.pure(1), w.pure(1), w.pure(1))
	fmt.Fprintf(&w.b, "int h0 = %s, h1 = 4, *ptr0 = &h0, *ptr1 = &a[1], **pp = &ptr0; struct S *ps = &s; const char *cs = str;\n", w.pure(1))
	w.vars = append(w.vars, "(*ptr0)", "ptr1[1]", "(*ptr1)", "ps->x", "ps->y", "ps->z[1]", "(**pp)", "h0", "h1")
	w.number = n
	w.vars = append(w.vars, "a[1]", "s.x", "s.y", "s.z[1]", "q[1].y", "q[0].x", "str[2]", "kept", "table[1][0]", "side")
	for range 2 + r.IntN(5) {
		w.stmt(3)
	}
	fmt.Fprintf(&w.b, "q[0] = s; s = make%d(q[1].y);\n", n)
	if r.IntN(2) == 0 {
		fmt.Fprintf(&w.b, "q[1] = q[0]; s.x += sum%d(a, 4) + sum%d(table[1], 3);\n", n, n)
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(&w.b, "v0 ^= rec%d(5, v1);\n", n)
	}
	w.b.WriteString("return s.x + s.z[2] * 7l + q[0].x + q[1].z[1]")
	w.vars = append(w.vars, "*cs")
	for _, v := range w.vars {
		fmt.Fprintf(&w.b, " * 31 + %s", v)
	}
	w.b.WriteString(" + count;\n}\n")
	var args []string
	for i := range k {
		args = append(args, fmt.Sprintf("p%d", i))
	}
	fmt.Fprintf(&w.b, "void run(%s) { count = 0; side = 3; table[1][0] = 40; table[1][2] = 0; result = compute(%s); }\n", strings.Join(params, ", "), strings.Join(args, ", "))
	c := &testCase{source: w.b.String()}
	for range 8 {
		var in []int64
		for i := range k {
			in = append(in, w.input(params[i]))
		}
		c.inputs = append(c.inputs, in)
	}
	return c
}

// input is a random value of the parameter's type, as its bits.
func (w *writer) input(param string) int64 {
	v := int64(w.r.Uint64())
	if w.r.IntN(2) == 0 {
		v = int64(w.r.IntN(40) - 20)
	}
	if strings.HasPrefix(param, "_Bool") {
		return v & 1
	}
	return v
}

func (w *writer) typ() string { return cTypes[w.r.IntN(len(cTypes))] }

func (w *writer) variable() string { return w.vars[w.r.IntN(len(w.vars))] }

// stmt writes a statement.
func (w *writer) stmt(depth int) {
	if depth == 0 {
		fmt.Fprintf(&w.b, "%s = %s;\n", w.variable(), w.expr(2))
		return
	}
	switch w.r.IntN(16) {
	case 14, 15:
		w.pointerStmt()
	case 0, 1, 2:
		fmt.Fprintf(&w.b, "%s = %s;\n", w.variable(), w.expr(3))
	case 3:
		ops := []string{"+", "-", "*", "&", "|", "^"}
		fmt.Fprintf(&w.b, "%s %s= %s;\n", w.variable(), ops[w.r.IntN(len(ops))], w.pure(2))
	case 4:
		fmt.Fprintf(&w.b, "%s <<= %s & 7; %s >>= %s & 7;\n", w.variable(), w.pure(1), w.variable(), w.pure(1))
	case 5:
		fmt.Fprintf(&w.b, "%s%s;\n", w.variable(), []string{"++", "--"}[w.r.IntN(2)])
	case 6:
		fmt.Fprintf(&w.b, "%s /= (%s & 15) + 1; %s %%= (%s & 7) + 2;\n", w.variable(), w.pure(1), w.variable(), w.pure(1))
	case 7, 8:
		fmt.Fprintf(&w.b, "if (%s) {\n", w.expr(2))
		w.stmt(depth - 1)
		if w.r.IntN(2) == 0 {
			w.b.WriteString("} else {\n")
			w.stmt(depth - 1)
		}
		w.b.WriteString("}\n")
	case 9, 10:
		w.loopStmt(depth)
	case 11:
		w.switchStmt(depth)
	case 12:
		fmt.Fprintf(&w.b, "a[%s & 3] = %s;\n", w.pure(1), w.pure(2))
	case 13:
		fmt.Fprintf(&w.b, "%s = %s = %s, %s;\n", w.variable(), w.variable(), w.pure(1), w.expr(2))
	}
}

// pointerStmt moves a pointer, within what its uses allow.
func (w *writer) pointerStmt() {
	target := []string{"&h0", "&h1", "&s.x", "&q[1].x", "&a[3]", "&table[1][2]", "ptr1", "*pp", "&ps->x"}
	some := func() string { return target[w.r.IntN(len(target))] }
	switch w.r.IntN(9) {
	case 0:
		fmt.Fprintf(&w.b, "ptr0 = %s ? %s : %s;\n", w.pure(1), some(), some())
	case 1:
		fmt.Fprintf(&w.b, "ptr1 = a + (%s & 1); ptr1 += 1; ptr1--;\n", w.pure(1))
	case 2:
		fmt.Fprintf(&w.b, "ps = &q[%s & 1];\n", w.pure(1))
	case 3:
		fmt.Fprintf(&w.b, "if (ps == &s) ps = q; else ps = &s;\n")
	case 4:
		fmt.Fprintf(&w.b, "pp = %s ? &ptr0 : &ptr1; bump%d(*pp, ps);\n", w.pure(1), w.number)
	case 5:
		fmt.Fprintf(&w.b, "*pick%d(%s, ptr0, %s) = %s;\n", w.number, some(), w.pure(1), w.pure(1))
	case 6:
		fmt.Fprintf(&w.b, "*ps = q[%s & 1]; s = *ps;\n", w.pure(1))
	case 7:
		fmt.Fprintf(&w.b, "cs = &str[%s & 3]; h1 += cs - str;\n", w.pure(1))
	case 8:
		fmt.Fprintf(&w.b, "for (int *it = a; it < a + 4 && it != &a[%s & 3]; it++) *it += *(a + 3);\n", w.pure(1))
	}
}

func (w *writer) loopStmt(depth int) {
	w.loops++
	i := fmt.Sprintf("i%d", w.loops)
	n := 1 + w.r.IntN(4)
	head, tail := "", "}\n"
	switch w.r.IntN(3) {
	case 0:
		head = fmt.Sprintf("for (int %s = 0; %s < %d; %s++) {\n", i, i, n, i)
	case 1:
		head = fmt.Sprintf("while (%s++ < %d && (%s, 1)) {\n", i, n, w.pure(1))
	case 2:
		head, tail = "do {\n", fmt.Sprintf("} while (++%s < %d);\n", i, n)
	}
	outer := w.loop
	w.loop = true
	fmt.Fprintf(&w.b, "{ int %s = 0; %s", i, head)
	w.stmt(depth - 1)
	if w.r.IntN(3) == 0 {
		fmt.Fprintf(&w.b, "if (%s) %s;\n", w.pure(1), []string{"break", "continue"}[w.r.IntN(2)])
	}
	w.stmt(depth - 1)
	w.loop = outer
	w.b.WriteString(tail + "}\n")
}

func (w *writer) switchStmt(depth int) {
	fmt.Fprintf(&w.b, "switch (%s) {\n", w.expr(2))
	deflt := w.r.IntN(4)
	for i := range 3 {
		if i == deflt {
			w.b.WriteString("default:\n")
		}
		fmt.Fprintf(&w.b, "case %d:\n", 2*i-1)
		w.stmt(depth - 1)
		switch w.r.IntN(4) {
		case 0, 1:
			w.b.WriteString("break;\n")
		case 2:
			if w.loop {
				fmt.Fprintf(&w.b, "if (%s) continue;\n", w.pure(1))
			}
		}
	}
	w.b.WriteString("}\n")
}

var binaryOps = []string{"+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="}

// pure writes an expression without side effects.
func (w *writer) pure(depth int) string { return w.expression(depth, false) }

// expr writes an expression with side effects where C orders them.
func (w *writer) expr(depth int) string { return w.expression(depth, true) }

func (w *writer) expression(depth int, effects bool) string {
	if depth == 0 {
		return w.atom()
	}
	x := func(e bool) string { return w.expression(depth-1, e) }
	switch w.r.IntN(16) {
	case 0, 1, 2, 3, 4:
		op := binaryOps[w.r.IntN(len(binaryOps))]
		left := effects && w.r.IntN(2) == 0
		return fmt.Sprintf("(%s %s %s)", x(left), op, x(effects && !left))
	case 5:
		return fmt.Sprintf("(%s %s (%s & 7))", x(effects), []string{"<<", ">>"}[w.r.IntN(2)], x(false))
	case 6:
		return fmt.Sprintf("(%s %s ((%s & 7) + 1))", x(effects), []string{"/", "%"}[w.r.IntN(2)], x(false))
	case 7, 8:
		return fmt.Sprintf("(%s %s %s)", x(effects), []string{"&&", "||"}[w.r.IntN(2)], x(effects))
	case 9:
		return fmt.Sprintf("(%s ? %s : %s)", x(effects), x(effects), x(effects))
	case 10:
		return fmt.Sprintf("%s%s", []string{"-", "~", "!", "+"}[w.r.IntN(4)], "("+x(effects)+")")
	case 11:
		return fmt.Sprintf("(%s)%s", w.typ(), "("+x(effects)+")")
	case 12:
		return fmt.Sprintf("a[%s & 3]", x(false))
	case 13:
		return fmt.Sprintf("MAX(%s, %s)", x(false), x(false))
	}
	if !effects {
		return w.atom()
	}
	switch w.r.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s, %s)", x(true), x(true))
	case 1:
		// The sum is sequenced after the call; nothing else reads count.
		return fmt.Sprintf("helper(%s)", x(true))
	case 2:
		return []string{"count++", "--count", "count--", "++count"}[w.r.IntN(4)]
	}
	return "(count += " + x(false) + ")"
}

func (w *writer) atom() string {
	switch w.r.IntN(8) {
	case 0:
		return strconv.Itoa(w.r.IntN(300) - 100)
	case 1:
		return []string{"1u", "2147483647", "3l", "0xffu", "'x'", "4294967295", "0x80000000", "010", "1ul"}[w.r.IntN(9)]
	case 2:
		return []string{"B", "K1", "K2", "A", "C", "sizeof(long)", "-2147483648"}[w.r.IntN(7)]
	}
	return w.variable()
}

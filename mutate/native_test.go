package mutate_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// TestNativeMutants compares the repairs of random programs with what every
// single mutant of each does when gcc compiles it and it runs on all inputs.
func TestNativeMutants(t *testing.T) {
	programs := 12
	if testing.Short() {
		programs = 2
	}
	compareMutants(t, 1, programs)
}

// TestShiftByNegativeConstant finds alternatives that gcc warns of: they have
// the library's meaning.
func TestShiftByNegativeConstant(t *testing.T) {
	text := "int f(void) { return 5 >> 2; }\nvoid entry(void) { assert(f() == 0); }\n"
	front := cfront.Config{Entry: "entry", Hard: func(f string) bool { return f == "entry" }}
	want := []string{"1: 2 -> -2", "1: 2 -> 3", "1: 5 -> 0"}
	if got := repairs(t, text, front, mutate.Config{Operators: scheme.Level2()}); !slices.Equal(got, want) {
		t.Errorf("repairs %q, want %q", got, want)
	}
}

// A mutable is a random function with places that a scheme changes. Its parts
// are texts and, at odd positions, places.
type mutable struct {
	texts  []string
	places []place
}

// A place has an operator or a constant and what may stand there instead.
type place struct {
	text   string
	others []string
	assign bool // an operator before =
}

// classes are the operators that a scheme exchanges.
var classes = map[string][]string{
	"level2":    {"+ - *", "/ %", "> >= < <=", "== !=", "|| &&", ">> <<", "& | ^"},
	"operators": {"+ - * / % & | ^ << >>", "< <= > >= == !=", "&& ||"},
}

// A mutator writes a mutable. Every operator is the call of a macro, by which
// the compiled program gives it the library's meaning.
type mutator struct {
	*rand.Rand
	scheme string
	m      *mutable
	b      strings.Builder
	vars   []string
	loops  int
}

func (w *mutator) place(p place) {
	w.m.texts = append(w.m.texts, w.b.String())
	w.m.places = append(w.m.places, p)
	w.b.Reset()
}

func (w *mutator) operator(op string, assign bool) {
	p := place{text: op, assign: assign}
	for _, c := range classes[w.scheme] {
		if ops := strings.Fields(c); slices.Contains(ops, op) {
			p.others = slices.DeleteFunc(ops, func(o string) bool { return o == op })
		}
	}
	w.place(p)
}

func (w *mutator) constant(from, to int) {
	v := from + w.IntN(to-from+1)
	p := place{text: strconv.Itoa(v)}
	if w.scheme == "level2" {
		for _, x := range []int{v + 1, v - 1, -v, 0} {
			if s := strconv.Itoa(x); s != p.text && !slices.Contains(p.others, s) {
				p.others = append(p.others, s)
			}
		}
	}
	w.place(p)
}

func (w *mutator) write(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// binary writes (x op y) with one of ops, as OP(x, op, y).
func (w *mutator) binary(ops string, x, y func()) {
	fs := strings.Fields(ops)
	w.write("OP(")
	x()
	w.write(", ")
	w.operator(fs[w.IntN(len(fs))], false)
	w.write(", ")
	y()
	w.write(")")
}

func (w *mutator) expr(depth int) {
	x := func() { w.expr(depth - 1) }
	small := func() { w.constant(1, 4) }
	if depth == 0 || w.IntN(4) == 0 {
		if w.IntN(5) < 2 {
			w.constant(0, 5)
		} else {
			w.write("%s", w.vars[w.IntN(len(w.vars))])
		}
		return
	}
	switch w.IntN(9) {
	case 0, 1, 2:
		w.binary("+ - + - *", x, x)
	case 3, 4:
		w.binary("& | ^", x, x)
	case 5:
		w.binary("<< >>", x, small)
	case 6:
		w.binary("/ %", x, small)
	case 7:
		w.write("(")
		w.cond(depth - 1)
		w.write(" ? ")
		x()
		w.write(" : ")
		x()
		w.write(")")
	case 8:
		w.write("(%s", []string{"-", "~"}[w.IntN(2)])
		w.binary("+ - & ^", x, x)
		w.write(")")
	}
}

func (w *mutator) cond(depth int) {
	if depth > 0 && w.IntN(3) == 0 {
		w.binary("&& ||", func() { w.cond(depth - 1) }, func() { w.cond(depth - 1) })
		return
	}
	w.binary("< <= > >= == !=", func() { w.expr(max(depth-1, 0)) }, func() { w.expr(max(depth-1, 0)) })
}

func (w *mutator) stmt(depth int) {
	v := w.vars[w.IntN(len(w.vars))]
	switch k := w.IntN(8); {
	case k == 0:
		ops := []string{"+", "-", "*", "&", "|", "^"}
		w.write("SET(%s, ", v)
		w.operator(ops[w.IntN(len(ops))], true)
		w.write(", ")
		w.expr(1)
		w.write(");\n")
	case k < 3 && depth > 0:
		w.write("if (")
		w.cond(2)
		w.write(") {\n")
		w.stmt(depth - 1)
		if w.IntN(2) == 0 {
			w.write("} else {\n")
			w.stmt(depth - 1)
		}
		w.write("}\n")
	case k == 3 && depth > 0 && w.loops < 2:
		w.loops++
		w.write("for (int i = ")
		w.constant(0, 0)
		w.write(", n = 0; ")
		w.binary("< <= !=", func() { w.write("i") }, func() { w.constant(2, 3) })
		w.write("; SET(i, ")
		w.operator("+", true)
		w.write(", 1)) {\nROUND;\n")
		w.stmt(0)
		w.write("}\n")
	default:
		w.write("%s = ", v)
		w.expr(2)
		w.write(";\n")
	}
}

func newMutable(r *rand.Rand, scheme string) *mutable {
	w := &mutator{Rand: r, scheme: scheme, m: &mutable{}, vars: []string{"a", "b"}}
	w.write("int c = ")
	w.expr(1)
	w.write(";\n")
	w.vars = append(w.vars, "c")
	for range 2 + r.IntN(3) {
		w.stmt(2)
	}
	w.write("return ")
	w.expr(2)
	w.write(";\n")
	w.m.texts = append(w.m.texts, w.b.String())
	return w.m
}

// mutants lists for each alternative its place and its number there.
func (m *mutable) mutants() [][2]int {
	var all [][2]int
	for i, p := range m.places {
		for j := range p.others {
			all = append(all, [2]int{i, j})
		}
	}
	return all
}

// text writes m with one alternative, or with none if it is nil.
func (m *mutable) text(mutant *[2]int) string {
	var b strings.Builder
	for i, p := range m.places {
		s := p.text
		if mutant != nil && mutant[0] == i {
			s = p.others[mutant[1]]
		}
		if p.assign {
			s += "="
		}
		b.WriteString(m.texts[i] + s)
	}
	b.WriteString(m.texts[len(m.places)])
	return b.String()
}

// source is what text is for cfront: its macros written out.
func source(text string) string {
	text = strings.ReplaceAll(text, "ROUND;\n", "")
	text = strings.ReplaceAll(text, "int i = 0, n = 0;", "int i = 0;")
	for _, macro := range []string{"OP(", "SET("} {
		for at := strings.LastIndex(text, macro); at >= 0; at = strings.LastIndex(text, macro) {
			args, end := arguments(text, at+len(macro))
			s := strings.Join(args, " ")
			if macro == "OP(" {
				s = "(" + s + ")"
			}
			text = text[:at] + s + text[end:]
		}
	}
	return text
}

// arguments lists the arguments of the macro call whose text begins at at.
func arguments(text string, at int) (args []string, end int) {
	depth, from := 0, at
	for end = at; ; end++ {
		switch c := text[end]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')' || c == ',' && depth == 0:
			args = append(args, strings.TrimSpace(text[from:end]))
			if from = end + 1; c == ')' {
				return args, from
			}
		}
	}
}

// nativeMeaning gives the macros their meaning: what is no run to its end,
// because of a division by zero or a long loop, leaves by longjmp.
const nativeMeaning = `#include <setjmp.h>
#include <stdio.h>
static jmp_buf out;
static int div_(int x, int y) { if (!y) longjmp(out, 1); return y == -1 ? 0 - x : x / y; }
static int rem_(int x, int y) { if (!y) longjmp(out, 1); return y == -1 ? 0 : x % y; }
static int shl_(int x, int n) { return n < 0 || n > 31 ? 0 : x << n; }
static int shr_(int x, int n) { return n < 0 || n > 31 ? (x < 0 ? -1 : 0) : x >> n; }
#define ROUND if (++n > 10) longjmp(out, 1)
`

// native writes text with the calls that give its operators their meaning.
func native(text string) string {
	functions := map[string]string{"/": "div_", "%": "rem_", "<<": "shl_", ">>": "shr_"}
	for _, macro := range []string{"OP(", "SET("} {
		for at := strings.LastIndex(text, macro); at >= 0; at = strings.LastIndex(text, macro) {
			args, end := arguments(text, at+len(macro))
			f, s := functions[strings.TrimSuffix(args[1], "=")], "("+strings.Join(args, " ")+")"
			switch {
			case f != "" && macro == "SET(":
				s = fmt.Sprintf("%s = %s(%s, %s)", args[0], f, args[0], args[2])
			case f != "":
				s = fmt.Sprintf("%s(%s, %s)", f, args[0], args[2])
			}
			text = text[:at] + s + text[end:]
		}
	}
	return text
}

// runMutants compiles all mutants of ms, the program itself first, and returns
// what each gives on each input, "x" where it doesn't end.
func runMutants(t *testing.T, gcc string, ms []*mutable) [][][]string {
	t.Helper()
	var b strings.Builder
	b.WriteString(nativeMeaning)
	n := 0
	for _, m := range ms {
		fmt.Fprintf(&b, "static int f%d(int a, int b) {\n%s}\n", n, native(m.text(nil)))
		n++
		for _, x := range m.mutants() {
			fmt.Fprintf(&b, "static int f%d(int a, int b) {\n%s}\n", n, native(m.text(&x)))
			n++
		}
	}
	b.WriteString("static int (*fs[])(int, int) = {")
	for i := range n {
		fmt.Fprintf(&b, "f%d, ", i)
	}
	b.WriteString(`};
int main(void)
{
	for (unsigned k = 0; k < sizeof fs / sizeof fs[0]; k++) {
		for (int i = 0; i < 16; i++) {
			if (setjmp(out)) printf("x ");
			else printf("%d ", fs[k](i & 3, i >> 2));
		}
		printf("\n");
	}
	return 0;
}
`)
	file, bin := filepath.Join(t.TempDir(), "t.c"), filepath.Join(t.TempDir(), "t")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-w", "-O0", "-fwrapv", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var all [][][]string
	for _, m := range ms {
		var rows [][]string
		for range 1 + len(m.mutants()) {
			rows = append(rows, strings.Fields(lines[0]))
			lines = lines[1:]
		}
		all = append(all, rows)
	}
	return all
}

// key is text without what a change may write otherwise.
func key(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n()", r) {
			return -1
		}
		return r
	}, text)
}

func compareMutants(t *testing.T, seed uint64, programs int) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	if s := os.Getenv("AMEND_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	schemes := []string{"operators", "level2"}
	var ms []*mutable
	for i := range programs {
		ms = append(ms, newMutable(rand.New(rand.NewPCG(seed, uint64(i))), schemes[i%2]))
	}
	judged, found := 0, 0
	for i, rows := range runMutants(t, gcc, ms) {
		want := wanted(rows, rand.New(rand.NewPCG(seed, uint64(i))))
		if want == nil {
			continue
		}
		judged += len(rows) - 1
		found += compareRepairs(t, fmt.Sprintf("seed %d, program %d, scheme %s", seed, i, schemes[i%2]), ms[i], schemes[i%2], rows, want)
	}
	t.Logf("seed %d: %d mutants, %d of them repairs", seed, judged, found)
	if judged < 10*programs {
		t.Errorf("only %d mutants judged", judged)
	}
}

// wanted is what the program is to give: what some mutant gives that always
// ends. It is nil if the program fails on nothing by that, or doesn't end.
func wanted(rows [][]string, r *rand.Rand) []string {
	if slices.Contains(rows[0], "x") {
		return nil
	}
	for _, i := range r.Perm(len(rows)) {
		if row := rows[i]; !slices.Contains(row, "x") && !slices.Equal(row, rows[0]) {
			return row
		}
	}
	return nil
}

// compareRepairs compares the repairs of m with the mutants that give want.
func compareRepairs(t *testing.T, name string, m *mutable, named string, rows [][]string, want []string) int {
	t.Helper()
	text := fmt.Sprintf(`int f(int a, int b) {
%s}
void entry(unsigned char a, unsigned char b) {
	static const int T[16] = { %s };
	assume(a < 4 && b < 4);
	assert(f(a, b) == T[a + 4 * b]);
}
`, source(m.text(nil)), strings.Join(want, ", "))
	expected := map[string]bool{}
	for i, x := range m.mutants() {
		if slices.Equal(rows[i+1], want) {
			expected[key(source(m.text(&x)))] = true
		}
	}
	front := cfront.Config{
		Entry: "entry", Hard: func(f string) bool { return f == "entry" },
		Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckNil),
	}
	cfg := mutate.Config{Operators: scheme.Operators(), Unwind: 5, Parse: func(files []*ir.File) (*ir.Program, error) { return cfront.Load(files, front) }}
	if named == "level2" {
		cfg.Operators = scheme.Level2()
	}
	p := load(t, text, front)
	got := map[string]bool{}
	for r, err := range mutate.Repairs(t.Context(), p, cfg) {
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		files, err := r.Patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		body, _, _ := strings.Cut(strings.TrimPrefix(string(files[0].Content), "int f(int a, int b) {\n"), "void entry")
		got[strings.TrimSuffix(key(body), "}")] = true
	}
	if !maps.Equal(got, expected) {
		t.Errorf("%s: repairs\n%s\nwant\n%s\n%s", name, keys(got), keys(expected), text)
	}
	return len(expected)
}

func keys(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), "\n") }

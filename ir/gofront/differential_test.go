package gofront_test

import (
	"context"
	"fmt"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ir/interp"
)

// TestDifferential compares the exported functions of testdata/corpus, on
// random inputs and on edge cases, with what the Go compiler makes of them:
// results and panics.
func TestDifferential(t *testing.T) {
	t.Parallel()
	inputs := 150
	switch {
	case *all:
		inputs = 1000
	case testing.Short():
		inputs = 15
	}
	seed := uint64(1) // the nightly run gives others
	if s := os.Getenv("AMEND_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("seed %d", seed)
	ps := openCorpus(t)
	r := rand.New(rand.NewPCG(seed, 0))
	var cases []*testCase
	for _, f := range ps.Functions() {
		if f.Exported() {
			cases = append(cases, newCase(r, f, inputs))
		}
	}
	if len(cases) < 60 {
		t.Fatalf("only %d functions", len(cases))
	}
	want := runCompiled(t, filepath.Join("testdata", "corpus"), "package corpus", cases)
	for i, c := range cases {
		p, err := ps.Lower(gofront.Config{Entry: c.f.Name(), MaxLen: maxLen})
		if err != nil {
			t.Errorf("%s: %v", c.f.Name(), err)
			continue
		}
		bad, cut := 0, 0
		for j, in := range c.inputs {
			got := runInterpreted(t, p, in)
			if got == "cut" {
				cut++
				continue
			}
			if got != want[i][j] && bad < 3 {
				bad++
				t.Errorf("seed %d: %s(%s) = %s, compiled %s", seed, c.f.Name(), in.text(), got, want[i][j])
			}
		}
		if cut > 0 && !grows[c.f.Name()] || cut > len(c.inputs)/2 {
			t.Errorf("seed %d: %d of %d runs of %s are cut", seed, cut, len(c.inputs), c.f.Name())
		}
	}
}

// grows are functions whose memory some inputs exceed.
var grows = map[string]bool{"Make": true, "RuneSlices": true}

const maxLen = 4

func openCorpus(t testing.TB) *gofront.Packages {
	t.Helper()
	ps, err := gofront.Open(filepath.Join("testdata", "corpus"), ".")
	if err != nil {
		t.Fatal(err)
	}
	return ps
}

// A testCase is a function with inputs.
type testCase struct {
	f      *types.Func
	inputs []input
}

// An input is a list of arguments.
type input []argument

// An argument is a scalar, or the elements of a slice or string.
type argument struct {
	name   string
	typ    types.Type
	values []uint64
	slice  bool
	parts  []argument // elements that are no scalars
}

func newCase(r *rand.Rand, f *types.Func, n int) *testCase {
	c := &testCase{f: f}
	for range n {
		var in input
		for v := range f.Signature().Params().Variables() {
			in = append(in, newArgument(r, v.Name(), v.Type()))
		}
		c.inputs = append(c.inputs, in)
	}
	return c
}

func newArgument(r *rand.Rand, name string, t types.Type) argument {
	a := argument{name: name, typ: t}
	n := 1
	if isSlice(t) {
		a.slice, n = true, r.IntN(maxLen+1)
	}
	for k := range n {
		if s, ok := t.Underlying().(*types.Slice); ok && isSlice(s.Elem()) {
			a.values = append(a.values, 0)
			a.parts = append(a.parts, newArgument(r, fmt.Sprintf("%s[%d]", name, k), s.Elem()))
			continue
		}
		v := newValue(r)
		if f, ok := floatOf(t); ok {
			v = f.Bits(float64(int32(v)) / 8)
		}
		a.values = append(a.values, v)
	}
	return a
}

// floatOf returns the type of t, or of its elements, if these are
// floating-point numbers.
func floatOf(t types.Type) (ir.Float, bool) {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	u, ok := t.Underlying().(*types.Basic)
	if !ok || u.Info()&types.IsFloat == 0 {
		return ir.Float{}, false
	}
	return ir.Float{Width: 8 * int(types.SizesFor("gc", "amd64").Sizeof(u))}, true
}

func isSlice(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Slice); ok {
		return true
	}
	return isString(t)
}

func isString(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsString != 0
}

// newValue is small, an edge, or anything.
func newValue(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return r.Uint64()
	case 1:
		return 1<<(r.IntN(64)) - uint64(r.IntN(2))
	}
	return uint64(r.IntN(16) - 5)
}

func (in input) text() string {
	var out []string
	for _, a := range in {
		out = append(out, a.text())
	}
	return strings.Join(out, ", ")
}

func (a *argument) text() string {
	switch {
	case isString(a.typ):
		var b []byte
		for _, v := range a.values {
			b = append(b, byte(v))
		}
		return strconv.Quote(string(b))
	case a.slice:
		elem := a.typ.Underlying().(*types.Slice).Elem()
		var out []string
		for i := range a.parts {
			out = append(out, a.parts[i].text())
		}
		for _, v := range a.values[len(a.parts):] {
			out = append(out, scalarText(elem, v))
		}
		return types.TypeString(a.typ, unqualified) + "{" + strings.Join(out, ", ") + "}"
	}
	return scalarText(a.typ, a.values[0])
}

// fill gives the parameters of the entry that a stands for their values.
func (a *argument) fill(values map[string]uint64) {
	for i := range a.parts {
		a.parts[i].fill(values)
	}
	for i, v := range a.values[len(a.parts):] {
		if !a.slice {
			values[a.name] = v
		} else {
			values[fmt.Sprintf("%s[%d]", a.name, i)] = v
		}
	}
	if a.slice {
		values[a.name+".len"] = uint64(len(a.values))
	}
}

func unqualified(*types.Package) string { return "" }

func scalarText(t types.Type, v uint64) string {
	u := t.Underlying().(*types.Basic)
	name := types.TypeString(t, unqualified)
	if u.Kind() == types.Bool {
		return fmt.Sprint(v&1 == 1)
	}
	if f, ok := floatOf(t); ok {
		return name + "(" + ir.FormatValue(f, v) + ")"
	}
	s := ir.Int{Width: int(types.SizesFor("gc", "amd64").Sizeof(u)) * 8, Signed: u.Info()&types.IsUnsigned == 0}
	return name + "(" + ir.FormatValue(s, ir.Wrap(s, v)) + ")"
}

// runCompiled runs all cases in a program of their own, in a copy of the
// package in folder from, whose files begin with clause.
func runCompiled(t *testing.T, from, clause string, cases []*testCase) [][]string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f, ".go") {
			src = []byte(strings.Replace(string(src), clause, "package main", 1))
		}
		write(t, filepath.Join(dir, filepath.Base(f)), src)
	}
	write(t, filepath.Join(dir, "main.go"), []byte(mainProgram(cases)))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			t.Fatalf("go run: %v\n%s", err, e.Stderr)
		}
		t.Fatalf("go run: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var want [][]string
	for _, c := range cases {
		want = append(want, lines[:len(c.inputs)])
		lines = lines[len(c.inputs):]
	}
	return want
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

const mainHead = `package main

import ("fmt"; "runtime"; "strings")

func show(vs ...any) {
	for i, v := range vs {
		if i > 0 { fmt.Print(" ") }
		if b, ok := v.(bool); ok {
			v = 0
			if b { v = 1 }
		}
		if s, ok := v.(string); ok { v = len(s) }
		fmt.Print(v)
	}
	fmt.Println()
}

func try(f func()) {
	defer func() {
		e := recover()
		if e == nil { return }
		r, ok := e.(runtime.Error)
		switch {
		case !ok, strings.Contains(r.Error(), "interface conversion"), strings.Contains(r.Error(), "range function"), strings.Contains(r.Error(), "uncomparable"), strings.Contains(r.Error(), "unhashable"): fmt.Println("violated assert")
		case strings.Contains(r.Error(), "divide"): fmt.Println("violated div")
		case strings.Contains(r.Error(), "shift"): fmt.Println("violated shift")
		default: fmt.Println("violated bounds")
		}
	}()
	f()
}

`

// mainProgram runs all cases and prints a line for each.
func mainProgram(cases []*testCase) string {
	var b strings.Builder
	b.WriteString(mainHead)
	for i, c := range cases {
		var fields, args []string
		for k, a := range c.inputs[0] {
			fields = append(fields, fmt.Sprintf("f%d %s", k, types.TypeString(a.typ, unqualified)))
			args = append(args, fmt.Sprintf("x.f%d", k))
		}
		fmt.Fprintf(&b, "func case%d() {\nfor _, x := range []struct{%s}{\n", i, strings.Join(fields, "; "))
		for _, in := range c.inputs {
			fmt.Fprintf(&b, "{%s},\n", in.text())
		}
		fmt.Fprintf(&b, "} {\n_ = x\ntry(func() { show(%s(%s)) })\n}\n}\n", c.f.Name(), strings.Join(args, ", "))
	}
	b.WriteString("func main() {\n")
	for i := range cases {
		fmt.Fprintf(&b, "case%d()\n", i)
	}
	b.WriteString("}\n")
	return b.String()
}

// runInterpreted runs p, whose entry calls one function, and returns its
// results as mainProgram shows them.
func runInterpreted(t *testing.T, p *gofront.Program, in input) string {
	t.Helper()
	names := map[ir.VarID]string{}
	for _, v := range p.Entry.Params {
		names[v.ID] = v.Name
	}
	values := map[string]uint64{}
	for i := range in {
		in[i].fill(values)
	}
	tr, err := interp.Run(context.Background(), p.Program, interp.Config{
		Unwind:   -1,
		MaxSteps: 50_000,
		Input: func(c ir.Choice) uint64 {
			name, ok := names[c.Var]
			if !ok || c.At != 0 || c.Path != "" {
				return 0x5555 // noise
			}
			if v, ok := values[name]; ok {
				return v
			}
			return values[fmt.Sprintf("%s[%d]", name, c.Elem)]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Outcome == interp.Violated {
		return "violated " + tr.Kind.String()
	}
	if tr.Outcome != interp.Ended {
		return tr.Outcome.String()
	}
	var out []string
	for i, v := range p.Entry.Results {
		out = append(out, ir.FormatValue(v.Type, tr.Results[i]))
	}
	return strings.Join(out, " ")
}

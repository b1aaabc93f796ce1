package gofront_test

// Where the sites are: statement by statement as in the same C.

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// forms are the bodies of functions of a and b, in Go and in C, the one with
// the same sites as the other.
var forms = []struct{ name, golang, c string }{
	{"Return", "return b", "return b;"},
	{"ReturnConstant", "return 7", "return 7;"},
	{"ReturnOperator", "return a + b", "return a + b;"},
	{"ReturnElement", "var s [3]int32; return s[a]", "int s[3]; return s[a];"},
	{"ReturnCall", "return g(b)", "return g(b);"},
	{"ReturnParentheses", "return (b)", "return (b);"},
	{"Define", "c := b; return c", "int c = b; return c;"},
	{"DefineConstant", "var c int32 = 0; c = 3; return c", "int c = 0; c = 3; return c;"},
	{"Declare", "var c int32 = b; return c", "int c = b; return c;"},
	{"DeclareTwo", "var c, d int32 = a, b; return c - d", "int c = a, d = b; return c - d;"},
	{"Assign", "a = b; return a", "a = b; return a;"},
	{"AssignElement", "var s [3]int32; s[a] = b; return s[b]", "int s[3]; s[a] = b; return s[b];"},
	{"Compound", "a += b; return a", "a += b; return a;"},
	{"Increment", "a++; return a", "a++; return a;"},
	{"If", "if a > b { return b }; return a", "if (a > b) { return b; } return a;"},
	{"Negate", "return -b", "return -b;"},
	{"For", "c := b; for c < 3 { c++ }; return c", "int c = b; while (c < 3) { c++; } return c;"},
	{"Global", "global = b; return global", "global = b; return global;"},
	{"Field", "var p struct{ x, y int32 }; p.x = b; return p.x", "struct { int x, y; } p; p.x = b; return p.x;"},
	{"Literal", "s := [2]int32{a, b}; return s[0]", "int s[2] = {a, b}; return s[0];"},
	{"Argument", "c := g(a); return g(c)", "int c = g(a); return g(c);"},
}

func TestSitesOfStatements(t *testing.T) {
	t.Parallel()
	var src strings.Builder
	src.WriteString("package sites\n\nvar global int32\n\nfunc g(x int32) int32 { return x }\n")
	for _, f := range forms {
		src.WriteString("\nfunc " + f.name + "(a, b int32) int32 { " + f.golang + " }\n")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module sites\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "sites.go"), []byte(src.String()))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		p, err := ps.Lower(gofront.Config{Entry: f.name})
		if err != nil {
			t.Fatal(err)
		}
		text := "int global;\nint g(int x) { return x; }\nint " + f.name + "(int a, int b) { " + f.c + " }\n"
		q, err := cfront.Load([]*ir.File{{Name: "sites.c", Content: []byte(text)}}, cfront.Config{Entry: f.name})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := siteTexts(p.Program), siteTexts(q); !slices.Equal(got, want) {
			t.Errorf("%s: sites %q, want those of C, %q", f.name, got, want)
		}
	}
}

// siteTexts returns the texts of p's sites, sorted.
func siteTexts(p *ir.Program) []string {
	var out []string
	for _, s := range p.Sites() {
		out = append(out, p.Text((*s.Occurrences[0]).Span()))
	}
	slices.Sort(out)
	return out
}

// Pointers into different regions are the same numbers: a guard z != x, or
// one that compares the address of n, is none.
const pointersSource = `package pointers

type pair [2]uint64

func (z *pair) shift(x *pair) *pair {
	if z[1]&8 == 0 {
		z[1] = x[1] >> 1
		return z
	}
	z[1] = x[1]>>1 | 8
	return z
}

func count(x int32) int32 {
	n := x
	p := &n
	if x > 3 {
		*p++
	}
	return n
}

func sum(z *pair, x, y uint64) uint64 {
	p := z
	return p[0] + x + x
}
`

const pointersTest = `package pointers

import "testing"

func TestShift(t *testing.T) {
	x := &pair{0, 8}
	z := new(pair)
	z.shift(x)
	if *z != (pair{0, 12}) {
		t.Error("shift")
	}
}

func TestCount(t *testing.T) {
	if count(3) != 4 {
		t.Error("count")
	}
}

func TestSum(t *testing.T) {
	if sum(&pair{1, 2}, 3, 4) != 8 {
		t.Error("sum")
	}
}
`

func TestSchemesLeavePointersAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module pointers\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "pointers.go"), []byte(pointersSource))
	write(t, filepath.Join(dir, "pointers_test.go"), []byte(pointersTest))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TestShift", "TestCount"} {
		for _, ops := range [][]*mutate.Operator{scheme.Statements(), scheme.Conditions()} {
			if !searchAll(t, ps, name, ops) {
				t.Errorf("%s, %s: no sites", name, ops[0].Name)
			}
		}
		// All variables of one type are pointers, but for x and n in count,
		// and n has an address.
		if searchAll(t, ps, name, scheme.Variables()) {
			t.Errorf("%s: a variable has another in its place", name)
		}
	}
	if !searchAll(t, ps, "TestSum", scheme.Variables()) {
		t.Error("variables that are no pointers are not exchanged")
	}
}

// searchAll wants the search for repairs of a test to cover all of ops, and
// reports whether there is something to search.
func searchAll(t *testing.T, ps *gofront.Packages, name string, ops []*mutate.Operator) bool {
	t.Helper()
	cfg := gofront.Config{Run: name}
	p, err := ps.Lower(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s, err := mutate.New(p.Program, mutate.Config{Operators: ops, Unwind: 5, Parse: lowersAgain(ps, cfg)})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range s.Repairs(t.Context()) {
		if errors.Is(err, mutate.ErrNoSites) {
			return false
		}
		if err != nil {
			t.Errorf("%s, %s: %v", name, ops[0].Name, err)
		} else if d := r.Patch.Diff(p.Files); strings.Contains(d, "z != x") || strings.Contains(d, "p != ") || strings.Contains(d, "z[0]") {
			t.Errorf("%s, %s: compares pointers:\n%s", name, ops[0].Name, d)
		}
	}
	if st := s.Stats(); !st.Exhausted {
		t.Errorf("%s, %s: not exhausted", name, ops[0].Name)
	}
	return true
}

package mutate_test

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// TestStatements repairs programs in which a statement is too much, lacks,
// or stands in the wrong place.
func TestStatements(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // the patched functions that must be among the repairs
	}{
		{"too much", `
int total(int a, int b) {
	int s = 0;
	s = s + a;
	s = 7;
	s = s + b;
	return s;
}
int main(int a, int b) { __CPROVER_assume(a != 7 && a > -9 && a < 9); __VERIFIER_assert(total(a, b) == a + b); return 0; }`,
			[]string{"s = s + a;\n\t\n\ts = s + b;"}},
		{"wrong order", `
int next(int x, int y) {
	int old = 0;
	x = y;
	old = x;
	return old;
}
int main(int x, int y) { __VERIFIER_assert(next(x, y) == x); return 0; }`,
			[]string{"old = x; x = y;\n"}},
		{"without a condition", `
int least(int x, int y) {
	int m = x;
	m = y;
	return m;
}
int main(int x, int y) { int m = least(x, y); __VERIFIER_assert(m <= x && m <= y && (m == x || m == y)); return 0; }`,
			[]string{"if (x > y) { m = y; }"}},
		{"not reset, in an arm without brackets", `
int count(int n) {
	int k = n;
	if (n < 0) k = k * 2;
	return k;
}
int main(int n) { int k = count(n); __VERIFIER_assert(n < 0 ? k == 0 : k == n); return 0; }`,
			[]string{"if (n < 0) { k = k * 2; k = 0; }"}},
		{"at the end of a loop", `
int steps(int n) {
	int i, k = 0;
	i = 0;
	while (k < n) {
		k = k + 1;
	}
	return i;
}
int main(int n) { __CPROVER_assume(n < 3); __VERIFIER_assert(steps(n) == (n > 0 ? n : 0)); return 0; }`,
			[]string{"k = k + 1; i = n;\n", "i = k; return i;"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := strings.Replace(c.text, "\n", "void __VERIFIER_assert(int c) { if (!c) __assert_fail(); }\n", 1)
			source = "void __assert_fail(void);\n" + source
			load := func(files []*ir.File) (*ir.Program, error) {
				return cfront.Load(files, cfront.Config{Entry: "main"})
			}
			p, err := load([]*ir.File{{Name: "a.c", Content: []byte(source)}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			cfg := mutate.Config{Operators: scheme.Statements(), Unwind: 4, Parse: load}
			for r, err := range mutate.Repairs(t.Context(), p, cfg) {
				if err != nil {
					t.Fatal(err)
				}
				files, err := r.Patch.Apply(p.Files)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(files[0].Content))
			}
			for _, want := range c.want {
				found := false
				for _, g := range got {
					found = found || strings.Contains(g, want)
				}
				if !found {
					t.Errorf("no repair with %q among\n%s", want, strings.Join(got, "\n"))
				}
			}
		})
	}
}

// Whether two statements may change places says nothing about what may stand
// in them: a variable that the second one writes is one of its alternatives
// with the scheme statements as without.
func TestExchangeKeepsAlternatives(t *testing.T) {
	const source = `
proc main(x u8) {
	var y u8 = 1
	var z u8 = x
	y = y + z
	y = x + z
	assert y == 1 + 2 * x
}`
	for _, names := range []string{"variables", "variables,statements"} {
		p, err := ir.Parse("places.ir", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		ops, err := scheme.Parse(names)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: ops}) {
			if err != nil {
				t.Fatal(err)
			}
			e := r.Patch[0]
			found = found || e.Span.Line == 6 && e.Old == "x" && e.New == "y"
		}
		if !found {
			t.Errorf("%s: x does not become y in line 6", names)
		}
	}
}

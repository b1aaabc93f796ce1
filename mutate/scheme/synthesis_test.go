package scheme_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// Expressions that no operator makes are found, the smallest of each form, and run
// well natively.
func TestSynthesisInC(t *testing.T) {
	for _, tt := range []struct{ name, body, spec, want string }{
		{"variable", "int r = x + 1;", "r == y + 1", "x becomes y"},
		{"index", "int a[4] = {x, y, 7, 9}; int r = a[0];", "r == (up == 0 ? x : up == 1 ? y : up == 2 ? 7 : 9)", "0 becomes up"},
		{"element", "int a[2] = {7, x + y}; int r = up;", "r == x + y", "up becomes a[1]"},
		{"sum", "int r = x;", "r == x + y", "x becomes x + y"},
		{"difference", "int r = x;", "r == y - x", "x becomes y - x"},
		{"conditional", "int r = x;", "r == (up ? x + 100 : x)", "x becomes up != 0 ? x + 100 : x"},
		{"case", "int r = x;", "r == (x < y ? y : x)", "x becomes x < y ? y : x"},
		{"condition", "int r = 0; if (x > 0) r = 1;", "r == (x <= y)", "x > 0 becomes x <= y"},
		{"beside a call", "int r = 1 + x - twice(y);", "r == 1 + (up == 1 ? y : x) - 2 * y", "x becomes (up == 1 ? y : x)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := fmt.Sprintf(`#include <assert.h>
#ifndef TWICE
#define TWICE
int twice(int x) { return 2 * x; }
#endif
void check(int up, int x, int y) {
	__CPROVER_assume(up >= 0 && up < 4 && x > -3 && x < 3 && y > -3 && y < 3);
	%s
	assert(%s);
}
`, tt.body, tt.spec)
			load := func(files []*ir.File) (*ir.Program, error) {
				return cfront.Load(files, cfront.Config{Entry: "check", Hard: func(f string) bool { return f == "twice" }})
			}
			got, texts := repairsOf(t, scheme.Synthesis(), "synthesis.c", text, load)
			if !slices.Contains(got, tt.want) {
				t.Errorf("repairs %q, not %q", got, tt.want)
			}
			for i := range got {
				if slices.Contains(got[:i], got[i]) {
					t.Errorf("%q twice", got[i])
				}
			}
			compiled(t, natively(texts))
		})
	}
}

// A caller's component is an atom like any other.
func TestComponents(t *testing.T) {
	const text = `
proc main(x u8, y u8) {
	var r u8 = x
	assert r == x * y + 1
}`
	product := mutate.Component{Name: "product", Apply: func(s mutate.Site) iter.Seq[ir.Expr] {
		return func(yield func(ir.Expr) bool) {
			for i, v := range s.InScope {
				for _, w := range s.InScope[i+1:] {
					if !yield(&ir.Binary{Op: ir.Mul, X: &ir.Use{Var: v}, Y: &ir.Use{Var: w}}) {
						return
					}
				}
			}
		}
	}}
	load := func(files []*ir.File) (*ir.Program, error) { return ir.Parse(files[0].Name, files[0].Content) }
	if got, _ := repairsOf(t, scheme.Synthesis(product), "p.ir", text, load); !slices.Contains(got, "x becomes x * y + u8(1)") {
		t.Errorf("repairs %q", got)
	}
	if got, _ := repairsOf(t, scheme.Synthesis(), "p.ir", text, load); len(got) != 0 {
		t.Errorf("without the component: repairs %q", got)
	}
}

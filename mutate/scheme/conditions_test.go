package scheme_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// repairsOf returns the repairs of text by ops, as old becomes new, and what they make
// of it.
func repairsOf(t *testing.T, ops []*mutate.Operator, name, text string, load func([]*ir.File) (*ir.Program, error)) (repairs []string, texts []string) {
	t.Helper()
	p, err := load([]*ir.File{{Name: name, Content: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: ops, Unwind: 3, Parse: load}) {
		if err != nil {
			t.Fatal(err)
		}
		files, err := r.Patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		repairs = append(repairs, r.Patch[0].Old+" becomes "+r.Patch[0].New)
		texts = append(texts, string(files[0].Content))
	}
	return repairs, texts
}

// TestConditionsInC has conditions of each statement and of ?: that are wrong:
// numbers and comparisons, alone and in &&. What is found runs well natively.
func TestConditionsInC(t *testing.T) {
	for _, tt := range []struct{ name, body, spec, want string }{
		{"swapped conditional", "int r = up ? x : x + y;", "r == (up ? x + y : x)", "up becomes !up"},
		{"swapped bits", "int r = (up & 1) ? x : y;", "r == (up & 1 ? y : x)", "up & 1 becomes !(up & 1)"},
		{"if", "int r = x; if (up) r = y;", "r == (up ? x : y)", "up becomes !up"},
		{"loop", "int r = 0; while (up) { r++; up = 0; }", "r == 0", "up becomes 0"},
		{"operand", "int r = 0; if (up && x) r = 1;", "r == (!up && x)", "up becomes !up"},
		{"member", "struct { int on; } s = {up}; int r = s.on ? x : y;", "r == (up ? y : x)", "s.on becomes !s.on"},
		{"element", "int a[2] = {up, x}; int r = a[0] ? x : y;", "r == (up ? y : x)", "a[0] becomes !a[0]"},
		{"always", "int r = up ? 1 : 2;", "r == 1", "up becomes 1"},
		{"stronger", "int r = up ? 1 : 0;", "r == (up && x == y)", "up becomes up && x == y"},
		{"weaker", "int r = up ? 1 : 0;", "r == (up || x < y)", "up becomes up || x < y"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := fmt.Sprintf(`#include <assert.h>
void check(int up, int x, int y) {
	__CPROVER_assume(up >= 0 && up < 4 && x > -3 && x < 3 && y > -3 && y < 3);
	%s
	assert(%s);
}
`, tt.body, tt.spec)
			load := func(files []*ir.File) (*ir.Program, error) {
				return cfront.Load(files, cfront.Config{Entry: "check"})
			}
			got, texts := repairsOf(t, scheme.Conditions(), "conditions.c", text, load)
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

// natively returns a program that runs all texts on all inputs.
func natively(texts []string) string {
	var b, calls strings.Builder
	fmt.Fprintln(&b, "#define __CPROVER_assume(c) if (!(c)) return")
	for i, text := range texts {
		f := fmt.Sprintf("check%d(", i)
		fmt.Fprintln(&b, strings.Replace(text, "check(", f, 1))
		fmt.Fprintf(&calls, "%sup, x, y); ", f)
	}
	fmt.Fprintf(&b, `int main(void) {
	for (int up = 0; up < 4; up++) for (int x = -3; x < 4; x++) for (int y = -3; y < 4; y++) { %s}
	return 0;
}`, calls.String())
	return b.String()
}

// TestConditionsThatAreVariables: a variable of type bool is a condition.
func TestConditionsThatAreVariables(t *testing.T) {
	const text = `
proc main(up bool, x u8, y u8) {
	var r u8 = y
	if up { r = x }
	assert up && r == y || !up && r == x
}`
	load := func(files []*ir.File) (*ir.Program, error) { return ir.Parse(files[0].Name, files[0].Content) }
	if got, _ := repairsOf(t, scheme.Conditions(), "p.ir", text, load); !slices.Equal(got, []string{"up becomes !up"}) {
		t.Errorf("repairs %q", got)
	}
}

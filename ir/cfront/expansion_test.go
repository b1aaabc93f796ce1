package cfront_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// TestMacroArguments lists the sites in uses of macros with the text of their
// own, and how often each occurs.
func TestMacroArguments(t *testing.T) {
	for _, c := range []struct{ name, macros, use, want string }{
		{"once", "#define NEG(a) -(a)", "NEG(x + 1)", "NEG(x + 1), x + 1, x, 1"},
		{"repeated", "#define MIN(a, b) ((a) < (b) ? (a) : (b))", "MIN(x, y - 2)", "x 2 times, y - 2 2 times, y 2 times, 2 2 times"},
		{"no operand", "#define SQ(a) a * a", "SQ(x + y)", "SQ(x + y), x 2 times, y 2 times"},
		{"one operand", "#define SQ(a) a * a", "SQ(x)", "SQ(x), x 2 times"},
		{"in sizeof, too", "#define N(a) ((a) + (int)sizeof(a))", "N(x)", "N(x)"},
		{"condition, too", "#define B(a) ((a) ? 1 : (a))", "B(x)", "x 2 times"},
		{"a macro in an argument", "#define ONE (1)\n#define MIN(a, b) ((a) < (b) ? (a) : (b))", "MIN(ONE, x)", "ONE 2 times, x 2 times"},
		{"a part of a macro in an argument", "#define SUM 1 + y\n#define TWICE(a) (2 * a)", "TWICE(SUM)", "TWICE(SUM)"},
		{"a macro's use in an argument", "#define DEC(a) ((a) - 1)\n#define NEG(a) -(a)", "NEG(DEC(x))", "NEG(DEC(x)), DEC(x)"},
		{"passed on", "#define ADD(a, b) (a + b)\n#define TWICE(a) ADD(a, a)", "TWICE(x)", "TWICE(x), x 2 times"},
		{"by another name", "#define ADD(a, b) (a + b)\n#define PLUS ADD", "PLUS(x, y)", ""},
		{"pasted", "#define V(a) a ## 1", "V(x)", "V(x)"},
		{"defined twice", "#define ID(a, b) (b)\n#undef ID\n#define ID(a, b) (a)", "ID(x, x)", "ID(x, x)"},
		{"begins like its expansion", "#define xx x", "xx", "xx"},
		{"over lines", "#define SQ(a) ((a) * (a))", "SQ(x /* , */\n + y)", "SQ(x /* , */\n + y), x /* , */\n + y 2 times, x 2 times, y 2 times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &ir.File{Name: "m.c", Content: []byte(c.macros + "\nint f(int x, int y, int x1) { return " + c.use + "; }\n")}
			p, err := cfront.Load([]*ir.File{f}, cfront.Config{Entry: "f"})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range p.Sites() {
				if at := (*s.Occurrences[0]).Span(); !at.IsZero() {
					got = append(got, p.Text(at)+times(len(s.Occurrences)))
				}
			}
			if g := strings.Join(got, ", "); g != c.want {
				t.Errorf("sites %s, want %s", g, c.want)
			}
		})
	}
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" %d times", n)
}

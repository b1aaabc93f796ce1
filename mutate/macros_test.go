package mutate_test

// Repairs in the arguments of macros: all that a macro makes of one changes with it.

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

func TestMacroArguments(t *testing.T) {
	for _, c := range []struct {
		name, macro, body, want string
	}{
		{"repeated", "#define MIN(a, b) ((a) < (b) ? (a) : (b))",
			"int f(int x, int n) { return MIN(x - 1 + 2, n); }\nint main(int x, int n) { assume(x > -9 && x < 9); int r = f(x, n); assert(r <= x && r <= n && (r == x || r == n)); return 0; }",
			"3: 2 -> 1"},
		{"without parentheses", "#define SQ(x) x * x",
			"int f(int x, int y) { return SQ(y); }\nint main(int x, int y) { assume(x > -9 && x < 9 && y == 3); assert(f(x, y) == (x + 1) * (x + 1)); return 0; }",
			"3: y -> (x + 1)"},
		{"in a pointer's struct", "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstruct S { unsigned long n; };",
			"unsigned long f(struct S *s, unsigned long k) { return MAX(s->n - 2, k); }\nint main(unsigned char n, unsigned char k) { struct S s = {n}; assume(n > 3); unsigned long r = f(&s, k); assert(r >= n - 1 && r >= k && (r == k || r == n - 1)); return 0; }",
			"4: 2 -> 1"},
		{"of the macro's own", "#define DIFF(a, b) ((a) + (b))",
			"int f(int x, int y) { return DIFF(x, y); }\nint main(int x, int y) { assert(f(x, y) == x - y); return 0; }",
			"3: DIFF(x, y) -> x - y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "void assume(int); void assert(int);\n" + c.macro + "\n" + c.body + "\n"
			front := cfront.Config{Hard: func(f string) bool { return f == "main" }}
			ops := slices.Concat(scheme.Level2(), scheme.Linear())
			if got := repairs(t, text, front, mutate.Config{Operators: ops}); !slices.Contains(got, c.want) {
				t.Errorf("repairs %q, without %s", got, c.want)
			}
		})
	}
}

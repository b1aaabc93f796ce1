package scheme_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate/scheme"
)

// What Synthesis finds in random functions of which a part was replaced is right
// when gcc compiles it, on all inputs.
func TestSynthesisNatively(t *testing.T) {
	n := 6
	if testing.Short() {
		n = 2
	}
	synthesizedNatively(t, 1, n)
}

func synthesizedNatively(t *testing.T, seed uint64, programs int) {
	t.Helper()
	found := 0
	for i := range programs {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		text := replaced(rng)
		load := func(files []*ir.File) (*ir.Program, error) {
			return cfront.Load(files, cfront.Config{Entry: "check", Hard: func(f string) bool { return f != "f" }})
		}
		got, texts := repairsOf(t, scheme.Synthesis(), "random.c", text, load)
		found += len(got)
		if len(texts) > 0 {
			compiled(t, together(texts))
		}
		if t.Failed() {
			t.Fatalf("seed %d, program %d: repairs %q of\n%s", seed, i, got, text)
		}
	}
	if found < programs && !testing.Short() {
		t.Errorf("%d repairs in %d programs", found, programs)
	}
}

// An author writes random functions.
type author struct {
	*rand.Rand
	hole int // which expression is a variable instead; counts down
}

// replaced returns a program in which f is g but for one expression.
func replaced(rng *rand.Rand) string {
	body := func(hole int) string {
		a := &author{Rand: rand.New(rand.NewPCG(7, rng.Uint64())), hole: hole}
		return a.body()
	}
	at := rng.Uint64()
	same := func() { rng = rand.New(rand.NewPCG(9, at)) }
	same()
	g := body(-1)
	same()
	f := body(1 + int(at%6))
	return fmt.Sprintf(`#include <assert.h>
int h(int x) { return x & 3; }
int g(int a, int b, int c) {
%s}
int f(int a, int b, int c) {
%s}
void check(int a, int b, int c) {
	__CPROVER_assume(a > -3 && a < 3 && b > -3 && b < 3 && c > -3 && c < 3);
	assert(f(a, b, c) == g(a, b, c));
}
`, g, f)
}

func (a *author) pick(options ...string) string { return options[a.IntN(len(options))] }

func (a *author) body() string {
	return fmt.Sprintf("\tint v[2] = {%s, %s};\n\tif (%s) a = %s;\n\treturn %s;\n", a.expr(0), a.expr(0), a.cond(), a.expr(2), a.expr(2))
}

func (a *author) cond() string {
	return a.expr(1) + a.pick(" < ", " <= ", " == ", " != ") + a.expr(1)
}

func (a *author) expr(depth int) string {
	e := a.any(depth)
	if a.hole--; a.hole == 0 {
		return a.pick("a", "b", "c")
	}
	return e
}

func (a *author) any(depth int) string {
	if depth == 0 {
		return a.pick("a", "b", "c", "1", "2")
	}
	switch a.IntN(6) {
	case 0:
		return "(" + a.cond() + " ? " + a.expr(depth-1) + " : " + a.expr(depth-1) + ")"
	case 1:
		return "h(" + a.expr(depth-1) + ")" + a.pick(" + ", " - ") + a.expr(0)
	case 2:
		return a.pick("v[0]", "v[1]", "a")
	case 3:
		return a.expr(0)
	}
	return "(" + a.expr(depth-1) + a.pick(" + ", " - ", " * ", " & ") + a.expr(depth-1) + ")"
}

var functionNames = regexp.MustCompile(`\b(f|g|h|check)\(`)

// together returns a program that runs all texts on all inputs.
func together(texts []string) string {
	var b, calls strings.Builder
	fmt.Fprintln(&b, "#define __CPROVER_assume(c) if (!(c)) return")
	for i, text := range texts {
		fmt.Fprintln(&b, functionNames.ReplaceAllString(text, fmt.Sprintf("${1}%d(", i)))
		fmt.Fprintf(&calls, "check%d(a, b, c); ", i)
	}
	fmt.Fprintf(&b, `int main(void) {
	for (int a = -3; a < 4; a++) for (int b = -3; b < 4; b++) for (int c = -3; c < 4; c++) { %s}
	return 0;
}`, calls.String())
	return b.String()
}

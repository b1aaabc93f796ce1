package scheme_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

func ExampleCalls() {
	p, err := ir.Parse("gcd.ir", []byte(`
proc add(a u8, b u8) u8 { return a + b }
proc sub(a u8, b u8) u8 { return a - b }
proc main(x u8) {
	var y u8
	var z u8
	y = add(x, 1)
	z = add(y, 1)
	y = sub(x, z)
	assert z == x
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range mutate.Repairs(context.Background(), p, mutate.Config{Operators: scheme.Calls()}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range r.Patch {
			fmt.Printf("line %d: %s becomes %s\n", e.Span.Line, e.Old, e.New)
		}
	}
	// Output:
	// line 7: add becomes sub
	// line 8: add becomes sub
}

// callSites is a C program in which K(n, f) says that call n is of f.
const callSites = `#include <assert.h>
int larger(int a, int b) { return a > b ? a : b; }
int smaller(int a, int b) { return a < b ? a : b; }
int sum(int a, int b) { return a + b; }
int sign(int a) { return (a > 0) - (a < 0); }
int clamp(int x, int lo, int hi) { return K(0, larger)(lo, K(1, larger)(x, hi)); }
int spread(int x) {
	int n = 0, i;
	for (i = 0; i < 2 && K(2, smaller)(x, i) == x; i++) n = K(3, sum)(n, i) + sign(x);
	return n;
}
void check(int x) {
	__CPROVER_assume(x > -5 && x < 5);
	int y = clamp(x, 0, 3);
	assert(y >= 0 && y <= 3);
	assert(spread(x) <= 0);
}
`

var callees = []string{"larger", "smaller", "sum"}

// asTable is what callSites means if a table says which functions are called.
const asTable = `#include <setjmp.h>
#include <stdio.h>
static int (*k[4])(int, int);
static jmp_buf bad;
#define K(n, f) k[n]
#define __CPROVER_assume(c) if (!(c)) return
`

const allTables = `
int main(void) {
	int (*fs[])(int, int) = {larger, smaller, sum};
	for (int n = 0; n < 81; n++) {
		for (int i = 0, m = n; i < 4; i++, m /= 3) k[i] = fs[m % 3];
		int good = 1;
		for (int x = -5; x < 6; x++) if (setjmp(bad)) good = 0; else check(x);
		if (good) printf("%d\n", n);
	}
	return 0;
}
`

// named writes callSites with the functions that callees has at calls.
func named(calls [4]int) string {
	text := callSites
	for i, was := range []int{0, 0, 1, 2} {
		text = strings.Replace(text, fmt.Sprintf("K(%d, %s)", i, callees[was]), callees[calls[i]], 1)
	}
	return text
}

// compiled compiles and runs C.
func compiled(t *testing.T, text string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	name := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-fsanitize=undefined", "-fno-sanitize-recover", "-o", name+".out", name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	out, err := exec.Command(name + ".out").CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s\n%s", err, out, text)
	}
	return string(out)
}

// TestCallsInC compares repairs of up to three calls with those that gcc's
// program finds by trying all, and runs the text of each.
func TestCallsInC(t *testing.T) {
	table := strings.Replace(callSites, "#include <assert.h>", asTable+"#define assert(c) if (!(c)) longjmp(bad, 1)", 1)
	var good [][4]int
	for line := range strings.Lines(compiled(t, table+allTables)) {
		var n int
		if _, err := fmt.Sscan(line, &n); err != nil {
			t.Fatal(err)
		}
		good = append(good, [4]int{n % 3, n / 3 % 3, n / 9 % 3, n / 27})
	}
	was := [4]int{0, 0, 1, 2}
	changed := func(c [4]int) (at []int) {
		for i := range c {
			if c[i] != was[i] {
				at = append(at, i)
			}
		}
		return at
	}
	smaller := func(d, c [4]int) bool { // d has some of c's changes, and no others
		for i := range d {
			if d[i] != was[i] && d[i] != c[i] {
				return false
			}
		}
		return d != c
	}
	var want, got []string
	for _, c := range good {
		if len(changed(c)) <= 3 && !slices.ContainsFunc(good, func(d [4]int) bool { return smaller(d, c) }) {
			want = append(want, named(c))
		}
	}
	front := cfront.Config{Entry: "check", Hard: func(f string) bool { return f == "check" }}
	load := func(files []*ir.File) (*ir.Program, error) { return cfront.Load(files, front) }
	p, err := load([]*ir.File{{Name: "calls.c", Content: []byte(named(was))}})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: scheme.Calls(), MaxSize: 3, Unwind: 4, Parse: load}) {
		if err != nil {
			t.Fatal(err)
		}
		files, err := r.Patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(files[0].Content))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Fatalf("%d repairs, want %d:\n%s\nwant\n%s", len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, text := range got {
		compiled(t, strings.Replace(text, "#include <assert.h>", "#include <assert.h>\n#define __CPROVER_assume(c) if (!(c)) return", 1)+
			"\nint main(void) { for (int x = -5; x < 6; x++) check(x); return 0; }\n")
	}
}

// TestCallsLeaveAlone: no call becomes one of a function that is hard or of
// other types, gets pointers, may exit or is an atomic section; nor does one in an assertion, in what is hard, or through a pointer change.
func TestCallsLeaveAlone(t *testing.T) {
	const text = `#include <assert.h>
#include <stdlib.h>
int one(int a) { return a + 1; }
int reference(int a) { return a + 2; }
unsigned same(int a) { return a + 2; }
int at(int *a) { return *a + 2; }
int leaves(int a) { if (a > 100) exit(0); return a + 2; }
int __VERIFIER_atomic_two(int a) { return a + 2; }
int two(int a) { return a + 2; }
int f(int x) { int (*p)(int) = one; return p(x); }
int main(int x) {
	__CPROVER_assume(x > -9 && x < 9);
	int y = one(x);
	int z = reference(x) + same(x) + at(&x) + leaves(x) + __VERIFIER_atomic_two(x) + f(x);
	assert(y == x + 2 || one(x) > x && z == 0);
	return 0;
}
`
	load := func(files []*ir.File) (*ir.Program, error) {
		return cfront.Load(files, cfront.Config{Hard: func(f string) bool { return f == "reference" || f == "f" }})
	}
	for _, more := range []struct{ old, new, want string }{{"", "", ""}, {"f(x);", "f(x) + two(x);", "one becomes two "}} {
		p, err := load([]*ir.File{{Name: "alone.c", Content: []byte(strings.Replace(text, more.old, more.new, 1))}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: scheme.Calls(), Parse: load, MaxSize: 2}) {
			if err != nil && more.want != "" {
				t.Fatal(err)
			}
			for i := 0; r != nil && i < len(r.Patch); i++ {
				got += r.Patch[i].Old + " becomes " + r.Patch[i].New + " "
			}
		}
		if got != more.want {
			t.Errorf("repairs %q, want %q", got, more.want)
		}
	}
}

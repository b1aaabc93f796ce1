package mutate_test

// The scheme memory: programs with faults of memory, and the repairs of random
// ones against all edits of their text, compiled and run on all inputs.

import (
	"fmt"
	"maps"
	"math/rand/v2"
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

// memoryFront loads programs for the scheme memory, which repairs f.
var memoryFront = cfront.Config{
	Frees: true, Hard: func(f string) bool { return f == "main" },
	Checks: ir.DefaultChecks.With(ir.CheckLeak),
}

func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name, text string
		size       int
		want       []string // all repairs
	}{
		{"leak", `int f(int n) { int *p = malloc(sizeof(int)); *p = n; int r = *p + 1; return r; }
int main(int n) { assert(f(n) == n + 1); return 0; }`, 1,
			[]string{"2: -> free(p);"}},
		{"leak on one path", `int f(int n) { int *p = malloc(sizeof(int)); *p = n; if (n > 3) return -1; int r = *p; free(p); return r; }
int main(int n) { assert(n > 3 || f(n) == n); f(n); return 0; }`, 1,
			[]string{"2: -> { free(p); 2: -> }"}},
		{"leak on two paths", `int f(int n) { int *p = malloc(sizeof(int)); *p = n; if (n > 3) { return -1; } int r = *p; return r; }
int main(int n) { assert(n > 3 || f(n) == n); f(n); return 0; }`, 2,
			[]string{"2: -> free(p); 2: -> free(p);"}},
		{"null", `struct N { struct N *next; int v; };
int f(struct N *l) { l = l->next; return l->v; }
int main(_Bool n) { struct N a = {0, 3}, b = {&a, 4}; assert(f(n ? &a : &b) == (n ? 0 : 3)); return 0; }`, 1,
			[]string{"3: -> if (!l) return 0;"}},
		{"null, nothing to return", `int g;
void f(int *p) { *p = 1; }
int main(_Bool n) { f(n ? &g : 0); assert(g == n); return 0; }`, 1,
			[]string{"3: -> if (!p) return;", "3: -> if (p) { 3: -> }"}},
		{"use after free", `int f(int n) { int *p = malloc(sizeof(int)); *p = n; free(p); int r = *p; return r; }
int main(int n) { assert(f(n) == n); return 0; }`, 1,
			[]string{"2: free(p); -> 2: -> free(p);"}},
		{"double free", `void f(int n) { int *p = malloc(sizeof(int)); *p = n; if (n > 3) { free(p); } free(p); }
int main(int n) { f(n); return 0; }`, 1,
			[]string{"2: free(p); ->", "2: -> p = 0;"}},
		{"out of bounds", `int t[4];
void f(int i, int v) { t[i] = v; }
int main(int i) { f(i, 3); assert(i < 0 || i > 3 || t[i] == 3); return 0; }`, 1,
			[]string{"3: -> if (i >= 0 && i < 4) { 3: -> }"}},
		{"above bounds, through a pointer", `int t[4];
void f(int *p, unsigned i, unsigned n) { p[i] = 1; }
int main(unsigned char i) { f(t, i, 4); assert(t[3] == (i == 3)); return 0; }`, 1,
			[]string{"3: -> if (i < 4u) { 3: -> }", "3: -> if (i < n) { 3: -> }"}},
		{"not initialized", `int f(int n) { int s; for (int i = 0; i < n; i++) s += i; return s; }
int main(int n) { assume(n >= 0 && n < 4); assert(f(n) == n * (n - 1) / 2); return 0; }`, 1,
			[]string{"2: s -> s = 0"}},
		{"pointer not initialized", `int f(int n) { int *p; if (n) p = malloc(sizeof(int)); free(p); return n; }
int main(int n) { assert(f(n) == n); return 0; }`, 1,
			[]string{"2: p -> p = 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := mutate.Config{Operators: scheme.Memory(), Unwind: 5, MaxSize: c.size}
			got := repairs(t, "#include <stdlib.h>\n"+c.text+"\n", memoryFront, cfg)
			for i, r := range got {
				got[i] = strings.Join(strings.Fields(r), " ")
			}
			slices.Sort(got)
			if !slices.Equal(got, slices.Sorted(slices.Values(c.want))) {
				t.Errorf("repairs %q, want %q", got, c.want)
			}
		})
	}
}

// lines are the statements of random functions about p, q, n and s. D is the
// object that a pointer points at, M makes one.
var lines = []string{
	"p = M;", "q = M;", "D(p) = n;", "D(q) = s;", "s = s + D(p);", "s = s - D(q);", "free(p);", "free(q);", "free(p);",
	"q = p;", "p = 0;", "if (n == 2) return s;", "if (n > 1) p = 0;", "s = s + n;", "if (p) D(p) = s;", "if (n < 2) free(q);",
}

// A variant is a function's lines, as an edit leaves them.
type variant []string

// memoryVariants lists what the scheme memory is to make of a function, by one change.
func memoryVariants(f variant) []variant {
	var out []variant
	with := func(i, drop int, s ...string) {
		out = append(out, slices.Concat(f[:i:i], s, f[i+drop:]))
	}
	const header = 3 // lines of declarations
	for i := header; i < len(f); i++ {
		returns := strings.HasPrefix(f[i], "return")
		for _, v := range []string{"p", "q"} {
			if returns || mentionsWord(f[i-1], v) {
				with(i, 0, "free("+v+");")
			}
			if cond, ok := strings.CutSuffix(f[i], "return s;"); ok && cond != "" {
				with(i, 1, cond+"{ free("+v+"); return s; }")
			}
			if readsWord(f[i], v) {
				with(i, 0, "if (!"+v+") return 0;")
				with(i, 0, "if (!"+v+") return -1;")
				if !returns {
					with(i, 1, "if ("+v+") "+f[i])
				}
			}
			if f[i] == "free("+v+");" {
				with(i+1, 0, v+" = 0;")
			}
		}
		if k := strings.Index(f[i], "free("); k >= 0 {
			if k > 0 {
				with(i, 1, f[i][:k]+";")
				with(i, 1, f[i][:k]+"{ "+f[i][k:]+f[i][k+5:k+6]+" = 0; }")
			} else {
				with(i, 1)
			}
		}
		if strings.HasPrefix(f[i], "free(") {
			for k := header - 1; k < len(f); k++ { // p can be named after its declaration
				if (k > 2 || f[i] == "free(p);") && k != i && k != i+1 {
					rest := slices.Delete(slices.Clone(f), i, i+1)
					out = append(out, slices.Insert(rest, k-after(k, i), f[i]))
				}
			}
		}
		if head, body, ok := strings.Cut(f[i], ") "); ok && strings.HasPrefix(f[i], "if") {
			for _, v := range []string{"p", "q"} {
				if readsWord(body, v) && !strings.HasPrefix(body, "return") {
					with(i, 1, head+") if ("+v+") "+body)
					with(i, 1, head+") { if (!"+v+") return 0; "+body+" }")
					with(i, 1, head+") { if (!"+v+") return -1; "+body+" }")
				}
				if !strings.HasPrefix(body, "return") {
					with(i, 1, head+") { "+body+" free("+v+"); }")
				}
			}
		}
	}
	return out
}

func after(k, i int) int {
	if k > i {
		return 1
	}
	return 0
}

// readsWord reports whether s uses the value of v.
func readsWord(s, v string) bool {
	i := strings.Index(s, v+" = ")
	return mentionsWord(s, v) && (i < 0 || i > 0 && s[i-1] != ' ' || mentionsWord(s[:i], v))
}

// mentionsWord reports whether v, of one letter, is a word of s.
func mentionsWord(s, v string) bool {
	for i := range len(s) {
		if s[i:i+1] == v && (i == 0 || !letter(s[i-1])) && (i+1 == len(s) || !letter(s[i+1])) {
			return true
		}
	}
	return false
}

func letter(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' }

func (f variant) text() string { return strings.Join(f, "\n") }

// memoryMeaning checks what the functions do, without the library.
const memoryMeaning = `#include <setjmp.h>
#include <stdio.h>
static jmp_buf out;
static int cells[16], live[16], used;
static int *make(void) { live[used] = 1; return &cells[used++]; }
static int *at(int *p) { if (!p || !live[p - cells]) longjmp(out, 1); return p; }
static void unmake(int *p) { if (p) { at(p); live[p - cells] = 0; } }
#define D(p) (*at(p))
#define M make()
#define free unmake
`

// runVariants compiles all and reports which of them fail, and on which inputs.
func runVariants(t *testing.T, gcc string, all []variant) [][]bool {
	t.Helper()
	var b strings.Builder
	b.WriteString(memoryMeaning)
	for i, f := range all {
		fmt.Fprintf(&b, "static int f%d(int n) {\n%s\n}\n", i, f.text())
	}
	b.WriteString("static int (*fs[])(int) = {")
	for i := range all {
		fmt.Fprintf(&b, "f%d, ", i)
	}
	b.WriteString(`};
int main(void) {
	for (unsigned k = 0; k < sizeof fs / sizeof fs[0]; k++)
		for (int n = 0; n < 4; n++) {
			int bad = 1;
			for (int i = used = 0; i < 16; i++) live[i] = 0;
			if (!setjmp(out)) {
				fs[k](n);
				bad = 0;
				for (int i = 0; i < 16; i++) bad |= live[i];
			}
			putchar('0' + bad);
		}
	return 0;
}
`)
	file, bin := filepath.Join(t.TempDir(), "m.c"), filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-w", "-O0", "-fwrapv", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	fails := make([][]bool, len(all))
	for i, c := range out {
		fails[i/4] = append(fails[i/4], c == '1')
	}
	return fails
}

// TestMemoryVariants compares the repairs that the scheme finds with all that its
// changes come to, compiled and run.
func TestMemoryVariants(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	rng := rand.New(rand.NewPCG(3, 14))
	var programs, all []variant
	var first []int
	for range fewer(80) {
		f := variant{"int s = 0;", "int *p = 0;", "int *q = 0;", "p = M;"}
		for range 2 + rng.IntN(4) {
			f = append(f, lines[rng.IntN(len(lines))])
		}
		f = append(f, "return s;")
		programs, first = append(programs, f), append(first, len(all))
		all = append(append(all, f), memoryVariants(f)...)
	}
	fails := runVariants(t, gcc, all)
	found := 0
	for i, f := range programs {
		if !slices.Contains(fails[first[i]], true) || !slices.Contains(f, "q = M;") && !slices.Contains(f, "q = p;") {
			continue // q is null: what it points at is a choice, which nothing may leave out
		}
		want := map[string]bool{}
		for k := range memoryVariants(f) {
			if n := first[i] + 1 + k; !slices.Contains(fails[n], true) {
				want[bracketless(all[n].text())] = true
			}
		}
		found += len(want)
		if got := memoryRepairs(t, f); !maps.Equal(got, want) {
			t.Errorf("repairs\n%s\nwant\n%s\nof\n%s", keys(got), keys(want), f.text())
		}
	}
	t.Logf("%d repairs", found)
	if found < fewer(80)/3 {
		t.Errorf("only %d repairs", found)
	}
}

// bracketless is text without space and brackets.
func bracketless(text string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\t", "", "{", "", "}", "").Replace(text)
}

// memoryRepairs are the texts of the repairs of f.
func memoryRepairs(t *testing.T, f variant) map[string]bool {
	const before = "#include <stdlib.h>\n#define D(p) (*(p))\n#define M malloc(sizeof(int))\nint f(int n) {\n"
	text := before + f.text() + "\n}\nint main(int n) { assume(n >= 0 && n < 4); f(n); return 0; }\n"
	cfg := mutate.Config{Operators: scheme.Memory(), Parse: func(files []*ir.File) (*ir.Program, error) { return cfront.Load(files, memoryFront) }}
	p := load(t, text, memoryFront)
	out := map[string]bool{}
	for r, err := range mutate.Repairs(t.Context(), p, cfg) {
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		files, err := r.Patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		body, _, _ := strings.Cut(strings.TrimPrefix(string(files[0].Content), before), "int main")
		out[bracketless(body)] = true
	}
	return out
}

package mutate_test

// Programs with heap structures, floats and callbacks, each with one seeded
// fault: that it is there, and that every repair removes it, is compared with
// the programs compiled by gcc with sanitizers and run on all inputs.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// structures get an input n from 0 to 3; want is the change that undoes the fault.
var structures = []struct{ name, source, want string }{
	{"list", `struct N { struct N *next; int v; };
int sum(struct N *l) { int s = 0; while (l) { s -= l->v; l = l->next; } return s; }
void entry(int n) { struct N a = {0, 1}, b = {&a, n}; assert(sum(&b) == n + 1); }
`, "2: s -= l->v -> s += l->v"},
	{"tree", `struct T { struct T *l, *r; int key; };
struct T *find(struct T *t, int k) { while (t && t->key != k) { if (k >= t->key) t = t->l; else t = t->r; } return t; }
void entry(int n) { struct T a = {0, 0, 0}, c = {0, 0, 3}, b = {&a, &c, 1}; assert((find(&b, n) != 0) == (n != 2)); }
`, "2: k >= t->key -> k < (t->key)"},
	{"ring buffer", `int ring[3], at;
void put(int v) { ring[at] = v; at = (at + 1) % 4; }
void entry(int n) { for (int i = 0; i <= n; i++) put(i); assert(ring[n % 3] == n); }
`, "2: 4 -> 3"},
	{"arena", `char arena[8]; int used;
char *take(int n) { if (used + n >= 8) return 0; used += n; return arena + used - n; }
void entry(int n) { char *p = take(5), *q = take(n); assert(p && q); *p = 1; if (n) q[n - 1] = 2; assert(*p == 1); }
`, "2: used + n >= 8 -> used + n > 8"},
	{"hash table", `struct E { int key, used; } table[2];
int slot(int k) { int i = k & 2; return i; }
void entry(int n) { struct E *e = &table[slot(n)]; e->key = n; e->used = 1; assert(table[n % 2].key == n); }
`, "2: 2 -> 1"},
	{"string builder", `char *text; int len;
void add(char c) { text[len] = c; len++; text[len + 1] = 0; }
void entry(int n) { text = malloc(5); for (int i = 0; i <= n; i++) add('a'); assert(text[len] == 0); free(text); }
`, "2: 1 -> 0"},
	{"callback", `int twice(int x) { return x + x; } int square(int x) { return x + x; }
int apply(int (*f)(int), int x) { return f(x); }
void entry(int n) { assert(apply(twice, n) == 2 * n); assert(apply(square, n) == n * n); }
`, "1: x + x -> x * x"},
	{"filter", `float y;
float step(float x) { y = y - (x - y) * 0.5f; return y; }
void entry(int n) { y = 0; float a = step((float)n), b = step((float)n); assert(a <= b && b <= n); }
`, "2: y - (x - y) * 0.5f -> y + (x - y) * 0.5f"},
	{"controller", `double sum;
int step(double want, double is) { double e = want + is; sum = sum + e * 0.25; return sum >= 0; }
void entry(int n) { sum = 0; assert(step((double)n, 2.0) == (n >= 2)); }
`, "2: want + is -> want - is"},
	{"linked queue", `struct N { struct N *next; int v; } *head;
void push(int v) { struct N *x = malloc(sizeof *x); x->v = v; x->next = head; head = x; }
int drain(int n) { int s = 0; while (n >= 0) { struct N *x = head; s += x->v; head = x->next; free(x); n--; } return s; }
void entry(int n) { head = 0; for (int i = 0; i < 2; i++) push(n); assert(drain(2) == 2 * n); assert(!head); }
`, "3: n >= 0 -> n > 0"},
}

const structurePrelude = `#include <stdlib.h>
`

func TestStructures(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	for _, c := range structures {
		t.Run(c.name, func(t *testing.T) {
			if violates(t, gcc, c.source) == "" {
				t.Fatal("the compiled program has no fault")
			}
			var got []string
			for _, p := range patches(t, c.source) {
				s := ""
				for _, e := range p {
					s += fmt.Sprintf("%d: %s -> %s", e.Span.Line-2, e.Old, e.New)
				}
				got = append(got, s)
				if bad := violates(t, gcc, patched(c.source, p)); bad != "" {
					t.Errorf("with %s: %s", s, bad)
				}
			}
			if !slices.Contains(got, c.want) {
				t.Errorf("repairs %q, without %s", got, c.want)
			}
		})
	}
}

// structureFront is what the tool sees before a program, and main after it.
const structureFront = structurePrelude + "void assert(int); int nondet_int(void);\n"

const structureMain = "int main(void) { int n = nondet_int(); __CPROVER_assume(n >= 0 && n <= 3); entry(n); return 0; }\n"

func patches(t *testing.T, source string) []ir.Patch {
	front := cfront.Config{Hard: func(f string) bool { return f == "main" || f == "entry" }}
	cfg := mutate.Config{Operators: scheme.Level2(), Unwind: 6, Parse: func(files []*ir.File) (*ir.Program, error) { return cfront.Load(files, front) }}
	var out []ir.Patch
	for r, err := range mutate.Repairs(t.Context(), load(t, structureFront+source+structureMain, front), cfg) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Patch)
	}
	return out
}

// patched is source with the edits of p, which are of what stands after
// structureFront.
func patched(source string, p ir.Patch) string {
	edits := slices.Clone(p)
	slices.SortFunc(edits, func(a, b ir.Edit) int { return b.Span.Start - a.Span.Start })
	for _, e := range edits {
		from, to := e.Span.Start-len(structureFront), e.Span.End-len(structureFront)
		source = source[:from] + e.New + source[to:]
	}
	return source
}

// violates says on which input the compiled source fails, "" if on none.
func violates(t *testing.T, gcc, source string) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "p.c")
	text := "#include <assert.h>\n" + structurePrelude + source + "int main(int c, char **v) { entry(atoi(v[1])); return 0; }\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "p")
	if out, err := exec.Command(gcc, "-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", bin, name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for n := range 4 {
		if err := exec.Command(bin, strconv.Itoa(n)).Run(); err != nil {
			return fmt.Sprintf("fails for n = %d: %v", n, err)
		}
	}
	return ""
}

package cfront_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

// inOneHeap loads source with one heap, and runs it; nil says that it has none.
func inOneHeap(t *testing.T, source string, cfg cfront.Config) *interp.Trace {
	t.Helper()
	var tr *interp.Trace
	cfg.Checks = ir.DefaultChecks
	cfg.Fits = func(*ir.Program) bool { return false }
	cfg.Decides = func(p *ir.Program) bool {
		var err error
		if tr, err = interp.Run(context.Background(), p, interp.Config{Unwind: -1}); err != nil {
			t.Fatal(err)
		}
		return true
	}
	if _, err := cfront.Load([]*ir.File{{Name: "h.c", Content: []byte(source)}}, cfg); err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestOneHeap runs programs that allocate more than Config.MaxObjects says.
func TestOneHeap(t *testing.T) {
	const begin = `
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; char name[5]; int (*f)(int); };
static int twice(int x) { return 2 * x; }
int main(void) {
	struct node *head = 0;
	for (int i = 0; i < 200; i++) {
		struct node *n = malloc(sizeof *n);
		assert((uintptr_t)n % 16 == 0 && n != head);
		n->v = i; n->next = head; n->f = i % 2 ? twice : 0; strcpy(n->name, "abc"); head = n;
	}
	int sum = 0;
	for (struct node *n = head; n; n = n->next) sum += n->f ? n->f(n->v) : n->v + (n->name[2] == 'c') - 1;
	assert(sum == 9900 + 2 * 10000);
	int *a = calloc(53, sizeof *a), *b = a + 53, *c;
	for (int i = 0; i < 53; i++) assert(a[i] == 0);
	a[52] = 7;
	assert(b - a == 53 && b[-1] == 7 && b > a && __CPROVER_OBJECT_SIZE(b) == 53 * sizeof *a);
	c = realloc(a, 1000 * sizeof *a);
	assert(c != a && c[52] == 7 && c[3] == 0 && a != 0);
	char *s = strdup("heap"), *none = malloc(0);
	assert(strlen(s) == 4 && none && none != s);
`
	for _, x := range []struct{ name, text, want string }{
		{"right", "while (head) { struct node *n = head->next; free(head); head = n; } free(c); free(s); free(none); free(0);", "ended"},
		{"after free", "free(c); return c[3];", "bounds"},
		{"old memory", "return a[3];", "bounds"},
		{"twice freed", "free(c); free(c);", "nil"},
		{"within", "free(c + 1);", "nil"},
		{"no heap", "free(&sum);", "nil"},
		{"before", "return c[-1];", "bounds"},
		{"past", "c[1000] = 1;", "bounds"},
		{"half past", "*(int *)((char *)c + 3997) = 1;", "bounds"},
		{"nothing", "return *none;", "bounds"},
		{"past a string", "return s[5];", "bounds"},
		{"number", "return *((int *)16);", "nil"},
		{"copy past", "memcpy(s, head, 6);", "bounds"},
		{"too long a string", "strcpy(s, \"longer\");", "bounds"},
		{"realloc of freed", "free(c); c = realloc(c, 3);", "nil"},
	} {
		tr := inOneHeap(t, begin+x.text+"\nreturn 0; }\n", cfront.Config{})
		if tr == nil {
			t.Fatalf("%s: no heap", x.name)
		}
		got := tr.Outcome.String()
		if tr.Outcome == interp.Violated {
			got = tr.Kind.String()
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// TestNoHeap has programs that do without one heap.
func TestNoHeap(t *testing.T) {
	for _, x := range []struct {
		source string
		cfg    cfront.Config
	}{
		{"#include <stdlib.h>\nstatic char m[9]; void *malloc(size_t n) { return m; } int main(void) { return !malloc(3); }", cfront.Config{}},
		{"#include <stdlib.h>\nint main(void) { return !malloc(3); }", cfront.Config{MallocMayFail: true}},
		{"#include <stdlib.h>\nint main(void) { return !malloc(3); }", cfront.Config{Target: "msp430"}},
		{"#include <stdlib.h>\n#include <pthread.h>\nvoid *f(void *p) { return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return !malloc(3); }", cfront.Config{}},
	} {
		if tr := inOneHeap(t, x.source, x.cfg); tr != nil {
			t.Errorf("one heap in\n%s", x.source)
		}
	}
}

// TestDifferentialHeap compares what random programs do with what they allocate with
// the same compiled with gcc's sanitizer for addresses: what they compute, and
// whether they are at fault.
func TestDifferentialHeap(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	programs := 150
	if testing.Short() {
		programs = 12
	}
	faults := 0
	for seed := range programs {
		source := heapProgram(rand.New(rand.NewPCG(uint64(seed), 7)))
		file := filepath.Join(t.TempDir(), "h.c")
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		bin := strings.TrimSuffix(file, ".c")
		if out, err := exec.Command(gcc, "-w", "-O0", "-fsanitize=address", "-o", bin, file).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %v\n%s", err, out)
		}
		run := exec.Command(bin)
		run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
		out, err := run.Output()
		want := "violated"
		if err == nil {
			want = "ended"
			source = strings.Replace(source, "SUM", strings.TrimSpace(string(out)), 1)
		} else {
			faults++
			source = strings.Replace(source, "SUM", "sum", 1)
		}
		tr := inOneHeap(t, source, cfront.Config{})
		if tr == nil || tr.Outcome.String() != want {
			t.Fatalf("seed %d: %v, compiled: %s\n%s", seed, tr, want, source)
		}
	}
	t.Logf("%d of %d programs are at fault", faults, programs)
}

// heapProgram is a program that allocates, frees and looks at memory, the last time
// perhaps where there is none. It prints a sum, which is SUM in an assertion that
// only other tools see.
func heapProgram(r *rand.Rand) string {
	const blocks = 5
	var w strings.Builder
	w.WriteString(`#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct pair { long a; short b; struct pair *next; };
static struct pair *list;
static unsigned sum;
static void add(int a) { struct pair *q = malloc(sizeof *q); q->a = a; q->b = a + 1; q->next = list; list = q; }
static void drop(void) { struct pair *q = list; list = q->next; sum += q->b; free(q); }
int main(void) {
	unsigned char *p[5];
`)
	sizes := [blocks]int{}
	length := 0
	fill := func(i, from int) {
		fmt.Fprintf(&w, "\tmemset(p[%d] + %d, %d, %d);\n", i, from, r.IntN(250), sizes[i]-from)
	}
	for i := range blocks {
		sizes[i] = 1 + r.IntN(40)
		fmt.Fprintf(&w, "\tp[%d] = malloc(%d);\n", i, sizes[i])
		fill(i, 0)
	}
	for range 30 {
		i, j := r.IntN(blocks), r.IntN(blocks)
		switch r.IntN(9) {
		case 0:
			sizes[i] = 1 + r.IntN(40)
			fmt.Fprintf(&w, "\tfree(p[%d]); p[%d] = malloc(%d);\n", i, i, sizes[i])
			fill(i, 0)
		case 1:
			sizes[i] = 1 + r.IntN(40)
			fmt.Fprintf(&w, "\tp[%d] = calloc(%d, 1);\n", i, sizes[i])
		case 2:
			old := sizes[i]
			sizes[i] = 1 + r.IntN(60)
			fmt.Fprintf(&w, "\tp[%d] = realloc(p[%d], %d);\n", i, i, sizes[i])
			if sizes[i] > old {
				fill(i, old)
			}
		case 3:
			n := min(sizes[i], sizes[j])
			fmt.Fprintf(&w, "\tmemmove(p[%d], p[%d], %d);\n", i, j, 1+r.IntN(n))
		case 4:
			fmt.Fprintf(&w, "\tfor (int i = 0; i < %d; i++) sum = 31 * sum + p[%d][i];\n", sizes[i], i)
		case 5:
			if sizes[i] >= 4 {
				fmt.Fprintf(&w, "\t*(unsigned *)(p[%d] + %d) += sum;\n", i, r.IntN(sizes[i]-3))
			}
		case 6, 7:
			length++
			fmt.Fprintf(&w, "\tadd(%d);\n", r.IntN(1000))
		case 8:
			if length > 0 {
				length--
				fmt.Fprintf(&w, "\tdrop();\n")
			}
		}
	}
	i := r.IntN(blocks)
	switch r.IntN(8) {
	case 0:
		fmt.Fprintf(&w, "\tp[%d][%d] = 1;\n", i, sizes[i]+r.IntN(4))
	case 1:
		fmt.Fprintf(&w, "\tsum += p[%d][-1 - %d];\n", i, r.IntN(4))
	case 2:
		fmt.Fprintf(&w, "\tfree(p[%d]); sum += p[%d][%d];\n", i, i, r.IntN(sizes[i]))
	case 3:
		fmt.Fprintf(&w, "\tfree(p[%d]); free(p[%d]);\n", i, i)
	case 4:
		fmt.Fprintf(&w, "\tfree(p[%d] + %d);\n", i, r.IntN(3))
	}
	w.WriteString(`	for (; list; drop()) ;
	printf("%u\n", sum);
#ifndef __SANITIZE_ADDRESS__
	__CPROVER_assert(sum == SUM, "");
#endif
	return 0;
}
`)
	return w.String()
}

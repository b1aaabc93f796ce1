package cfront_test

// What is not freed when a program ends, compared with the leak detector of
// gcc's address sanitizer where that counts the same: what nothing points at.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

const leakHeader = "#include <stdlib.h>\nvoid assert(int); int nondet_int(void); struct N { struct N *next; int v; };\n"

// leakCases end as leakHeader and source do; reachable says that something
// points at what leaks, which the sanitizer doesn't count.
var leakCases = []struct {
	name, source, want string
	reachable, mayFail bool
}{
	{name: "freed", source: "int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }", want: "ended"},
	{name: "not freed", source: "void f(void) { int *volatile p = malloc(4); *p = 1; p = 0; }\nint main(void) { f(); return 0; }", want: "leak at line 3"},
	{name: "of the library", source: "#include <string.h>\nint main(void) { char *s = strdup(\"a\");\ns = strndup(\"b\", 1); free(s); return 0; }", want: "leak at line 4"},
	{name: "on one path", source: "int main(void) { int *p = malloc(4); *p = 0;\nif (nondet_int()) return *p; free(p); return 0; }", want: "ended; leak at line 3", reachable: true},
	{name: "never reached", source: "int main(void) { int *p = 0; if (p) p = malloc(4); return 0; }", want: "ended"},
	{name: "held by a global", source: "int *g; int main(void) { g = malloc(4);\n*g = 3; return 0; }", want: "leak at line 3", reachable: true},
	{name: "at exit", source: "void f(int *p) { exit(0); }\nint main(void) { int *p = malloc(4); f(p); free(p); return 0; }", want: "leak at line 4", reachable: true},
	{name: "freed before exit", source: "void f(int *p) { free(p); exit(0); }\nint main(void) { f(malloc(4)); return 0; }", want: "ended"},
	{name: "abort", source: "int main(void) { int *p = malloc(4); abort(); }", want: "blocked", reachable: true},
	{name: "end without return", source: "int main(void) { int *p = malloc(4); *p = 1; }", want: "leak at line 3", reachable: true},
	{name: "realloc", source: "int main(void) { int *p = malloc(4); *p = 1;\np = realloc(p, 8); free(p); return 0; }", want: "ended"},
	{name: "realloc, not freed", source: "int main(void) { int *p = malloc(4); *p = 1;\np = realloc(p, 8); return *p; }", want: "leak at line 4", reachable: true},
	{name: "list", source: "int main(void) { struct N *l = 0, *n; for (int i = 0; i < 3; i++) {\nn = malloc(sizeof *n); n->next = l; l = n; }\nwhile (l) { n = l->next; free(l); l = n; } return 0; }", want: "ended"},
	{name: "list without its last", source: "struct N *l; int main(void) { struct N *n; for (int i = 0; i < 3; i++) {\nn = malloc(sizeof *n); n->next = l; l = n; }\nwhile (l->next) { n = l->next; free(l); l = n; } return 0; }", want: "leak at line 4", reachable: true},
	{name: "alloca and literals", source: "int main(void) { int *p = __builtin_alloca(4), *q = &(int){3}; *p = *q; return 0; }", want: "ended"},
	{name: "failing allocations", source: "int main(void) { int *p = malloc(4), *q = realloc(p, 8); if (q) free(q); else free(p); return 0; }", want: "ended", mayFail: true},
}

func TestLeaks(t *testing.T) {
	for _, c := range leakCases {
		file := &ir.File{Name: "m.c", Content: []byte(leakHeader + c.source)}
		p, err := cfront.Load([]*ir.File{file}, cfront.Config{Checks: ir.DefaultChecks.With(ir.CheckLeak), MallocMayFail: c.mayFail})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		roundTrip(t, p)
		if got := strings.Join(explore(t, p), "; "); got != c.want {
			t.Errorf("%s: ends %s, want %s", c.name, got, c.want)
		}
	}
}

// TestLeaksRefused shows where leaks are not looked for.
func TestLeaksRefused(t *testing.T) {
	const threads = "#include <pthread.h>\nvoid *f(void *p) { return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int *p = malloc(4); return 0; }"
	for source, want := range map[string]string{
		threads: "m.c:4:100: unsupported: allocation in a program with threads, with the check leak (leave the check off)",
		"int main(void) { int *p = malloc(4); if (nondet_int()) main(); return 0; }": "m.c:3:5: unsupported: call of the entry, with the check leak (leave the check off)",
	} {
		file := &ir.File{Name: "m.c", Content: []byte(leakHeader + source)}
		_, err := cfront.Load([]*ir.File{file}, cfront.Config{Checks: ir.DefaultChecks.With(ir.CheckLeak)})
		if err == nil || err.Error() != want {
			t.Errorf("%s\nerror %v, want %s", source, err, want)
		}
	}
}

// TestLeaksCompiled compares what no free value decides with gcc.
func TestLeaksCompiled(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	for _, c := range leakCases {
		if c.reachable || c.mayFail {
			continue
		}
		source, bin := filepath.Join(dir, "m.c"), filepath.Join(dir, "m")
		if err := os.WriteFile(source, []byte(leakHeader+c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(gcc, "-w", "-O0", "-fsanitize=address,undefined", "-o", bin, source).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		out, err := exec.Command(bin).CombinedOutput()
		if strings.Contains(string(out), "LeakSanitizer has encountered a fatal error") {
			t.Skip("the leak detector doesn't run here")
		}
		if leaks := err != nil; leaks != strings.HasPrefix(c.want, "leak") {
			t.Errorf("%s: compiled %v, want %s\n%s", c.name, err, c.want, out)
		}
	}
}

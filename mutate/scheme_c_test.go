package mutate_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/mutate/scheme"
)

// shadows has names that mean different variables in different places.
const shadows = `#include <assert.h>
struct pair { int a, b; };
int g = 3, limit = 10;
static int f(int x, unsigned u) {
	static int calls = 0;
	calls = calls + 1;
	int g = x + 1;
	for (int i = 0; i < 3; i++) {
		int x = i * 2;
		if (x > g && (limit - i) % 2) g = g + x;
		else { long limit = g; g = (int)limit - calls; }
	}
	struct pair p = {g, x};
	while (g < limit && x != 0) { g++; x = x - 1; }
	return (p.a > p.b || u) ? p.a + g : -p.b;
}
int main(int x, unsigned u) {
	__CPROVER_assume(x > -20 && x < 20);
	assert(f(x, u) < limit + g);
	return g;
}
`

// effectful has texts that do more than compute a value, evaluated lazily.
const effectful = `#include <assert.h>
int g;
static int pure(int x) { int y = x; y = y + 1; return y; }
static int count(int x) { g = g + 1; return x; }
int main(int a, int b) {
	int i = 0;
	int r = !(pure(a) > 3) || ((count(b) == 2) && (i++ < 3));
	if (pure(b) > 1 && pure(a) < 9 && a != b) r = r + (a > 0 ? count(a) : pure(b));
	while (i < 2 && pure(i) != a) i = i + (count(i) == 1 || a > b) + 1;
	assert(r == 1 || g > 0 || i > a);
	return r + g;
}
`

// uses has macros that repeat their arguments, with and without parentheses, in
// one another, in statements and where nothing can change.
const uses = `#include <assert.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) (MIN(-(a), -(b)) * -1)
#define SQ(x) x * x
#define HALF(x) (x) / 2
#define LIMIT 7 + 2
#define SAME(x) (x)
#define SIZED(x) ((x) + (int)sizeof(x))
#define PICK(f, x, y) f(x, y)
#define SWAP(x, y) do { int t = x; x = y; y = t; } while (0)
#define BUMP(v, n) v += (n) + v
struct pair { int a, b; };
int g;
static int f(struct pair p, int x) {
	int t[3] = {1, 2, 3}, n = MIN(p.a - x + 1, LIMIT);
	n = n + SQ(x + 1) - SQ(3) + SAME(x - -2);
	if (MAX(n, x * 2) > HALF(x + n)) n = SIZED(n + 1) + PICK(MIN, x, n - 1);
	SWAP(n, x);
	BUMP(g, x ^ 1);
	t[MIN(x & 1, 2)] = MAX(MIN(n, 3), g);
	return t[1] + SQ(t[2]) + n;
}
int main(int a, int x) {
	__CPROVER_assume(a > -9 && a < 9 && x > -9 && x < 9);
	struct pair p = {a, 1};
	assert(f(p, x) + MIN(a, x) < 100);
	return g;
}
`

// TestSchemesInC makes random changes of each scheme in C programs.
func TestSchemesInC(t *testing.T) {
	sources := map[string]string{"shadows.c": shadows, "effectful.c": effectful}
	names, err := filepath.Glob("../examples/programs/*.c")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	if testing.Short() {
		names = names[:2]
	}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		if testing.Short() && strings.Contains(string(b), "pthread.h") {
			continue
		}
		sources[filepath.Base(n)] = string(b)
	}
	for _, name := range append(scheme.Names(), "calls,level2,statements") {
		t.Run(name, func(t *testing.T) {
			ops, _ := scheme.Parse(name)
			sources := maps.Clone(sources)
			if name == "level2" || name == "variables" { // others change the same places
				sources["uses.c"] = uses
			}
			for file, text := range sources {
				p := loadC(t, []*ir.File{{Name: file, Content: []byte(text)}})
				sp, err := mutate.NewSpace(p, ops, nil)
				if err != nil {
					t.Fatal(err)
				}
				if sp.Len() == 0 {
					continue
				}
				rng := rand.New(rand.NewPCG(7, 7))
				for _, alts := range candidates(rng, sp, fewer(60))[1:] {
					inC(t, p, sp, randomFill(rng, sp, alts))
				}
			}
		})
	}
}

func loadC(t *testing.T, files []*ir.File) *ir.Program {
	t.Helper()
	p, err := cfront.Load(files, cfront.Config{Entry: "main", Checks: allChecks})
	if err != nil {
		t.Fatalf("%v\n%s", err, files[0].Content)
	}
	return p
}

func inC(t *testing.T, p *ir.Program, sp mutate.Space, c cegis.Candidate) {
	t.Helper()
	q := sp.Settled(c)
	patch, err := sp.Patch(c)
	if err != nil && len(c.Alternatives) > 1 && strings.Contains(err.Error(), "no source text") {
		return // a change inside what another one drops
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, q)
	}
	files, err := patch.Apply(p.Files)
	if err != nil {
		t.Fatalf("%v\n%v", err, patch)
	}
	r := loadC(t, files)
	same := !sp.Instrumented() && !inParts(p) // else other statements may compute the same
	if !same {
		p.Align(r, patch)
	}
	for i := range uint64(4) {
		input := gen.Input(i)
		x, err := interp.Run(t.Context(), q, interp.Config{Input: input, Unwind: 3})
		if err != nil {
			t.Fatal(err)
		}
		y, err := interp.Run(t.Context(), r, interp.Config{Input: input, Unwind: 3})
		if err != nil {
			t.Fatal(err)
		}
		if !sameRuns(x, y, same) {
			t.Fatalf("the changed program %v, its text %v\n%s\n%s", x.Outcome, y.Outcome, patch.Diff(p.Files), q)
		}
	}
}

// inParts reports whether p evaluates expressions in several statements.
func inParts(p *ir.Program) bool {
	found := false
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) { found = found || s.Key() != s.Loc() })
	return found
}

// TestUnusedGlobal checks that scheme variables proposes globals that nothing
// else mentions.
func TestUnusedGlobal(t *testing.T) {
	for _, global := range []string{"int g = 2;", "int g = -1 + 3;", "static int g = 2, h = 3;"} {
		p := loadC(t, []*ir.File{{Name: "g.c", Content: []byte(global + `
void assert(int);
int f(int a, int b) { return a; }
int main(int x) { assert(f(x, 2) == 2); return 0; }
`)}})
		got := ""
		for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: scheme.Variables()}) {
			if err != nil {
				t.Fatal(err)
			}
			got += r.Patch[0].New + " "
		}
		if got != "g b " {
			t.Errorf("%s: a becomes %s, want g and b", global, got)
		}
	}
}

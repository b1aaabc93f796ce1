package replay_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/cfront/replay"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

const head = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"

// failing are programs with a run that fails, and that of the ones compiled
// without a schedule next to none does.
var failing = []struct{ name, text string }{
	{"lost update", `
int n;
void *add(void *p) { n++; return 0; }
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, add, 0);
	pthread_create(&b, 0, add, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(n == 2);
}`},
	{"switches inside operators", `
int x = 1, y = 1;
void *left(void *p) { for (int i = 0; i < 3; i++) x += y; return 0; }
void *right(void *p) { for (int i = 0; i < 3; i++) y += x; return 0; }
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, left, 0);
	pthread_create(&b, 0, right, 0);
	if (x >= 21 || y >= 21)
		assert(0);
}`},
	{"order of operands", `
int x, y;
int get(int *p) { return *p; }
void *writes(void *p) { x = 1; y = 1; x = 2; y = 2; return 0; }
int main(void) {
	pthread_t a;
	pthread_create(&a, 0, writes, 0);
	assert(get(&x) * 10 + y != 12);
}`},
	{"members, elements and pointers", `
struct account { int id; int balance[2]; } *account;
int which;
void *put(void *p) {
	account->balance[which] += *(int *)p;
	return 0;
}
int main(void) {
	static struct account one;
	pthread_t a, b;
	int five = 5, six = 6;
	account = &one;
	pthread_create(&a, 0, put, &five);
	pthread_create(&b, 0, put, &six);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(one.balance[0] == 11);
}`},
	{"signal that nobody waits for", `
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *waits(void *p) {
	pthread_mutex_lock(&m);
	int now = ready;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	if (!now)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	pthread_exit(0);
}
int main(void) {
	pthread_t a;
	pthread_create(&a, 0, waits, 0);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(a, 0);
}`},
	{"condition that is awaited with if", `
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int items;
void *take(void *p) {
	pthread_mutex_lock(&m);
	if (items == 0)
		pthread_cond_wait(&c, &m);
	items--;
	assert(items >= 0);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, take, 0);
	pthread_create(&b, 0, take, 0);
	pthread_mutex_lock(&m);
	items = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
}`},
	{"locks in two orders", `
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
void *two(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, two, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
}`},
	{"inputs of each thread", `
extern int nondet_int(void);
int sum;
void *add(void *p) {
	int k = nondet_int();
	if (k > 3 && k < 9)
		sum += k;
	return 0;
}
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, add, 0);
	pthread_create(&b, 0, add, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(sum != 13);
}`},
	{"check that C need not notice", `
int length, items[4];
void *push(void *p) {
	if (length < 4) {
		items[length] = 1;
		length++;
	}
	return 0;
}
int main(void) {
	pthread_t a, b;
	length = 3;
	pthread_create(&a, 0, push, 0);
	pthread_create(&b, 0, push, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
}`},
	{"macros with arguments", `
#define check(e) if (!(e)) assert(0)
int a, b;
void *both(void *p) { a = 1; b = 1; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, both, 0);
	check(a == b);
}`},
	{"atomic operations", `
#include <stdatomic.h>
atomic_int n;
void *add(void *p) { int now = atomic_load(&n); atomic_store(&n, now + 1); return 0; }
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, add, 0);
	pthread_create(&b, 0, add, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(n == 2);
}`},
	{"threads of a loop", `
int n;
void *add(void *p) { int k = n; n = k + 1; return 0; }
int main(void) {
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, add, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(n > 1);
}`},
	{"intrinsics without definitions", `
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int condition);
extern int __VERIFIER_nondet_int(void);
int x;
void *set(void *p) { x = 1; x = 0; return 0; }
int main(void) {
	pthread_t t;
	int k = __VERIFIER_nondet_int();
	__VERIFIER_assume(k > 5);
	pthread_create(&t, 0, set, 0);
	if (x == 1 && k == 7)
		__VERIFIER_error();
}`},
}

// firstRun returns the program and its first failing run.
func firstRun(t *testing.T, text string) (*ir.Program, *interp.Trace) {
	t.Helper()
	p, err := cfront.Load([]*ir.File{{Name: "run.c", Content: []byte(head + text + "\n")}}, cfront.Config{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := sequentialize.Check(context.Background(), p, sequentialize.Config{Rounds: 5, Unwind: ssa.Unwind(4)})
	if err != nil || len(found.Violations) == 0 {
		t.Fatalf("no failing run: %v", err)
	}
	return p, found.Violations[0].Trace
}

// TestFails compiles programs of failing runs and runs each several times:
// all of these fail.
func TestFails(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	for _, c := range failing {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, err := replay.Program(firstRun(t, c.text))
			if err != nil {
				t.Fatal(err)
			}
			binary := compile(t, gcc, text)
			for i := range times {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				defer cancel()
				out, err := exec.CommandContext(ctx, binary).CombinedOutput()
				if err == nil || ctx.Err() != nil {
					t.Fatalf("run %d does not fail (%v)\n%s\n%s", i+1, ctx.Err(), out, text)
				}
			}
		})
	}
}

func compile(t *testing.T, gcc string, text []byte) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "fails.c")
	if err := os.WriteFile(source, text, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := strings.TrimSuffix(source, ".c")
	if out, err := exec.Command(gcc, "-g", "-pthread", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	return binary
}

// TestUnsupported holds programs whose runs can't be written.
func TestUnsupported(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"uninitialized variable", `
int x;
void *set(void *p) { int k; x = k; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	assert(x != 5);
}`, "the input k"},
		{"event in a macro", `
#define SET(v) x = v
int x;
void *set(void *p) { SET(1); return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	assert(!x);
}`, "macro"},
		{"copy that the run takes apart", `
struct s { int a, b; } v;
void *set(void *p) { struct s k = {1, 1}; v = k; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	struct s w = v;
	assert(w.a == w.b);
	pthread_join(t, 0);
}`, "a switch inside a copy"},
		{"copies that the run takes apart", `
struct s { int a, b; } v, w, k = {1, 1};
void *set(void *p) { v = k; return 0; }
void *get(void *p) { w = v; return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, set, 0);
	pthread_create(&u, 0, get, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(w.a == w.b);
}`, "a switch inside a copy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := replay.Program(firstRun(t, c.text))
			var unsupported *ir.UnsupportedError
			if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an unsupported error with %q", err, c.want)
			}
		})
	}
}

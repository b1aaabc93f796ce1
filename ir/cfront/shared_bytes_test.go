package cfront_test

// Bytes of objects that threads share: a scalar is read and written at once.

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

const (
	sharedUnion = "#include <pthread.h>\n#include <string.h>\n#include <stdlib.h>\nunion { int i; unsigned char c[4]; } u; struct P { int x, y; } g, *q; pthread_t t; void *f(void *);\n"
	started     = "int main(void) { pthread_create(&t, 0, f, 0); "
)

func TestSharedBytes(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"a scalar is not torn", sharedUnion + "void *f(void *p) { u.i = 0x01010101; return 0; } " + started + "int v = u.i; assert(v == 0 || v == 0x01010101); }", "ended"},
		{"the bytes are", sharedUnion + "void *f(void *p) { u.c[0] = 1; u.c[1] = 1; return 0; } " + started + "int v = u.i; assert(v != 1); }", "assert at line 7; ended"},
		{"one after the other", sharedUnion + "void *f(void *p) { u.c[0] = 1; u.c[1] = 1; return 0; } " + started + "int v = u.i; assert(v != 256); }", "ended"},
		{"lost update", sharedUnion + "void *f(void *p) { u.i++; return 0; } " + started + "u.i++; pthread_join(t, 0); assert(u.i == 2); }", "assert at line 7; ended"},
		{"no update is lost in sections", sharedUnion + "void *f(void *p) { __VERIFIER_atomic_begin(); u.i++; __VERIFIER_atomic_end(); return 0; } " + started + "__VERIFIER_atomic_begin(); u.i++; __VERIFIER_atomic_end(); pthread_join(t, 0); assert(u.i == 2); }", "ended"},
		{"through a pointer to char", sharedUnion + "void *f(void *p) { char *c = (char *)&g; c[4] = 7; return 0; } " + started + "pthread_join(t, 0); assert(g.y == 7 && g.x == 0); }", "ended"},
		{"one of two objects", sharedUnion + "struct P h; void *f(void *p) { *(unsigned char *)q = 1; return 0; } int main(void) { q = nondet_int() ? &g : &h; pthread_create(&t, 0, f, 0); int v = q->x; assert(v == 0 || v == 1); pthread_join(t, 0); assert(g.x + h.x == 1); }", "ended"},
		{"copied into", sharedUnion + "void *f(void *p) { struct P v = {1, 2}; memcpy(&u, &v.y, 4); return 0; } " + started + "pthread_join(t, 0); assert(u.i == 2); }", "ended"},
		{"copies of structs", sharedUnion + "struct U { int n; union { int i; char c[4]; } v; } a, b; void *f(void *p) { a = b; return 0; } int main(void) { b.n = b.v.i = -1; pthread_create(&t, 0, f, 0); int n = a.n; assert(n == 0 || n == -1); int m = a.v.i; assert(n == 0 || m == -1 || m == 0); }", "ended"},
		{"second member later", sharedUnion + "struct U { int n; union { int i; char c[4]; } v; } a, b; void *f(void *p) { a = b; return 0; } int main(void) { b.n = b.v.i = -1; pthread_create(&t, 0, f, 0); int n = a.n, m = a.v.i; assert(n == m); }", "assert at line 7; ended"},
		{"result by its address", sharedUnion + "void *f(void *p) { struct P *v = malloc(sizeof *v); v->x = 2; pthread_exit(&v); } " + started + "struct P *r; pthread_join(t, (void **)&r); int v = r->x; return 0; }", "ended"},
		{"atomic operations", sharedUnion + "void *f(void *p) { __sync_fetch_and_add(&u.i, 1); return 0; } " + started + "__sync_fetch_and_add(&u.i, 1); pthread_join(t, 0); assert(u.i == 2 && u.c[0] == 2); }", "ended"},
		{"compared and exchanged", sharedUnion + "void *f(void *p) { __sync_bool_compare_and_swap(&u.i, 0, 513); return 0; } " + started + "pthread_join(t, 0); assert(u.c[1] == 2 && !__sync_bool_compare_and_swap(&u.i, 1, 3)); }", "ended"},
		{"thread in cleared memory", sharedUnion + "struct C { pthread_t t; int n; } c; void *f(void *p) { c.n++; return 0; } int main(void) { c.n = 5; memset(&c, 0, sizeof c); pthread_create(&c.t, 0, f, 0); pthread_join(c.t, 0); assert(c.n == 1); }", "ended"},
		{"pointer in bytes", sharedUnion + "union { int *p; long n; } v; int k; void *f(void *p) { v.p = &k; return 0; } " + started + "int *r = v.p; if (r) *r = 3; pthread_join(t, 0); assert(!r || k == 3); }", "ended"},
	})
}

// TestSharedBytesRefused: where more than one event at a time would hide what other
// threads see.
func TestSharedBytesRefused(t *testing.T) {
	const source = sharedUnion + "void *f(void *p) { u.i = 1; return 0; } " + started + "return u.c[0]; }"
	for name, cfg := range map[string]cfront.Config{
		"with the check race":       {Checks: ir.DefaultChecks.With(ir.CheckRace)},
		"under a weak memory model": {Checks: ir.DefaultChecks, Memory: ir.TSO},
	} {
		_, err := cfront.Load([]*ir.File{{Name: "m.c", Content: []byte(memoryHeader + source)}}, cfg)
		if err == nil || !strings.Contains(err.Error(), "m.c:7:20: unsupported: access to the bytes of a shared object in a program with threads, "+name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestSharedUnionsAsScalars: programs end in the same ways whether what their threads
// share are integers or unions with them.
func TestSharedUnionsAsScalars(t *testing.T) {
	const (
		scalars = "#include <pthread.h>\nint g, h;\n#define X g\n#define Y h\npthread_t t;\n"
		unions  = "#include <pthread.h>\nunion { int i; char c[4]; } g, h;\n#define X g.i\n#define Y h.i\npthread_t t;\n"
		begin   = "int main(void) { pthread_create(&t, 0, f, 0); "
	)
	for _, source := range []string{
		"int r; void *f(void *p) { X = 1; r = Y; return 0; } " + begin + "Y = 1; int s = X; pthread_join(t, 0); assert(r || s); }",
		"void *f(void *p) { X = 1; Y = 1; return 0; } " + begin + "if (Y && !X) assert(0); }",
		"void *f(void *p) { X = 1; Y = 1; return 0; } " + begin + "if (X && !Y) assert(0); }",
		"int get(void) { return X; } void *f(void *p) { X = 1; return 0; } " + begin + "assert(get() + get() != 1); }",
		"void *f(void *p) { X = 2; Y = 3; return 0; } " + begin + "assert(X + Y * X != 6); }",
		"void *f(void *p) { X = -5; return 0; } " + begin + "Y = X ? X + 1 : 3; assert(Y == 3 || Y == -4); }",
		"void *f(void *p) { Y = 7; X = 1; return 0; } " + begin + "int n = 0; while (!X && n < 2) n++; assert(!X || Y == 7); }",
		"void *f(void *p) { X += 2; return 0; } " + begin + "X++; X++; pthread_join(t, 0); assert(X != 2); }",
	} {
		want, got := outcomeOf(t, scalars+source, 0), outcomeOf(t, unions+source, 0)
		if got != want {
			t.Errorf("%s\nunions end %s, scalars %s", source, got, want)
		}
	}
}

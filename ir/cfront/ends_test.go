package cfront_test

// What runs when the program or a thread ends, and what is not known about it.

import "testing"

func TestAtExit(t *testing.T) {
	const exits = "#include <stdlib.h>\nint x; void two(void) { x = x * 2; } void one(void) { x = x + 1; } void check(void) { assert(x == 3); }\n"
	checkOutcomes(t, []memoryCase{
		{"in reverse", exits + "int main(void) { atexit(check); atexit(one); atexit(two); x = 1; return 0; }", "ended"},
		{"in order", exits + "int main(void) { atexit(check); atexit(two); atexit(one); x = 1; return 0; }", "assert at line 4"},
		{"nested exit", exits + "void f(void) { exit(1); } int main(void) { atexit(check); x = 3; f(); x = 4; return 0; }", "ended"},
		{"exit from a loop", exits + "void f(int i) { if (i == 1) exit(1); } int main(void) { atexit(check); atexit(one); for (int i = 0; i < 3; i++) { x++; f(i); } }", "ended"},
		{"not at abort", exits + "int main(void) { atexit(check); abort(); }", "blocked"},
		{"not at _Exit", exits + "void f(void) { _Exit(1); } int main(void) { atexit(check); f(); return 0; }", "blocked"},
		{"perhaps", exits + "int main(void) { if (nondet_int()) atexit(check); return 0; }", "assert at line 4; ended"},
		{"without return", exits + "int main(void) { atexit(check); }", "assert at line 4"},
		{"twice the same", exits + "int main(void) { atexit(check); atexit(one); atexit(one); x = 1; }", "ended"},
		{"exit in it", exits + "void f(void) { exit(1); } int main(void) { atexit(f); return 0; }", "m.c:5:6: unsupported: exit in a function that runs at exit (return)"},
		{"entry called", exits + "int main(void) { atexit(check); if (nondet_int()) main(); return 0; }", "m.c:5:5: unsupported: call of the entry, with functions to run at exit (call another function)"},
		{"last thread", exits + "#include <pthread.h>\nvoid *f(void *p) { x = 3; return 0; } int main(void) { pthread_t t; atexit(check); pthread_create(&t, 0, f, 0); pthread_exit(0); }", "ended"},
		{"exit in a thread", exits + "#include <pthread.h>\nvoid *f(void *p) { exit(0); } int main(void) { pthread_t t; atexit(check); pthread_create(&t, 0, f, 0); pthread_exit(0); }", "m.c:6:20: unsupported: exit here, in a program with threads and functions to run at exit (return from the entry)"},
	})
}

func TestThreadSpecificData(t *testing.T) {
	const keys = "#include <pthread.h>\npthread_key_t k; int n; void destroy(void *p) { n++; }\n"
	checkOutcomes(t, []memoryCase{
		{"returned", keys + "void *f(void *p) { pthread_setspecific(k, &n); return 0; } int main(void) { pthread_t t; pthread_key_create(&k, destroy); pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 1); }", "ended"},
		{"no value", keys + "void *f(void *p) { return 0; } int main(void) { pthread_t t; pthread_key_create(&k, destroy); pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 0); }", "ended"},
		{"no destructor", keys + "void *f(void *p) { pthread_setspecific(k, &n); } int main(void) { pthread_t t; pthread_key_create(&k, 0); pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 0); }", "ended"},
		{"deleted", keys + "int main(void) { pthread_key_create(&k, 0); assert(!pthread_setspecific(k, &n) && pthread_getspecific(k) == &n); pthread_key_delete(k); assert(pthread_setspecific(k, &n) == 22); }", "ended"},
		{"main returns", keys + "void end(void) { assert(n == 0); }\nint atexit(void (*)(void)); int main(void) { atexit(end); pthread_key_create(&k, destroy); pthread_setspecific(k, &n); }", "ended"},
		{"main as a thread", keys + "void end(void) { assert(n == 1); }\nint atexit(void (*)(void)); int main(void) { atexit(end); pthread_key_create(&k, destroy); pthread_setspecific(k, &n); pthread_exit(0); }", "ended"},
		{"called", keys + "void *f(void *p) { return 0; } int main(void) { pthread_t t; pthread_key_create(&k, destroy); pthread_create(&t, 0, f, 0); f(0); }", "m.c:5:6: unsupported: call of the function of a thread, with thread-specific data (call another function)"},
	})
}

func TestOnce(t *testing.T) {
	const once = "#include <pthread.h>\npthread_once_t o = PTHREAD_ONCE_INIT; int n; void make(void) { n++; }\n"
	checkOutcomes(t, []memoryCase{
		{"twice", once + "int main(void) { pthread_once(&o, make); pthread_once(&o, make); assert(n == 1); }", "ended"},
		{"waits", once + "void *f(void *p) { pthread_once(&o, make); assert(n == 1); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); }", "ended"},
		{"two of them", once + "pthread_once_t q = PTHREAD_ONCE_INIT; int main(void) { pthread_once(&o, make); pthread_once(&q, make); assert(n == 1); }", "assert at line 5"},
	})
}

func TestCleanup(t *testing.T) {
	const clean = "#include <pthread.h>\nint n; void add(void *p) { n += *(int *)p; }\n"
	checkOutcomes(t, []memoryCase{
		{"popped", clean + "int main(void) { int i = 2; pthread_cleanup_push(add, &i); n = 1; pthread_cleanup_pop(1); assert(n == 3); }", "ended"},
		{"not run", clean + "int main(void) { int i = 2; pthread_cleanup_push(add, &i); n = 1; pthread_cleanup_pop(0); assert(n == 1); }", "ended"},
		{"ended before", clean + "void *f(void *p) { pthread_cleanup_push(add, &n); pthread_exit(0); pthread_cleanup_pop(1); } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); }",
			"m.c:5:51: unsupported: end of a function between pthread_cleanup_push and pthread_cleanup_pop (jump to the latter)"},
		{"ended after", clean + "void *f(void *p) { pthread_cleanup_push(add, &n); pthread_cleanup_pop(1); pthread_exit(0); } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); }", "ended"},
		{"returned before", clean + "int main(void) { pthread_cleanup_push(add, &n); return 0; pthread_cleanup_pop(1); }",
			"m.c:5:49: unsupported: end of a function between pthread_cleanup_push and pthread_cleanup_pop (jump to the latter)"},
	})
}

func TestMappings(t *testing.T) {
	const header = "#include <sys/mman.h>\n"
	checkOutcomes(t, []memoryCase{
		{"used", header + "int main(void) { int *p = mmap(0, 8, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); assert(p != MAP_FAILED && p[1] == 0); p[1] = 4; munmap(p, 8); return 0; }", "ended"},
		{"beyond its end", header + "int main(void) { int *p = mmap(0, 8, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); return p[2]; }", "bounds at line 4"},
		{"after munmap", header + "int main(void) { int *p = mmap(0, 8, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); munmap(p, 8); return p[1]; }", "bounds at line 4"},
		{"a part", header + "int main(void) { char *p = mmap(0, 8, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); munmap(p, 4); return p[5]; }", "cut"},
		{"of a file", header + "int main(void) { char *p = mmap(0, 2, 1, MAP_PRIVATE, 3, 0); assert(p[0] == 0); return 0; }", "assert at line 4; ended"},
		{"flags", header + "int main(void) { char *p = mmap(0, 2, 1, nondet_int(), 3, 0); return 0; }", "m.c:4:28: unsupported: standard function mmap (give it constant flags without MAP_FIXED)"},
	})
}

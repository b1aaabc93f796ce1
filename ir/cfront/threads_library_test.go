package cfront_test

// What threads share of the library, and what each has of its own.

import "testing"

func TestErrnoOfThreads(t *testing.T) {
	const header = "#include <pthread.h>\n#include <errno.h>\n#include <stdlib.h>\n#include <semaphore.h>\nint n; sem_t s; pthread_t t; "
	checkOutcomes(t, []memoryCase{
		{"each has its own", header + "void *f(void *p) { errno = 5; return 0; } int main(void) { errno = 3; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(errno == 3); }", "ended"},
		{"zero at first", header + "void *f(void *p) { assert(errno == 0); errno = 5; return 0; } int main(void) { errno = 3; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }", "ended"},
		{"set by the library", header + "void *f(void *p) { n = sem_trywait(&s) ? errno : 0; return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == EAGAIN && errno == 0); }", "ended"},
		{"semaphore", header + "int main(void) { sem_init(&s, 0, 1); assert(sem_trywait(&s) == 0 && errno == 0); assert(sem_trywait(&s) == -1 && errno == EAGAIN); }", "ended"},
		{"its address", header + "void *f(void *p) { *(int *)p = 7; return 0; } int main(void) { pthread_create(&t, 0, f, &errno); pthread_join(t, 0); assert(errno == 7); }", "ended"},
	})
}

// TestOutsideWithThreads: argv, further arguments and arrays of computed length in the
// one thread that uses them.
func TestOutsideWithThreads(t *testing.T) {
	const header = "#include <pthread.h>\n#include <stdio.h>\n#include <stdarg.h>\npthread_t t; int n; "
	const sum = "int sum(int k, ...) { va_list l; va_start(l, k); int r = 0; while (k--) r += va_arg(l, int); va_end(l); return r; } "
	checkOutcomes(t, []memoryCase{
		{"argv", header + "void *f(void *p) { char *s = p; n = s[0] == 1; return 0; } int main(int argc, char **argv) { if (argc < 1) return 0; pthread_create(&t, 0, f, argv[0]); pthread_join(t, 0); assert(n == (argv[0][0] == 1)); return 0; }", "ended"},
		{"further arguments", header + sum + "void *f(void *p) { n = 1; return 0; } int main(void) { pthread_create(&t, 0, f, 0); assert(sum(2, 3, 4) == 7); }", "ended"},
		{"in two threads", header + sum + "void *f(void *p) { sum(1, 1); return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); }",
			"m.c:6:156: unsupported: variable number of arguments in a function that several threads may run (pass an array)"},
		{"array of computed length", header + "void *f(void *p) { *(int *)p = 3; return 0; } int main(void) { n = 2; int a[n]; a[0] = a[1] = 0; pthread_create(&t, 0, f, &a[1]); pthread_join(t, 0); assert(a[1] == 3 && a[0] == 0); return 0; }", "ended"},
		{"of several threads", header + "void *g(void *p) { *(int *)p = 3; return 0; } void *f(void *p) { n = 2; int a[n]; pthread_create(&t, 0, g, a); return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); return 0; }",
			"m.c:6:97: unsupported: pointer to an array of computed length in a function that several threads run (give it a constant length)"},
	})
}

func TestC11Threads(t *testing.T) {
	const header = "#include <threads.h>\nint n, r; mtx_t m; cnd_t c; thrd_t t; "
	checkOutcomes(t, []memoryCase{
		{"lost update", header + "int f(void *p) { n++; return 0; } int main(void) { thrd_create(&t, f, 0); n++; thrd_join(t, 0); assert(n == 2); }", "assert at line 4; ended"},
		{"locked", header + "int f(void *p) { mtx_lock(&m); n++; mtx_unlock(&m); return 0; } int main(void) { mtx_init(&m, mtx_plain); thrd_create(&t, f, 0); mtx_lock(&m); n++; mtx_unlock(&m); thrd_join(t, &r); assert(n == 2 && r == 0); }", "ended"},
		{"held", header + "int main(void) { mtx_init(&m, mtx_plain); mtx_lock(&m); assert(mtx_trylock(&m) == thrd_busy); }", "ended"},
		{"condition", header + "int f(void *p) { mtx_lock(&m); n = 1; cnd_signal(&c); mtx_unlock(&m); return 0; } int main(void) { thrd_create(&t, f, 0); mtx_lock(&m); if (!n) cnd_wait(&c, &m); mtx_unlock(&m); thrd_join(t, 0); assert(n == 1); }", "ended"},
		{"recursive", header + "int main(void) { mtx_init(&m, mtx_plain | mtx_recursive); }", "m.c:4:69: unsupported: mutex of C11 that may be recursive (use pthread_mutex_t, or mtx_plain)"},
		{"with a timeout", header + "int main(void) { struct timespec s; return mtx_timedlock(&m, &s); }", "m.c:4:82: unsupported: standard function mtx_timedlock (define it)"},
	})
}

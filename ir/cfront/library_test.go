package cfront_test

// Calls of the library whose results are choices, or that run the program's
// functions. What is violated inside the library has no line of its own.

import "testing"

func TestStreams(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"closed", "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"a\", \"r\"); if (f) fclose(f); return 0; }", "ended"},
		{"not tested", "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"a\", \"r\"); fclose(f); return 0; }", "ended; nil at line 0"},
		{"standard ones", "#include <stdio.h>\nint main(void) { FILE *f = stdin; assert(f && f != stdout && stderr != f && f == stdin); return 0; }", "ended"},
		{"two", "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"a\", \"r\"), *g = fopen(\"b\", \"w\"); assert(!f || f != g); return 0; }", "ended"},
		{"what is read", "#include <stdio.h>\nint main(void) { char b[2] = {5, 5}; unsigned long n = fread(b, 1, 2, stdin); assert(n <= 2); assert(b[0] == 5); return 0; }", "assert at line 4"},
		{"too much", "#include <stdio.h>\nint main(void) { char b[2]; fread(b, 2, 2, stdin); return 0; }", "bounds at line 0"},
		{"too much written", "#include <unistd.h>\nint main(void) { char b[2]; return write(1, b, 3) > 3; }", "bounds at line 0"},
		{"descriptor", "#include <unistd.h>\n#include <fcntl.h>\nint main(void) { char b[2]; int f = open(\"a\", 0); long n = read(f, b, 2); assert(f >= 0 || n == -1); assert(n <= 2 && close(-1) == -1); return 0; }", "ended"},
		{"errno", "#include <unistd.h>\n#include <errno.h>\nint main(void) { errno = 0; if (close(3) && errno) assert(0); return 0; }", "assert at line 5; ended"},
	})
}

func TestEnvironment(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"perhaps none", "#include <stdlib.h>\nint main(void) { char *s = getenv(\"A\"); return s[0] == 2; }", "ended; nil at line 4"},
		{"a string", "#include <stdlib.h>\nint main(void) { char *s = getenv(\"A\"); if (s && s[0] && s[1]) assert(s[0] == s[1]); return 0; }", "ended"},
		{"not to be freed", "#include <stdlib.h>\nint main(void) { free(getenv(\"A\")); return 0; }", "ended; nil at line 4"},
	})
}

func TestCallbacks(t *testing.T) {
	const compare = "#include <stdlib.h>\nint compare(const void *x, const void *y) { return *(const int *)x - *(const int *)y; } "
	checkOutcomes(t, []memoryCase{
		{"equal elements", "#include <stdlib.h>\nint tens(const void *x, const void *y) { return *(const int *)x / 10 - *(const int *)y / 10; } int main(void) { int a[2] = {11, 12}; qsort(a, 2, 4, tens); assert(a[0] == 11); return 0; }", "assert at line 4; ended"},
		{"beyond the end", compare + "int main(void) { int a[2] = {1, 2}; qsort(a, 3, 4, compare); return 0; }", "bounds at line 4"},
		{"size", compare + "int main(void) { int a[2] = {1, 2}; unsigned n = nondet_int(); qsort(a, 2, n, compare); return 0; }", "m.c:4:164: unsupported: size of an element that is not constant (use sizeof)"},
		{"exit", "#include <stdlib.h>\nint leave(const void *x, const void *y) { exit(0); } void f(void) { int a[2] = {1, 2}; qsort(a, 2, 4, leave); } int main(void) { f(); assert(0); return 0; }", "ended"},
		{"recursive", "#include <stdlib.h>\nint depth; int again(const void *x, const void *y) { int v = *(const int *)x, b[2] = {v, v + 1}; if (depth++ < 1) qsort(b, 2, 4, again); return v - *(const int *)y; } int main(void) { int a[2] = {2, 1}; qsort(a, 2, 4, again); return 0; }", "ended"},
	})
}

func TestAligned(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"allocated", "#include <stdlib.h>\nint main(void) { void *p = 0; assert(posix_memalign(&p, 16, 4) == 0); *(int *)p = 3; assert(*(int *)p == 3); free(p); free(p); return 0; }", "nil at line 4"},
		{"no power of two", "#include <stdlib.h>\nint main(void) { void *p = 0; assert(posix_memalign(&p, 12, 4) == 22 && !p); return 0; }", "ended"},
		{"unused", "#include <stdlib.h>\nint main(void) { (void)malloc(4); calloc(1, 2); alloca(4); return 0; }", "ended"},
	})
}

func TestFormats(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"free number", "#include <stdio.h>\nint main(void) { char b[4]; int n = sprintf(b, \"%d\", nondet_int()); assert(n == 1 && b[0] == '0'); return 0; }", "assert at line 4; ended"},
		{"too long", "#include <stdio.h>\nint main(void) { char b[2]; sprintf(b, \"%d\", 42); return 0; }", "bounds at line 0"},
		{"cut", "#include <stdio.h>\nint main(void) { char b[2], f[3] = \"%f\"; sprintf(b, f, 1.0); return 0; }", "cut"},
		{"not known", "#include <stdio.h>\nint main(void) { char b[9]; sprintf(b, \"%d %5.1f\", 1, 1.0); return 0; }", "m.c:4:40: unsupported: conversion %5.1f in a format (write integers, characters and strings)"},
		{"not freed", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char *s; asprintf(&s, \"%d\", 1); free(s); free(s); return 0; }", "nil at line 5"},
	})
}

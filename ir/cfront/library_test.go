package cfront_test

// Calls of the library whose results are choices, or that run the program's
// functions. What is violated inside the library has no line of its own.

import (
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

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
		{"pipe", "#include <unistd.h>\nint main(void) { int p[2] = {7, 7}; if (pipe(p)) assert(p[0] == 7); else assert(p[0] != p[1] && p[1] >= 0); return 0; }", "ended"},
		{"buffer", "#include <stdio.h>\nint main(void) { setbuf(stdout, 0); return setvbuf(0, 0, 2, 0) > 0; }", "nil at line 0"},
		{"name of the host", "#include <unistd.h>\nint main(void) { char b[2]; return gethostname(b, 3) > 0; }", "bounds at line 0"},
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
		{"size", compare + "int main(void) { int a[2] = {1, 2}, key = 2; unsigned n = nondet_int() ? 4 : sizeof *a; assert(bsearch(&key, a, 2, n, compare) == a + 1); return 0; }", "ended"},
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

// TestScanned: what is read from text is read where it lies, and written where
// there is room; what no exact operation gives is free.
func TestScanned(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"no room", "#include <stdio.h>\nint main(void) { char b[2]; sscanf(\"ab\", \"%s\", b); return 0; }", "bounds at line 0"},
		{"room", "#include <stdio.h>\nint main(void) { char b[2]; assert(sscanf(\"ab\", \"%1s\", b) == 1 && b[0] == 'a'); return 0; }", "ended"},
		{"no end", "#include <stdio.h>\nint main(void) { char b[2] = {'1', '2'}; int i; sscanf(b, \"%d\", &i); return 0; }", "bounds at line 0"},
		{"null", "#include <stdio.h>\nint main(void) { char *b = 0; int i; sscanf(b, \"%d\", &i); return 0; }", "nil at line 0"},
		{"not exact", "#include <stdlib.h>\nint main(void) { double x = strtod(\"1e23\", 0); assert(x >= 0); assert(x > 1); return 0; }", "assert at line 4"},
		{"out of range", "#include <stdlib.h>\n#include <errno.h>\nint main(void) { errno = 0; double x = strtod(\"1e999\", 0); assert(errno == 0); return 0; }", "assert at line 5; ended"},
		{"infinity", "#include <stdlib.h>\nint main(void) { double x = atof(\"inf\"); assert(0); return 0; }", "cut"},
		{"not known", "#include <stdio.h>\nint main(void) { void *p; return sscanf(\"1\", \"%p\", &p); }", "m.c:4:46: unsupported: conversion %p in a format (read numbers, characters and words)"},
	})
}

func TestDates(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"now", "#include <time.h>\nint main(void) { time_t t = 5; struct tm *d = gmtime(&t); assert(d->tm_mon >= 0 && d->tm_mon < 12 && d->tm_isdst == 0 && d->tm_mday > 0); return 0; }", "ended"},
		{"late", "#include <time.h>\nint main(void) { time_t t = -1ul >> 1; return gmtime(&t)->tm_mon > 11; }", "ended; nil at line 4"},
		{"of a date", "#include <time.h>\nint main(void) { struct tm d = {0}; d.tm_hour = 99; if (mktime(&d) != -1) assert(d.tm_hour < 24); return 0; }", "ended"},
		{"clocks", "#include <time.h>\n#include <sys/time.h>\nint main(void) { struct timespec s; struct timeval v; clock_gettime(CLOCK_MONOTONIC, &s); gettimeofday(&v, 0); assert(s.tv_nsec < 1000000000 && v.tv_usec >= 0 && s.tv_sec >= 0); return 0; }", "ended"},
		{"of none", "#include <time.h>\nint main(void) { return mktime(0) == 0; }", "bounds at line 0"},
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

func TestNoModel(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"jump", "#include <setjmp.h>\njmp_buf e; int main(void) { return setjmp(e); }", "m.c:4:36: unsupported: standard function setjmp (return a value that says so: there are no jumps out of functions)"},
		{"not reached", "#include <setjmp.h>\njmp_buf e; void f(void) { longjmp(e, 1); } int main(void) { return 0; }", "ended"},
		{"process", "#include <unistd.h>\nint main(void) { return fork(); }", "m.c:4:25: unsupported: standard function fork (call what the other process runs: there is one process)"},
		{"rounding mode", "#include <fenv.h>\nint main(void) { return fesetround(FE_UPWARD); }", "m.c:4:25: unsupported: standard function fesetround (leave it out: numbers are rounded to the nearest, and no flags are set)"},
	})
}

// TestOrderOfVariables lowers a program again and again: its variables, and those of
// the library among them, have one order.
func TestOrderOfVariables(t *testing.T) {
	const source = `
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static int a, b, c;
char *s;
static void bye(void) { a++; }
int main(void) {
	char text[8] = "x,y";
	atexit(bye);
	s = strtok(text, ",");
	b = rand(), c = time(0) > 0;
	free(malloc(b & 3));
	assert(b != 3 || a == 1);
	return 0;
}
`
	var first string
	for range 20 {
		p, err := cfront.Load([]*ir.File{{Name: "o.c", Content: []byte(source)}}, cfront.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = p.String()
		}
		if s := p.String(); s != first {
			t.Fatalf("two orders:\n%s\n%s", first, s)
		}
	}
}

// TestClangBuiltins says what clang's builtins about bits give: gcc has none of them.
func TestClangBuiltins(t *testing.T) {
	const source = `
#include <assert.h>
#include <stdint.h>
int main(void) {
	uint64_t x = 0x123456789abcdef1;
	for (int i = 0; i < 70; i += 3) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		uint8_t a = x >> 7; uint16_t b = x >> 9; uint32_t c = x >> 11; unsigned k = i;
		assert(__builtin_rotateleft8(a, 3) == (uint8_t)(a << 3 | a >> 5));
		assert(__builtin_rotateright8(__builtin_rotateleft8(a, k), k) == a && __builtin_rotateleft8(a, 8) == a);
		assert(__builtin_rotateright16(__builtin_rotateleft16(b, k), k) == b && __builtin_rotateleft16(b, 4) == (uint16_t)(b << 4 | b >> 12));
		assert(__builtin_rotateright32(__builtin_rotateleft32(c, k), k) == c && __builtin_rotateleft32(c, 5) == (c << 5 | c >> 27));
		assert(__builtin_rotateright64(__builtin_rotateleft64(x, k), k) == x && __builtin_rotateright64(x, 9) == (x >> 9 | x << 55));
		uint64_t r = 0;
		for (int j = 0; j < 64; j++) if (x >> j & 1) r |= 1ull << (63 - j);
		assert(__builtin_bitreverse64(x) == r && __builtin_bitreverse32(x >> 32) == (uint32_t)r);
		assert(__builtin_bitreverse16(x >> 48) == (uint16_t)r && __builtin_bitreverse8(x >> 56) == (uint8_t)r);
	}
	return 0;
}
`
	for _, target := range cfront.Targets() {
		runFor(t, target, source)
	}
}

// TestGlibcHeaders uses what glibc's headers declare besides what they have to.
func TestGlibcHeaders(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"types", "#include <stdlib.h>\ntypedef unsigned uint32_t; int64_t a = 1; u_char c = 2; uint32_t b; int main(void) { assert(a + b + c == 3); return 0; }", "ended"},
		{"both", "#include <stdint.h>\n#include <stdlib.h>\nint64_t a = -1; int main(void) { assert(a < 0 && sizeof a == 8); return 0; }", "ended"},
		{"select", "#include <stdlib.h>\nint main(void) { fd_set s; FD_ZERO(&s); FD_SET(70, &s); assert(FD_ISSET(70, &s) && !FD_ISSET(6, &s)); return 0; }", "ended"},
		{"modes", "#include <sys/stat.h>\nint main(void) { assert((S_IRWXU | S_IRWXG | S_IROTH) == 0774 && S_ISLNK(S_IFLNK)); return 0; }", "ended"},
		{"drand48", "#include <stdlib.h>\nint main(void) { srand48(1); double d = drand48(); assert(d >= 0 && d < 1); assert(d == 0); return 0; }", "assert at line 4; ended"},
		{"lrand48", "#include <stdlib.h>\nint main(void) { long l = lrand48(), m = mrand48(); assert(l >= 0 && l <= 0x7fffffff && m == (int)m); return 0; }", "ended"},
	})
}

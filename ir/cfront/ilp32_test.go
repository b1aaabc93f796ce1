package cfront_test

import (
	"os/exec"
	"regexp"
	"testing"
)

// ilp32 compiles for 32 bits, without any library of that size.
var ilp32 = []string{"-m32", "-nostdlib", "-static", "-no-pie", "-fno-pie", "-ffreestanding", "-fno-stack-protector", "-msse2", "-mfpmath=sse", "-std=gnu17"}

// runtime32 is what programs need of a library where gcc has none: output, processes,
// memory, strings, and division of 64 bits.
const runtime32 = `

static int syscall(int n, int a, int b, int c) { int r; __asm__ volatile ("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory"); return r; }
static char out[1 << 20]; static int outs;
int fflush(void *f) { syscall(4, 1, (int)out, outs); outs = 0; return 0; }
void _exit(int code) { syscall(1, code, 0, 0); __builtin_unreachable(); }
int fork(void) { return syscall(2, 0, 0, 0); }
int wait(int *status) { return syscall(7, -1, (int)status, 0); }
int alarm(int s) { return syscall(27, s, 0, 0); }
static char heap[1 << 20]; static unsigned top;
void free(void *p) { }
void *malloc(unsigned long n) { void *p = heap + top; top += (n + 15) & ~15u; return p; }
static void digits(unsigned long long v) { char t[20]; int n = 0; do { unsigned long long q = v / 10; t[n++] = '0' + (int)(v - q * 10); v = q; } while (v); while (n) out[outs++] = t[--n]; }
int printf(const char *f, ...)
{
	__builtin_va_list l; __builtin_va_start(l, f);
	for (; *f; f++) {
		if (*f != '%') { out[outs++] = *f; continue; }
		int longs = 0;
		while (*++f == 'l') longs++;
		if (*f == '%') { out[outs++] = '%'; continue; }
		if (*f == 'u') { digits(longs > 1 ? __builtin_va_arg(l, unsigned long long) : __builtin_va_arg(l, unsigned)); continue; }
		long long v = longs > 1 ? __builtin_va_arg(l, long long) : __builtin_va_arg(l, int);
		if (v < 0) out[outs++] = '-';
		digits(v < 0 ? -(unsigned long long)v : v);
	}
	return 0;
}
unsigned long long __udivmoddi4(unsigned long long a, unsigned long long b, unsigned long long *rest)
{
	unsigned long long q = 0, r = 0;
	for (int i = 63; i >= 0; i--) { r = r << 1 | (a >> i & 1); q <<= 1; if (r >= b) { r -= b; q |= 1; } }
	if (rest) *rest = r;
	return q;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return __udivmoddi4(a, b, 0); }
unsigned long long __umoddi3(unsigned long long a, unsigned long long b) { unsigned long long r; __udivmoddi4(a, b, &r); return r; }
long long __divdi3(long long a, long long b) { unsigned long long q = __udivmoddi4(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, 0); return (a < 0) != (b < 0) ? -q : q; }
long long __moddi3(long long a, long long b) { unsigned long long r; __udivmoddi4(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, &r); return a < 0 ? -r : r; }
unsigned long strlen(const char *s) { unsigned n = 0; while (s[n]) n++; return n; }
int strncmp(const char *s, const char *t, unsigned long n) { for (; n; n--, s++, t++) { if (*s != *t) return *(unsigned char *)s < *(unsigned char *)t ? -1 : 1; if (!*s) return 0; } return 0; }
int strcmp(const char *s, const char *t) { return strncmp(s, t, -1u); }
char *strncpy(char *d, const char *s, unsigned long n) { unsigned i = 0; for (; i < n && s[i]; i++) d[i] = s[i]; for (; i < n; i++) d[i] = 0; return d; }
char *strcpy(char *d, const char *s) { return strncpy(d, s, strlen(s) + 1); }
char *strncat(char *d, const char *s, unsigned long n) { char *e = d + strlen(d); for (; n && *s; n--) *e++ = *s++; *e = 0; return d; }
char *strcat(char *d, const char *s) { strcpy(d + strlen(d), s); return d; }
void *memset(void *d, int c, unsigned long n) { volatile char *p = d; while (n--) *p++ = c; return d; }
void *memcpy(void *d, const void *s, unsigned long n) { volatile char *p = d; const char *q = s; while (n--) *p++ = *q++; return d; }
void *memmove(void *d, const void *s, unsigned long n) { volatile char *p = d; const char *q = s; if (p <= q) while (n--) *p++ = *q++; else while (n--) p[n] = q[n]; return d; }
int memcmp(const void *s, const void *t, unsigned long n) { const unsigned char *p = s, *q = t; for (; n--; p++, q++) if (*p != *q) return *p < *q ? -1 : 1; return 0; }
void *realloc(void *p, unsigned long n) { void *q = malloc(n); return p ? memcpy(q, p, n) : q; }
int abs(int x) { return x < 0 ? -x : x; }
int isdigit(int c) { return c >= '0' && c <= '9'; } int isupper(int c) { return c >= 'A' && c <= 'Z'; } int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); } int isalnum(int c) { return isalpha(c) || isdigit(c); } int isspace(int c) { return c == ' ' || c >= 9 && c <= 13; }
int toupper(int c) { return islower(c) ? c - 32 : c; } int tolower(int c) { return isupper(c) ? c + 32 : c; }
int main(void);
void _start(void) { __asm__ volatile ("andl $-16, %esp"); int r = main(); fflush(0); _exit(r); }
`

var systemIncludes = regexp.MustCompile(`(?m)^#include <.*>\n`)

// freestanding is source with runtime32 in the place of the headers.
func freestanding(source string) string {
	return runtime32 + systemIncludes.ReplaceAllString(source, "")
}

// runs32 reports whether programs of 32 bits can be compiled and run here.
func runs32(t *testing.T) {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	o := &nativeOracle{gcc: gcc, dir: t.TempDir(), small: true}
	if out, err := o.compiled("int main(void) { printf(\"%lld\", -7ll); return 0; }"); err != nil || string(out) != "-7" {
		t.Skipf("no programs of 32 bits here: %v %s", err, out)
	}
}

// TestRandomProgramsOf32Bits is TestRandomPrograms for -m32.
func TestRandomProgramsOf32Bits(t *testing.T) {
	runs32(t)
	programs, checked := 100, 2
	if testing.Short() {
		programs, checked = 25, 1
	}
	compareRandomFor(t, "i386", 3, programs, checked)
}

// TestBytesOf32Bits is TestDifferentialBytes for -m32.
func TestBytesOf32Bits(t *testing.T) {
	runs32(t)
	programs := 40
	if testing.Short() {
		programs = 12
	}
	compareBytes(t, "i386", 1, programs)
}

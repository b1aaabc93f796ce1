package cfront_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

// runFor loads a program for a target and runs it with free values of 0.
func runFor(t *testing.T, target, source string) {
	t.Helper()
	p, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(source)}}, cfront.Config{Target: target})
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: -1, Input: func(ir.Choice) uint64 { return 0 }})
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	if tr.Outcome != interp.Ended {
		t.Errorf("%s: %v at %v: %s", target, tr.Outcome, tr.Failed.Span(), strings.Split(source, "\n")[tr.Failed.Span().Line-1])
	}
}

// TestTargets says of each target how large its types are, and the headers and the
// predefined macros must agree.
func TestTargets(t *testing.T) {
	for target, want := range map[string]struct {
		sizes                [7]int // of int, long, long long, void *, double, long double, wchar_t
		maxAlign             int    // of a member
		unsignedChar, signed bool   // char is, wchar_t is
	}{
		"x86-64":  {[7]int{4, 8, 8, 8, 8, 16, 4}, 16, false, true},
		"aarch64": {[7]int{4, 8, 8, 8, 8, 16, 4}, 16, true, false},
		"i386":    {[7]int{4, 4, 8, 4, 8, 12, 4}, 4, false, true},
		"arm":     {[7]int{4, 4, 8, 4, 8, 8, 4}, 8, true, false},
		"msp430":  {[7]int{2, 4, 8, 2, 8, 8, 4}, 2, true, true},
	} {
		var b strings.Builder
		b.WriteString("#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n#include <inttypes.h>\n#include <string.h>\n#include <assert.h>\n")
		b.WriteString("struct A { char c; long double d; }; struct B { char c; long long d; };\nint main(void) {\n")
		for i, typ := range []string{"int", "long", "long long", "void *", "double", "long double", "wchar_t"} {
			fmt.Fprintf(&b, "assert(sizeof(%s) == %d);\n", typ, want.sizes[i])
		}
		fmt.Fprintf(&b, "assert(offsetof(struct A, d) == %d);\nassert(offsetof(struct B, d) == %d);\n", want.maxAlign, min(8, want.maxAlign))
		fmt.Fprintf(&b, "assert(((char)-1 > 0) == %d);\nassert((CHAR_MIN == 0) == %d);\nassert((L'\\0' - 1 < 0) == %d);\n", number(want.unsignedChar), number(want.unsignedChar), number(want.signed))
		b.WriteString(`
assert(sizeof(size_t) == sizeof(void *) && sizeof(ptrdiff_t) == sizeof(void *) && sizeof(intptr_t) == sizeof(void *) && (size_t)-1 > 0);
assert(sizeof(int8_t) == 1 && sizeof(int16_t) == 2 && sizeof(int32_t) == 4 && sizeof(int64_t) == 8 && sizeof(uint64_t) == 8 && sizeof(intmax_t) == 8);
assert(sizeof(sizeof(int)) == sizeof(size_t));
assert(INT_MAX == (int)(~0u >> 1) && LONG_MAX == (long)(~0ul >> 1) && UINT_MAX == ~0u && ULONG_MAX == ~0ul);
assert(SIZE_MAX == (size_t)-1 && INT32_MAX == 0x7fffffff && INT64_MAX == 0x7fffffffffffffff && UINT32_MAX == 0xffffffff);
assert(sizeof INT64_MAX == 8 && sizeof UINT32_C(1) == 4 && sizeof INT64_C(1) == 8 && sizeof SIZE_MAX == sizeof(size_t));
assert(__INT_MAX__ == INT_MAX && __LONG_MAX__ == LONG_MAX && __SIZE_MAX__ == SIZE_MAX && __SIZEOF_POINTER__ == sizeof(void *));
assert(__INT32_MAX__ == INT32_MAX && __INTPTR_MAX__ == INTPTR_MAX && __SIZEOF_INT__ == sizeof(int) && __INT64_MAX__ == INT64_MAX);
assert(sizeof(__INT_FAST16_TYPE__) == sizeof(int_fast16_t) && INT_FAST32_MAX == __INT_FAST32_MAX__);
assert(strlen("%" PRId64) > 2 && strlen("%" PRIdPTR) >= 2);
return 0; }
`)
		runFor(t, target, b.String())
	}
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// TestHeadersOfTargets includes all headers for each target.
func TestHeadersOfTargets(t *testing.T) {
	var all strings.Builder
	_ = fs.WalkDir(os.DirFS("include"), ".", func(name string, f fs.DirEntry, err error) error {
		if err == nil && !f.IsDir() {
			all.WriteString("#include <" + name + ">\n")
		}
		return err
	})
	for _, target := range cfront.Targets() {
		runFor(t, target, all.String()+"int main(void) { return 0; }\n")
	}
}

// TestLibraryOfTargets runs functions whose types have other widths elsewhere.
func TestLibraryOfTargets(t *testing.T) {
	const source = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <limits.h>
#include <inttypes.h>
#include <assert.h>
static int order(const void *x, const void *y) { return *(const long *)x < *(const long *)y ? -1 : *(const long *)x > *(const long *)y; }
int main(void) {
	char text[80];
	snprintf(text, sizeof text, "%ld %lld %zu %d %lx", LONG_MIN, LLONG_MAX, (size_t)7, -3, 0xbeeful);
	char *rest;
	errno = 0;
	assert(strtol(text, &rest, 10) == LONG_MIN && errno == 0);
	assert(strtoll(rest, &rest, 10) == LLONG_MAX && errno == 0);
	assert(strtoul(rest, &rest, 0) == 7);
	assert(strcmp(rest, " -3 beef") == 0);
	assert(strtol("99999999999999999999", &rest, 10) == LONG_MAX && errno == ERANGE);
	assert(strtoull("18446744073709551615", 0, 10) == ULLONG_MAX);
	snprintf(text, sizeof text, "%" PRId64 ",%" PRIu32 ",%hd,%hhu,%c", INT64_MIN, UINT32_MAX, (short)-9, (unsigned char)250, 'x');
	assert(strcmp(text, "-9223372036854775808,4294967295,-9,250,x") == 0);
	long a[3] = {3, LONG_MIN, -1}, l = 0;
	qsort(a, 3, sizeof a[0], order);
	assert(a[0] == LONG_MIN && a[2] == 3);
	long long ll = 0; short s = 0; int i = 0; unsigned u = 0;
	assert(sscanf("12 -34 5 6 7", "%ld %lld %hd %d %u", &l, &ll, &s, &i, &u) == 5);
	assert(l == 12 && ll == -34 && s == 5 && i == 6 && u == 7);
	assert(llabs(-5000000000) == 5000000000 && labs(-5) == 5 && abs(-5) == 5 && atoll("-5000000000") == -5000000000 && atol("77") == 77);
	lldiv_t q = lldiv(10000000007, 10000000000);
	assert(q.quot == 1 && q.rem == 7 && ldiv(17, 5).rem == 2 && div(17, 5).quot == 3);
	assert(__builtin_clz(1) == 8 * sizeof(int) - 1 && __builtin_clzl(1) == 8 * sizeof(long) - 1 && __builtin_clzll(1) == 63);
	assert(__builtin_popcount(-1) == 8 * sizeof(int) && __builtin_popcountl(-1) == 8 * sizeof(long) && __builtin_ctzl(8) == 3 && ffsl(-2) == 2);
	size_t n = strlen("abc");
	assert(sizeof(strlen("abc")) == sizeof(size_t) && n - 4 > 5);
	union { char *p; size_t n; unsigned char b[sizeof(char *)]; } x, y;
	x.p = text;
	for (int k = 0; k < sizeof x.b; k++) y.b[k] = x.b[k];
	assert(y.p == text && (char *)(x.n + 1) == text + 1 && &text[5] - text == 5);
	size_t before = 4;
	char chars[8] = "abcdefg", *at = chars + 4, *all = (char *)a;
	assert(at[(size_t)1 - before] == 'b' && at[1 - before + 0u] == 'b');
	assert(&(&all[before])[(size_t)2 - before] == all + 2 && *(a + 2 - (size_t)1) == a[1]);
	long *m = malloc(3 * sizeof *m);
	memcpy(m, a, sizeof a);
	assert(memcmp(m, a, sizeof a) == 0 && m[1] == -1);
	free(m);
	return 0;
}
`
	for _, target := range cfront.Targets() {
		runFor(t, target, source)
	}
}

// TestPromotionsOf16Bits are those of an int of 16 bits.
func TestPromotionsOf16Bits(t *testing.T) {
	runFor(t, "msp430", `
#include <stdint.h>
#include <assert.h>
static int f(int x) { return x; }
int main(void) {
	unsigned char c = 255;
	uint16_t u = 65535;
	int i = 300, j = 1;
	assert((uint16_t)(u + 1) == 0 && u + 1 == 0);
	assert(sizeof(c + c) == 2 && sizeof(1L) == 4 && sizeof 40000 == 4 && 40000 > 0 && sizeof('a') == 2);
	assert((long)i * i == 90000);
	assert(u > -1L && !(u > -1) && -1 > 1u);
	assert((1u << 15) == 32768u && (uint16_t)~c == 0xff00 && ~c == -256);
	assert(c * c == (int)65025u && (c << 8) == (int)0xff00u);
	i = 32767;
	i += j > 0;
	assert(i == -32768);
	assert(f(70000) == 4464 && (i < 0) + 32767 < 0);
	uint32_t w = u;
	w <<= 8;
	assert(w == 0xffff00 && (w >> 8) == u);
	return 0;
}
`)
}

// TestUnknownTarget is an error, not a guess.
func TestUnknownTarget(t *testing.T) {
	_, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte("int main(void) { return 0; }")}}, cfront.Config{Target: "vax"})
	if err == nil || !strings.Contains(err.Error(), "want one of") {
		t.Error(err)
	}
}

// TestPointersOfTargets reads pointers from places some of which are bytes.
func TestPointersOfTargets(t *testing.T) {
	const source = `
#include <stdint.h>
#include <string.h>
#include <assert.h>
struct arena { uint8_t *base; size_t used, cap; };
static void *take(struct arena *a, size_t n) {
	size_t at = (a->used + 7) & ~(size_t)7;
	if (at + n > a->cap)
		return 0;
	a->used = at + n;
	return &a->base[at];
}
struct kv { const char *k; int v; struct kv *next; };
struct map { struct kv *first; struct arena *a; };
static int set(struct map *m, const char *k, int v) {
	struct kv **p = &m->first;
	for (; *p; p = &(*p)->next)
		if (strcmp((*p)->k, k) == 0) {
			(*p)->v = v;
			return 1;
		}
	struct kv *n = take(m->a, sizeof *n);
	if (!n)
		return 0;
	n->k = k;
	n->v = v;
	n->next = 0;
	*p = n;
	return 1;
}
static uint8_t pool[64];
int main(void) {
	struct arena a = { pool, 0, sizeof pool };
	struct map m = { 0, &a };
	assert(set(&m, "one", 1) && set(&m, "two", 2) && set(&m, "one", 3));
	assert(m.first->v == 3 && m.first->next->v == 2 && m.first->next->next == 0);
	assert(a.used == ((sizeof(struct kv) + 7) / 8 * 8) + sizeof(struct kv));
	return 0;
}
`
	for _, target := range cfront.Targets() {
		runFor(t, target, source)
	}
}

// TestIntegersAsPointers leaves out casts, of which compilers only warn.
func TestIntegersAsPointers(t *testing.T) {
	const source = `
#include <assert.h>
#include <stdint.h>
char buf[4];
static int null(char *p) { return p == 0; }
int main(void) {
	for (int x = 0; x < 2; x++) {
		char *p = x;
		assert(null(p) == (x == 0) && null(x) == (x == 0) && p == x);
	}
	uintptr_t a = (uintptr_t)buf;
	char *q = a;
	*q = 3;
	assert(buf[0] == 3 && q > 1 && q == a);
	return 0;
}
`
	for _, target := range cfront.Targets() {
		runFor(t, target, source)
	}
}

// TestPointersAsIntegers leaves out casts the other way around.
func TestPointersAsIntegers(t *testing.T) {
	const source = `
#include <assert.h>
#include <stdint.h>
char buf[4];
static uintptr_t number(uintptr_t n) { return n; }
static uintptr_t address(char *p) { return p; }
struct { uintptr_t at; _Bool some; } s;
int main(void) {
	char *p = buf + 1, *null = 0;
	uintptr_t n = p, m;
	m = p;
	assert(n == (uintptr_t)p && m == n && number(p) == n && address(p) == n);
	_Bool b = p, c = null;
	assert(b && !c);
	b = null;
	s.some = p;
	s.at = p;
	assert(!b && s.some && s.at == n && (char *)s.at == buf + 1);
	short few = null;
	assert(few == 0);
	return 0;
}
`
	for _, target := range cfront.Targets() {
		runFor(t, target, source)
	}
}

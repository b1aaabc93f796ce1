package cfront_test

// CBMC's predicates and statements about memory, each answer by its definition
// on objects that are known.

import "testing"

func TestAccessible(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"array", "int main(void) { char c[3]; assert(__CPROVER_r_ok(c, 3) && __CPROVER_w_ok(c + 1, 2) && !__CPROVER_rw_ok(c + 1, 3) && __CPROVER_r_ok(c + 3, 0)); return 0; }", "ended"},
		{"array of ints", "int main(void) { int a[3], *p = a + 1; assert(__CPROVER_r_ok(p, 8) && !__CPROVER_r_ok(p, 9) && __CPROVER_r_ok(p)); p += 2; assert(!__CPROVER_r_ok(p)); return 0; }", "ended"},
		{"member", "struct S { char a; int b[2]; } s; int main(void) { int *p = s.b; assert(__CPROVER_r_ok(p, 8) && !__CPROVER_r_ok(p, 9) && __CPROVER_r_ok(&s, 12) && !__CPROVER_r_ok(&s, 13)); return 0; }", "ended"},
		{"null", "int main(void) { int *p = 0; assert(!__CPROVER_r_ok(p, 0)); return __CPROVER_w_ok(0, 1); }", "ended"},
		{"not null and nothing", "int main(void) { int *p; return __CPROVER_r_ok(p, 1); }", "ended; nil at line 3"},
		{"constant", "const int k = 1; int main(void) { char *s = \"ab\"; assert(__CPROVER_r_ok(s, 3) && !__CPROVER_w_ok(s, 1) && !__CPROVER_w_ok(&k, 1)); return 0; }", "ended"},
		{"allocated", "void *malloc(unsigned long); int main(void) { int n = nondet_int() + 1; char *p = malloc(n); assert(__CPROVER_w_ok(p, n) && !__CPROVER_w_ok(p, n + 1)); return 0; }", "ended"},
		{"freed", "void *malloc(unsigned long); void free(void *); int main(void) { char *p = malloc(2); free(p); return __CPROVER_r_ok(p, 1); }", "nil at line 3"},
		{"beyond the end", "int main(void) { char c[2], *p = c; p += 3; return __CPROVER_r_ok(p, 0); }", "nil at line 3"},
		{"one of two", "int x; long y; int main(void) { void *p = nondet_int() ? (void *)&x : &y; assert(__CPROVER_r_ok(p, 8)); return 0; }", "assert at line 3; ended"},
		{"effects of the size", "int main(void) { char c[3]; int n = 1; assert(__CPROVER_r_ok(c, n++) && n == 2); return 0; }", "ended"},
	})
}

func TestObjectOfPointer(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"size", "int a[3]; struct S { char c; int v; } s; int main(void) { int *p = nondet_int() ? a + 1 : &s.v; assert(__CPROVER_OBJECT_SIZE(p) == (p == &s.v ? 8 : 12) && __CPROVER_OBJECT_SIZE(0) == 0); return 0; }", "ended"},
		{"offset", "int a[3]; struct S { char c; int v; } s; int main(void) { int *p = a + 2, *q = &s.v; assert(__CPROVER_POINTER_OFFSET(p) == 8 && __CPROVER_POINTER_OFFSET(q) == 4 && __CPROVER_POINTER_OFFSET(0) == 0); return 0; }", "ended"},
		{"same object", "int a[3]; int b; int main(void) { int *p = a, *q = a + 3, *r = &b; assert(__CPROVER_same_object(p, q) && !__CPROVER_same_object(p, r) && !__CPROVER_same_object(p, 0) && __CPROVER_same_object(0, 0)); return 0; }", "ended"},
		{"number", "int a[3], b; int main(void) { assert(__CPROVER_POINTER_OBJECT(&a[1]) == __CPROVER_POINTER_OBJECT(a) && __CPROVER_POINTER_OBJECT(&b) != __CPROVER_POINTER_OBJECT(a) && !__CPROVER_POINTER_OBJECT(0)); return 0; }", "ended"},
		{"of a pointer to nothing", "int a[3]; int main(void) { int *p, *q = a; assert(!__CPROVER_same_object(p, q)); return 0; }", "ended"},
		{"dynamic", "void *malloc(unsigned long); int x; int main(void) { assert(__CPROVER_DYNAMIC_OBJECT(malloc(1)) && !__CPROVER_DYNAMIC_OBJECT(&x) && !__CPROVER_DYNAMIC_OBJECT(0)); return 0; }", "ended"},
		{"allocate", "int main(void) { int *p = __CPROVER_allocate(8, 1), *q = __CPROVER_allocate(8, 0); assert(p[1] == 0 && __CPROVER_OBJECT_SIZE(q) == 8); assert(q[0] == 0); return 0; }", "assert at line 3; ended"},
	})
}

func TestMakesFree(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"object", "struct S { int i, j; } s; int main(void) { __CPROVER_havoc_object(&s.j); assert(s.i == 0); return 0; }", "assert at line 3; ended"},
		{"other object", "int x, y; int main(void) { int *p = nondet_int() ? &x : &y; __CPROVER_havoc_object(p); assert(p == &x ? y == 0 : x == 0); return 0; }", "ended"},
		{"object of null", "int main(void) { int *p = 0; __CPROVER_havoc_object(p); return 0; }", "nil at line 3"},
		{"constant object", "const int k = 1; int main(void) { __CPROVER_havoc_object((void *)&k); return 0; }", "nil at line 3"},
		{"slice", "int main(void) { int a[3] = {1, 2, 3}; __CPROVER_havoc_slice(a + 1, 4); assert(a[0] == 1 && a[2] == 3); return 0; }", "ended"},
		{"what is in a slice", "int main(void) { int a[3] = {1, 2, 3}; __CPROVER_havoc_slice(a + 1, 1); assert(a[1] >> 8 == 0); assert(a[1] == 2); return 0; }", "assert at line 3"},
		{"computed slice", "int main(void) { char c[3] = {5, 5, 5}; int k = nondet_int() != 0; __CPROVER_havoc_slice(c + k, 1 + k); assert(c[0] == 5 || !k); assert(c[1] == 5 || k); assert(c[2] == 5); return 0; }", "assert at line 3; ended"},
		{"slice beyond the end", "int main(void) { char c[3]; __CPROVER_havoc_slice(c + 1, 3); return 0; }", "bounds at line 3"},
		{"pointer in it", "int x; struct S { int *p; int v; } s; int main(void) { s.p = &x; s.v = 1; __CPROVER_havoc_slice(&s.v, 4); assert(s.p == &x && s.v == 1); return 0; }", "assert at line 3; ended"},
		{"fence", "int main(void) { int x = 1; __CPROVER_fence(\"WWfence\"); assert(x); return 0; }", "ended"},
		{"fence of nothing", "int main(void) { __CPROVER_fence(); return 0; }", "m.c:3:18: __CPROVER_fence called without arguments"},
	})
}

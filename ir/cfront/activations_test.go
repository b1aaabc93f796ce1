package cfront_test

import "testing"

// TestVariablesOfRecursiveFunctions shows that each run of a function has
// variables of its own that pointers lead to, and that they end with it.
func TestVariablesOfRecursiveFunctions(t *testing.T) {
	const decl = "int *g, h;\n"
	checkOutcomes(t, []memoryCase{
		{"results through pointers", decl + "void fib(int n, int *r) { int a, b; if (n < 2) { *r = n; return; } fib(n - 1, &a); fib(n - 2, &b); *r = a + b; } int main(void) { int r; fib(3, &r); assert(r == 2); return 0; }", "ended"},
		{"parameters", decl + "int down(int n, int *up) { ++*up; int *p = &n; if (n > 0) down(n - 1, p); return *p; } int main(void) { int k = 0; assert(down(2, &k) == 3 && k == 1); return 0; }", "ended"},
		{"arrays and structs", decl + "struct S { int a[2]; int n; }; int sum(int n, struct S *out) { struct S s = {{n, 1}, 2}; int *p = &s.a[1]; if (n > 0) sum(n - 1, &s); *p += s.n; *out = s; return s.a[0] + *p; } int main(void) { struct S s; assert(sum(2, &s) == 7 && s.a[1] == 7); return 0; }", "ended"},
		{"list on the stack", decl + "struct L { int v; struct L *up; }; int walk(int n, struct L *up) { struct L me = {n, up}; if (n > 0) return walk(n - 1, &me); int s = 0; for (struct L *p = &me; p; p = p->up) s += p->v; return s; } int main(void) { assert(walk(2, 0) == 3); return 0; }", "ended"},
		{"of a run that ended", decl + "void f(int n, int **out) { int x = n, *q; if (n == 0) { *out = &x; return; } f(n - 1, &q); h = *q; } int main(void) { int *p; f(1, &p); return 0; }", "nil at line 4"},
		{"of the last run", decl + "void f(int n) { int x = n; if (n == 0) { g = &x; return; } f(n - 1); h = *g; } int main(void) { f(1); return 0; }", "nil at line 4"},
		{"mutual", decl + "void even(int n, int *r); void odd(int n, int *r) { int t; if (n == 0) { *r = 0; return; } even(n - 1, &t); *r = t; } void even(int n, int *r) { int t; if (n == 0) { *r = 1; return; } odd(n - 1, &t); *r = t; } int main(void) { int r; even(3, &r); assert(r == 0); return 0; }", "ended"},
		{"in a block", decl + "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { int x = f(n - 1), *p = &x; s += *p + 1; } return s; } int main(void) { assert(f(3) == 15); return 0; }", "ended"},
		{"of a block that ended", decl + "void f(int n, int **out) { { int x = n, *q = &x; if (n == 0) *out = &x; else f(n - 1, &q); } if (n == 0) **out = 3; } int main(void) { int *p; f(1, &p); return 0; }", "m.c:4:34: unsupported: pointer that may outlive this block of a recursive function (declare x in the function's body)"},
		{"bytes", decl + "int f(int n) { int x = n; char *p = (char *)&x; return n ? f(n - 1) : p[0]; } int main(void) { return f(1); }", "m.c:4:71: unsupported: access to the bytes of a variable of a recursive function (use one type)"},
		{"its own address", decl + "struct L { int v; struct L *me; }; int f(int n) { struct L l = {n, &l}; return n ? f(n - 1) : l.me->v; } int main(void) { return f(1); }", "m.c:4:68: unsupported: address of a variable in its own initializer (assign it afterwards)"},
		{"copied by memcpy", decl + "struct S { int a; char b[3]; }; int f(int n, struct S *up) { struct S s = {n, {1, 2, 3}}; memcpy(&s, up, sizeof s); s.a++; if (n) return f(n - 1, &s); memset(s.b, 0, 3); return s.a + up->b[2] + s.b[2]; } int main(void) { struct S s = {4, {5, 6, 7}}; assert(f(1, &s) == 13 && s.a == 4); return 0; }", "ended"},
		{"through void", decl + "int f(int n, void *p) { int k = n; void *q = &k; if (n) return f(n - 1, q); return *(int *)p + *(int *)q; } int main(void) { int z = 9; assert(f(2, &z) == 1); return 0; }", "ended"},
		{"called again", decl + "void f(int n, int *r) { int x = 1; if (n) { f(n - 1, &x); f(n - 1, &x); } *r += x; } int main(void) { int r = 0; f(2, &r); assert(r == 7); return 0; }", "ended"},
	})
}

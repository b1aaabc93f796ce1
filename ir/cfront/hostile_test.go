package cfront_test

// Programs that are mostly outside the subset, or not C at all, for
// FuzzLoad and TestDamaged: each must be refused, or loaded, without a panic.

var hostile = []string{
	`int main(){ int x; int *p = &x; goto l; l: return *p + foo(1.5); }`,
	`struct N { int v; struct N; }; int main(){ struct N n; return n.v; }`,
	`struct S { int a; struct S *n; }; struct S *g; int main(){ struct S s; s.n = &s; s.n->n->a = 1; g = s.n; return g[0].a + (*g).a + (&s)->a; }`,
	`int f(); int (*fp)(void); int main(){ return fp() + (*fp)() + f(1,2,3) + ((int(*)(void))0)() ; }`,
	`union U { int a; char c[4]; } u; int main(){ u.a = 1; return u.c[0] + ((union U){3}).a; }`,
	`double d = 1.5; float f; int main(){ d += 1; f++; if (d) return (int)d; while (f < 2.0) f *= 2; return d > 1 ? 1 : d; }`,
	`int main(){ int a[3]; int (*p)[3] = &a; int **q; int *r[2]; char *s = "abc"; r[0] = a; *q = r[1]; s++; return *s + (*p)[1] + **q + *"abc" + "abc"[1] + 1["abc"]; }`,
	`#include <stdarg.h>
int f(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); return x; } int main(){ return f(1, 2); }`,
	`int main(){ void *l = &&lab; goto *l; lab: ; switch (1) { int y = 3; default: ; } for(;;) { continue; } asm("x"); return ({ 1; }); }`,
	`struct S; extern struct S s; int g(struct S *p) { return 0; } int main(){ struct S *p = &s; return g(p) + g(&s) + g(0) + sizeof(p); }`,
	`int a[2][3]; int *f(void) { return a[0]; } int main(){ return f()[1] + *f() + *(a[1]+1) + *(*(a+1)+1) + (a[1])[2] + *a[0] + **a; }`,
	`typedef int fn(int); fn f; int main(){ fn *p = f; p = &f; return p(1) + (p == f) + (p ? 1 : 2) + !p; } int f(int x) { return x; }`,
	`int main(){ int x = {}; int y = {{1}}; int z[] = {}; struct {} e; struct { int q : 3; } b = {1}; b.q = 2; b.q++; return x + z[0] + b.q; }`,
	`int x; int *p = &x; int *q[2] = {&x, 0}; struct { int *r; int k; } s = { &x, 3 }; int main(){ return *p + *q[0] + *s.r + s.k; }`,
	`void v(void) {} int main(){ int x = v(); v() + 1; if (v()) ; return v(); (void)v; x = v; v = x; v++; &v; *v; }`,
	`#include <stdlib.h>
#include <stdio.h>
int main(){ FILE *f = fopen("x","r"); char *s = malloc(3); int *a = (int*)malloc(4 * 3); a[1] = 2; *a = 1; free(a); free(s); char b[3]; fgets(b, 3, f); memset(b, 0, 3); if (!s) exit(1); if (s == NULL) abort(); return getchar(); }`,
	`int main(){ int x = 1; int *p; p = &x; (*p)++; ++*p; *p += 2; p[0]--; *&x = 3; p = p + 1; p -= 1; p--; if (p < &x) return p - &x; return p ? *p : -1; return (int)p; return (long)&x; }`,
	`int f(int *p) { p = 0; return *p; } int g(int p[]) { p++; return *p++; } int main(){ int a[3]; return f(a) + g(a+1) + g(&a[1]) + g(&a[0]+1) + f(1 ? a : 0); }`,
	`_Complex double z; _Atomic int at; _Thread_local int tl; int main(){ z = 1; at++; tl = 2; return at + tl + __builtin_expect(at, 1) + __builtin_offsetof(struct {int a;}, a) + _Alignof(int); }`,
	`enum E { A = 1.5, B }; int a[A]; int b[-1]; int c[0]; int main(){ return a[0] + b[0] + c[0] + B; }`,
	`int main(int argc, char **argv, char **envp){ argv = 0; argv[0][1] = 2; envp++; *argv = "x"; return argc + (argv == 0) + !argv + (argv ? 1 : 0) + (*argv)[0]; }`,
	`#include <pthread.h>
pthread_mutex_t m; void *t(void *a) { pthread_mutex_lock(&m); return a; } int main(){ pthread_t x; pthread_create(&x, 0, t, 0); pthread_join(x, 0); return 0; }`,
	`struct P { int x; }; struct P f(void); struct P g(struct P *p) { return *p; } int main(){ struct P p = f(); struct P q = g(&p); struct P r = p.x ? p : q; (p = q).x; (p, q); return f().x + g(0).x + (p = q).x + r.x + (*&p).x; }`,
	`int main(){ int n = 3; int a[n][n]; int b[n]; a[1][2] = 3; int *p = a[1]; sizeof(a); sizeof a[0]; typedef int T[n]; T t; t[0] = 1; return p[0] + b[n] + sizeof(T); }`,
	`int main(){ int x = 'ab'; long y = L'c'; char s[] = "a" "b"; int w[] = L"xy"; char *t[] = {"a", "b"}; x = s == "ab"; x = "a" ? 1 : 2; "abc"; x = !"a"; x = "a" && x; return x + y + w[0] + *t[0] + sizeof("abc") ; }`,
	`int f(int x) { auto int y = x; register int z = y; inner: if (x) goto inner; { __label__ q; q: ; } int g(int k) { return k + x; } return g(z); } int main(){ return f(1); }`,
	`int *p, x; int main(){ x = *p ? p[1] : *(p + 2); p = x ? p : 0; p = (p, p); x = p && *p; x = p || x; x = !p; if (p) ; while (p) p = 0; for (; p; p++) ; do ; while (!p); switch (*p) {} return p != 0; }`,
	`struct S { struct { int a; }; union { int b; int c; }; int d[]; } s; struct T { int n; int f[2]; } t[2]; int main(){ s.a = 1; s.b = 2; t[0].f[1] = 1; int *p = t[1].f; struct T *q = t; q++; q->f[0] = (*q).n; return p[0] + (&t[1])->n + (t+1)->n; }`,
	`int main(void) { return sizeof(int (*)[sizeof(int)]) + (int)"abc" + (unsigned char)1.5 + (0, 1) + (1 ? (void)0 : (void)1, 2); }`,
	`void assert(int); int main(){ int x; assert(); assert(x, 2); assert("s"); assert(&x); assert(1.5); assert(main); __VERIFIER_assume(&x); nondet_double() ; double d = __VERIFIER_nondet_double(); int *p = nondet_ptr(); struct S {int a;} s = nondet_S(); printf("%f", 1.5, x++); exit(); exit(1.5); }`,
	`void v(void) {} int main(){ int x = v(); if (1) ; return v(); }`,
	`void v(void) {} int main(){ int x; (void)v; x = v; v(); &v; return v != 0; }`,
	`_Atomic int at; _Thread_local int tl; int main(){ at++; tl = 2; at = at + 1; return at + tl + __builtin_expect(at, 1) + _Alignof(int); }`,
	`int main(){ char s[] = "a" "b"; char *t[] = {"a", "b"}; int x = s == "ab"; x = "a" ? 1 : 2; "abc"; x = !"a"; x = "a" && x; return x + *t[0] + sizeof("abc") ; }`,
	`int f(int x) { auto int y = x; register int z = y; int g(int k) { return k + x; } return g(z); } int main(){ return f(1); }`,
	`#include <pthread.h>
#include <stdlib.h>
struct A { int x; struct B *b; }; struct B { int y; struct A *a; };
int main(){ struct A *a = malloc(sizeof(struct A)); struct B *b = calloc(1, sizeof *b); a->b = b; b->a = a; a->b->a->x = 1; free(a); return 0; }`,
	`int a[3]; int main(){ for (int *p = a; p < a + 3; p++) *p = 1; return *(a + 2)[0]; }`,
	`int main(){ int a[3]; return (*(a + 2) = 3) + (a + 1)[1] + *(a - 0) + *a++ + *&a[1] + (&a[1])[0] + *(&a[1] + 1); }`,
	`int f(void), g; int main(){ int f = g; extern int g; { extern int h; h = 1; } return f + g; } int k(int x, int x2) { return x; }`,
	`int main(main) { return main; }`,
	`int x[2] = {[5] = 1}; int y[2] = {1,2,3}; struct {int a;} z = {.q = 1}; int main(){ return x[0]; }`,
	`struct S { int a[2]; } f(void) { struct S s; return s; } int main(){ int *p = f().a; struct S t[2], u = t[f().a[0]]; t[0] = t[1] = u; (t[0] = u).a[1]; return f().a[1] + sizeof f().a; }`,
	`int f(int a[const 3], int b[*], int c[][2], int (*d)[2], int n, int e[n]) ; int f(int a[const 3], int b[2], int c[][2], int (*d)[2], int n, int e[n]) { return a[0] + b[0] + c[1][1] + d[0][1] + e[0]; } int main(){ int x[3], y[2][2]; return f(x, x, y, y, 3, x) + f(0, 0, 0, 0, 0, 0) + f(y, y, x, x, 1, y) + f(&x, &y, y[0], &y[1], 2, *y); }`,
	`int main() { struct S a[3] = {1, 2, 3}; return 0; }`,
	`typedef struct S T; union U; T a[] = {1}; union U u = {2}; int main() { return sizeof a; } struct S { int x; };`,
}

/* Pointers to functions. */
#include <assert.h>
#include <stdlib.h>
typedef int (*binary)(int, int);
static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x - y; }
static int calls;
static int mul(int x, int y) { calls++; return x * y; }
static binary table[3] = {add, &sub, mul};
struct ops { const char *name; binary run; void (*each)(int *); };
static void bump(int *p) { *p += 1; }
static void twice(int *p) { *p *= 2; }
static struct ops ops = {"ops", add, bump};
static int apply(int f(int, int), int x, int y) { return f(x, y) + (*f)(x, 1) + (**f)(y, 1); }
static binary pick(int n) { return n ? add : sub; }
static int *greater(int *p, int *q) { return *p > *q ? p : q; }
static int *(*chosen)(int *, int *) = greater;
static void map(int a[], int n, void (*f)(int *)) { for (int i = 0; i < n; i++) f(&a[i]); }
static int sum(const int *a, int n) { return n ? a[0] + sum(a + 1, n - 1) : 0; }
static int (*fold)(const int *, int) = sum;
static int depth(int n, int (*self)(int, void *), void *p) { return n; }
static int down(int n, void *self) { return n <= 0 ? 0 : 1 + ((int (*)(int, void *))self)(n - 1, self); }
static void sort(int *a, int n, int (*less)(const int *, const int *))
{
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && less(&a[j], &a[j - 1]); j--) {
			int t = a[j];
			a[j] = a[j - 1];
			a[j - 1] = t;
		}
}
static int up(const int *p, const int *q) { return *p < *q; }
static int dn(const int *p, const int *q) { return *p > *q; }
static int next(void) { return ++calls; }
int main(void)
{
	binary f = add;
	assert(f(2, 3) == 5 && f == add && f != sub && f);
	f = &mul;
	assert((*f)(2, 3) == 6 && calls == 1);
	assert(table[0](7, 2) == 9 && table[1](7, 2) == 5 && table[calls + 1](7, 2) == 14 && calls == 2);
	assert(ops.run(1, 2) == 3);
	struct ops *p = &ops;
	p->run = pick(0);
	assert(p->run(5, 3) == 2 && pick(1)(5, 3) == 8);
	assert(apply(add, 3, 4) == 16 && apply(sub, 3, 4) == 4);
	int a[3] = {3, 1, 2}, b = 9;
	p->each(&b);
	assert(b == 10);
	map(a, 3, bump);
	assert(a[0] == 4 && a[1] == 2 && a[2] == 3);
	map(a, 3, twice);
	assert(a[0] == 8 && a[1] == 4 && a[2] == 6 && fold(a, 3) == 18);
	sort(a, 3, up);
	assert(a[0] == 4 && a[1] == 6 && a[2] == 8);
	sort(a, 3, dn);
	assert(a[0] == 8 && a[1] == 6 && a[2] == 4);
	*chosen(&a[1], &b) = 77;
	assert(b == 77 && a[1] == 6);
	int (*n)(void) = next;
	f = sub;
	assert(f(n(), n()) == -1 || f(4, 3) == 1);
	assert(calls == 4);
	f = 0;
	assert(!f);
	return 0;
}

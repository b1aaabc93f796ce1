/* Sorting and searching, of all kinds of elements. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct P { int k; char c; };
static int calls;
static int ints(const void *x, const void *y) { calls++; return *(const int *)x - *(const int *)y; }
static int bytes(const void *x, const void *y) { return *(unsigned char *)y - *(unsigned char *)x; }
static int pairs(const void *x, const void *y)
{
	const struct P *p = x, *q = y;
	return p->k > q->k ? 1 : p->k < q->k ? -1 : 0;
}
static int names(const void *x, const void *y) { return strcmp(*(char **)x, *(char **)y); }
static int doubles(const void *x, const void *y) { double a = *(double *)x, b = *(double *)y; return (a > b) - (a < b); }
int main(void)
{
	int a[5] = {3, -1, 7, 3, 0}, key = 7;
	qsort(a, 5, sizeof(int), ints);
	assert(a[0] == -1 && a[1] == 0 && a[2] == 3 && a[3] == 3 && a[4] == 7 && calls > 0);
	int *found = bsearch(&key, a, 5, sizeof a[0], ints);
	assert(found == a + 4);
	key = 2;
	assert(!bsearch(&key, a, 5, sizeof a[0], ints) && !bsearch(&key, a, 0, sizeof a[0], ints));
	unsigned char u[4] = {1, 200, 3, 90};
	qsort(u, 4, 1, bytes);
	assert(u[0] == 200 && u[1] == 90 && u[2] == 3 && u[3] == 1);
	struct P p[3] = {{4, 'x'}, {1, 'y'}, {3, 'z'}}, one = {3, 0}, *q;
	qsort(p, 3, sizeof *p, pairs);
	assert(p[0].c == 'y' && p[1].c == 'z' && p[2].c == 'x');
	q = bsearch(&one, p, 3, sizeof *p, pairs);
	assert(q && q->c == 'z');
	char *s[3] = {"pear", "fig", "nut"};
	qsort(s, 3, sizeof *s, names);
	assert(!strcmp(s[0], "fig") && !strcmp(s[1], "nut") && !strcmp(s[2], "pear"));
	double d[3] = {2.5, -1, 2};
	qsort(d, 3, sizeof(double), doubles);
	assert(d[0] == -1 && d[1] == 2 && d[2] == 2.5);
	return 0;
}

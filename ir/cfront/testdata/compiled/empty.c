// Structs without members, which gcc has: as variables, members, parameters and
// results.
#include <assert.h>
#include <stddef.h>

struct empty {
};

struct with {
	int a;
	struct empty e;
	int b;
};

static struct empty same(struct empty x, int *n) { ++*n; return x; }

static int take(struct with w) { return w.a + w.b; }

int main(void)
{
	struct empty x, y = {}, z[2];
	int n = 0;
	x = y;
	z[1] = x;
	y = same(z[1], &n);
	x = n ? y : x;
	same(x, &n);
	assert(n == 2);
	struct with w = {1, {}, 2}, v;
	v = w;
	w.e = x;
	x = v.e;
	assert(sizeof(struct empty) == 0 && sizeof w == 8 && offsetof(struct with, b) == 4);
	assert(v.a == 1 && v.b == 2 && take(w) == 3);
	return 0;
}

/* Forms of expressions and declarations. */
#include <assert.h>
#include <stddef.h>
struct in { int x; struct { int y; short z; struct { char w; }; }; };
struct off { char a; int b[3]; struct { short c; } d; long e; };
static int count;
static int next(void) { return ++count; }
static int first(int a, int, int c) { return a + c; }
static int sum(int n, ...) { return n; }
static int old(a, b) int a; char b; { return a - b; }
static inline int twice(int x) { return 2 * x; }
static int kind(int v)
{
	switch (v) {
	case 1 ... 4: return 1;
	case 5: case 7 ... 9: return 2;
	default: return 3;
	}
}
void set(int n, int a[*]);
void fill(int, int [*][ * ]);

void set(int n, int a[]) { a[n - 1] = 4; }

void fill(int n, int a[n][n])
{
	a[n - 1][0] = 5;
	assert(sizeof *a == n * sizeof(int));
}

int main(void)
{
	struct in s = {1, {2, 3, {4}}}, t = {.y = 7, .w = 9, .x = 5};
	assert(s.x == 1 && s.y == 2 && s.z == 3 && s.w == 4);
	assert(t.x == 5 && t.y == 7 && t.z == 0 && t.w == 9);
	struct in *p = &t;
	p->w = p->y + 1;
	assert(t.w == 8 && sizeof(struct in) == 12);
	assert(offsetof(struct in, w) == 10);
	assert(offsetof(struct off, b) == 4 && offsetof(struct off, d.c) == 16 && offsetof(struct off, b[2]) == 12 && offsetof(struct off, e) == 24);
	assert(first(1, next(), 3) == 4 && count == 1);
	assert(sum(2, next(), next()) == 2 && count == 3);
	assert(old(5, 2) == 3 && twice(4) == 8);
	assert(kind(0) == 3 && kind(1) == 1 && kind(4) == 1 && kind(5) == 2 && kind(6) == 3 && kind(8) == 2);
	int a = 4, b = 0, v[3] = {10, 20, 30};
	assert((a ?: 7) == 4 && (b ?: 7) == 7 && (next() ?: 9) == 4 && count == 4);
	assert((b ?: next()) == 5 && (a ?: next()) == 4 && count == 5);
	long w = b ?: -1L;
	assert(w == -1);
	a = ({ int z = v[1]; z += 2; z * 2; });
	assert(a == 44);
	a = 1 + ({ for (b = 0; v[b] < 30; b++) ; b; }) * 10;
	assert(a == 21 && b == 2);
	int *q = ({ int *r = v; r + 1; });
	assert(*q == 20 && 2[v] == 30 && (next(), 1)[q] == 30);
	({ a = 3; });
	assert(a == 3);
	assert(_Generic(a, long: 1, int: 2, default: 3) == 2 && _Generic(w, long: v, default: q)[0] == 10);
	__auto_type k = w - 4;
	assert(k == -5 && sizeof k == 8);
	assert(((struct in){3, {4}}.y == 4 && (struct in){.x = 2}.z == 0));
	s = (struct in){.y = next(), .x = 1};
	assert(s.x == 1 && s.y == 7 && s.w == 0);
	assert(((int){a + 1} == 4 && ((int[]){4, 5, 6})[1] == 5));
	for (int i = 0; i < 3; i++) {
		struct in u = (struct in){i, {i + 1}};
		assert(u.x == i && u.y == i + 1 && u.w == 0);
	}
	assert((next(), s).y == 7);
	assert(sizeof(({ v; })) == sizeof(int *) && sizeof(({ (char)1; })) == 1 && sizeof(({ int z = 3; s; })) == sizeof s);
	void *nothing = v + 2;
	*nothing;
	(void)*nothing;
	assert(1e39f > 3e38f && -1e39f < -3e38f && 1e39f - 1e39f != 0);
	set(3, v);
	assert(v[2] == 4);
	int grid[2][2];
	fill(2, grid);
	assert(grid[1][0] == 5 && "[*]"[1] == '*');
	return 0;
}

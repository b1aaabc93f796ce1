// c ? x : y of structs and unions, with pointers in them, and of calls.
#include <assert.h>

struct s {
	int a, *p;
	char t[3];
};
union u {
	int i;
	unsigned char c[4];
};

static int x = 1, y = 2, calls;
static struct s make(int a, int *p) { struct s r = {a, p, {a, a + 1, a + 2}}; calls++; return r; }
static int sum(struct s v) { return v.a + *v.p + v.t[2]; }

int main(void)
{
	struct s v = {3, &x, {1, 2, 3}}, w = {4, &y, {4, 5, 6}}, r, *q = &v;
	for (int c = 0; c < 2; c++) {
		r = c ? v : w;
		assert(r.a == 4 - c && *r.p == 2 - c && r.t[1] == 5 - 3 * c);
		assert((c ? v : w).t[2] == 6 - 3 * c);
		assert(sum(c ? v : w) == (c ? 7 : 12));
		r = c ? make(8, &y) : make(9, &x);
		assert(r.a == 9 - c && *r.p == 1 + 11 * c && calls == c + 1);
		r = c ? *q : c == 0 ? w : make(1, &x);
		assert(r.a == 4 - c);
		*(c ? v : w).p += 10;
		union u m = {1}, n = {0x02030405}, k = c ? m : n;
		assert(k.c[0] == (c ? 1 : 5));
	}
	assert(x == 11 && y == 12 && calls == 2);
	return 0;
}

// More of the language: ?: of pointers without a middle, return inside statement
// expressions, wide strings, arrays of length 0, structs of one struct, functions
// called through pointers to types of other signs.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int x = 1, y = 2, calls;
static int *some(int *p) { calls++; return p; }

#define TRY(e) ({ int r = (e); if (r < 0) return r; r; })

static int twice(int n) { return TRY(n) * 2; }

static int search(const int *a, int n, int v)
{
	return ({
		int found = -1;
		for (int i = 0; i < n; i++) {
			if (a[i] == v) {
				found = i;
				break;
			}
		}
		if (found < 0)
			return -7;
		found;
	}) + 1;
}

struct packet { int n; unsigned char data[0]; };

struct inner { int y; };
struct outer { struct inner x; };
struct two { struct outer a; int b; };

static unsigned halve(unsigned n) { return n / 2; }

int main(void)
{
	int *p = some(&x) ?: &y;
	assert(p == &x && calls == 1);
	p = some(NULL) ?: some(&y);
	assert(p == &y && calls == 3);
	assert(twice(4) == 8 && twice(-5) == -5);
	int a[] = {4, 5, 6};
	assert(search(a, 3, 6) == 3 && search(a, 3, 9) == -7);

	wchar_t w[] = L"aé", *v = L"bc";
	assert(sizeof w == 12 && w[0] == 'a' && w[1] == 0xe9 && w[2] == 0);
	assert(v[1] == L'c' && v[2] == 0 && sizeof L"xyz" == 16);
	assert(((unsigned char *)v)[4] == 'c');

	struct packet *k = malloc(sizeof *k + 3);
	k->n = 3;
	for (int i = 0; i < k->n; i++)
		k->data[i] = i * i;
	assert(k->data[2] == 4 && sizeof *k == 4 && offsetof(struct packet, data) == 4);
	assert((unsigned char *)(k + 1) == k->data);
	free(k);

	struct inner i = {5};
	struct outer o = {i}, q;
	q = (struct outer){i};
	struct two t = {{i}, 6}, u = {o, 7};
	assert(o.x.y == 5 && q.x.y == 5 && t.a.x.y == 5 && t.b == 6 && u.a.x.y == 5 && u.b == 7);

	int (*h)(int) = (int (*)(int))halve;
	assert(h(-2) == 0x7fffffff);
	return 0;
}

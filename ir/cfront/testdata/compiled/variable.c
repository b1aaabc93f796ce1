// Arrays of computed length: pointers to them, their sizes, several dimensions,
// typedefs, parameters, and their bytes.
#include <assert.h>
#include <string.h>

typedef unsigned long size;

static int sum(int n, int *p)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

static int trace(int n, int m, int a[n][m])
{
	int s = 0;
	assert(sizeof(a[0]) == m * sizeof(int));
	for (int i = 0; i < n && i < m; i++)
		s += a[i][i];
	return s;
}

static void fill(int m, int (*a)[m], int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			*(*(a + i) + j) = 10 * i + j;
}

static int last(int n, const char *text)
{
	char copy[n + 1];
	assert(sizeof copy == n + 1);
	memcpy(copy, text, n);
	copy[n] = 0;
	char *p = copy;
	while (p[1])
		p++;
	assert(p - copy == n - 1);
	return *p;
}

int main(void)
{
	int n = 3, m = 4;
	int a[n], *p = a + 1;
	for (int i = 0; i < n; i++)
		a[i] = i + 1;
	*p += 10;
	assert(sum(n, a) == 16 && &a[2] - a == 2 && p == &a[1]);
	n = 2;
	assert(sizeof(a) == 12 && sizeof a / sizeof *a == 3);

	int b[n][m];
	fill(m, b, n);
	assert(b[1][3] == 13 && trace(n, m, b) == 11);
	assert(sizeof b == 32 && sizeof b[0] == 16 && sizeof b[0][0] == 4);
	int (*row)[m] = b;
	row++;
	assert((*row)[2] == 12 && row[-1][1] == 1 && row - b == 1);
	assert(&b[1][0] == b[1] && *b[1] == 10);

	typedef int line[m];
	m = 7;
	line c, d[2];
	assert(sizeof(line) == 16 && sizeof c == 16 && sizeof d == 32);
	c[3] = 5;
	int *q = c;
	assert(q[3] == 5);
	d[1][3] = 9;
	assert(*(d[1] + 3) == 9);

	int x = 1;
	char e[++x];
	assert(x == 2 && sizeof e == 2);
	typedef short pair[++x];
	assert(x == 3 && sizeof(pair) == 6 && x == 3);
	assert(sizeof(char[++x]) == 4 && x == 4);

	unsigned long w[n];
	w[0] = 0x0102030405060708;
	w[1] = 0x1112131415161718;
	unsigned char *bytes = (unsigned char *)w;
	bytes[5] = 0xed;
	assert(w[0] == 0x0102ed0405060708 && bytes[8] == 0x18);
	assert(((int (*)[n])a)[0][1] == 12);

	assert(last(3, "abc") == 'c');
	for (int k = 1; k < 4; k++) {
		struct { char c; int i; } s[k], *t = s;
		for (int i = 0; i < k; i++)
			t[i].i = i;
		assert(s[k - 1].i == k - 1 && sizeof s == 8 * (size)k);
	}
	return 0;
}

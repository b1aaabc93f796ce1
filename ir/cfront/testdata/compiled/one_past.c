/* &p[n] is p + n: it may lead to the end of an object, as end pointers do. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair { int x, y; };
struct text { int length; char data[8]; };

static int evaluated;
static int next(void) { return evaluated++; }

int main(void)
{
	char *s = malloc(16);
	if (!s)
		return 0;
	memset(s, 1, 16);
	char *end = &s[16];
	int n = 0;
	for (char *p = s; p != end; p++)
		n += *p;
	assert(n == 16 && end - s == 16);
	assert(*&s[15] == 1 && &s[0] == s && &(&s[3])[2] == s + 5);
	assert(&s[next()] == s && &s[next()] == s + 1 && evaluated == 2);
	free(s);

	struct pair a[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, *q = a;
	struct pair *last = &q[3];
	for (n = 0; q < last; q++)
		n += q->x * q->y;
	assert(n == 2 + 12 + 30);
	char *bytes = (char *)a;
	assert(&bytes[sizeof a] == (char *)last);

	int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*row)[3] = grid;
	assert(&row[2] == grid + 2 && (*&row[1])[2] == 6 && &row[1][3] - &row[1][0] == 3);

	struct text t, *u = &t;
	memset(u, 0, sizeof *u);
	for (char *p = u->data; p < &u->data[8]; p++)
		*p = 'x';
	assert(t.data[7] == 'x' && &u->data[8] - u->data == 8);
	unsigned char k = 2;
	int *i = &grid[0][1];
	assert(*&i[k] == 4 && &i[-1] == grid[0]);
	return 0;
}

/* Memory of computed size. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { int x; char y[3]; };
static int *ramp(int n)
{
	int *a = malloc(n * sizeof *a);
	for (int i = 0; i < n; i++)
		a[i] = i * i;
	return a;
}
static char *copy(const char *s)
{
	char *d = malloc(strlen(s) + 1);
	strcpy(d, s);
	return d;
}
int main(void)
{
	int n = 3;
	int *a = ramp(n), *b = ramp(n + 2);
	assert(a[2] == 4 && b[4] == 16 && a != b);
	char *s = copy("abc"), *t = copy(s);
	t[1] = 'x';
	assert(strcmp(s, "abc") == 0 && strcmp(t, "axc") == 0);
	struct pair *p = calloc(n, sizeof(struct pair)), *q = p + 2;
	q->y[1] = 7;
	p[1].x = 5;
	int *r = &p[1].x;
	char *z = q->y;
	assert(*r == 5 && z[1] == 7 && p->x == 0 && p[2].y[1] == 7 && q->x == 0);
	*r = 6;
	assert(p[1].x == 6);
	long *odd = malloc(n * 3);
	*odd = 4;
	assert(*odd == 4);
	free(a), free(b), free(s), free(t), free(p), free(odd);
	return 0;
}

// Variable numbers of arguments: their promotions, pointers among them, lists that
// are passed on and copied, calls in a row and through pointers.
#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct pair {
	int x;
	char y;
};

static int sum(int n, ...)
{
	va_list ap;
	int s = 0;
	va_start(ap, n);
	while (n-- > 0)
		s += va_arg(ap, int);
	va_end(ap);
	return s;
}

static long mixed(const char *kinds, va_list ap)
{
	long s = 0;
	for (; *kinds; kinds++)
		switch (*kinds) {
		case 'i':
			s = s * 3 + va_arg(ap, int);
			break;
		case 'l':
			s = s * 3 + va_arg(ap, long);
			break;
		case 'd':
			s = s * 3 + (long)va_arg(ap, double);
			break;
		case 's':
			s = s * 3 + strlen(va_arg(ap, char *));
			break;
		case 'p':
			*va_arg(ap, int *) = 5;
			break;
		}
	return s;
}

static long call(const char *kinds, ...)
{
	va_list ap, again;
	va_start(ap, kinds);
	va_copy(again, ap);
	long s = mixed(kinds, ap), t = mixed(kinds, again);
	va_end(again);
	va_end(ap);
	assert(s == t);
	return s;
}

// What the callee takes, the caller has no more.
static int take(va_list ap) { return va_arg(ap, int); }

static int twice(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	int x = take(ap), y = take(ap);
	va_end(ap);
	va_start(ap, n);
	assert(va_arg(ap, int) == x);
	va_end(ap);
	return 10 * x + y;
}

static int structs(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	struct pair p = va_arg(ap, struct pair);
	struct pair *q = va_arg(ap, struct pair *);
	unsigned char c = va_arg(ap, int);
	va_end(ap);
	q->x += p.x;
	return p.x + p.y + q->y + c;
}

static int none(int n, ...) { return n; }

int main(void)
{
	char c = -3;
	unsigned short h = 65535;
	float f = 2.5f;
	int x = 0;
	assert(sum(0) == 0);
	assert(sum(3, 1, 2, 3) == 6);
	assert(sum(2, c, h) == 65532);
	assert(sum(2, sum(1, 4), sum(2, 5, 6)) == 15);
	assert(call("ilds", 1, 2L, f, "abc") == ((1 * 3 + 2) * 3 + 2) * 3 + 3);
	assert(call("pi", &x, 7) == 7 && x == 5);
	assert(twice(2, 4, 6) == 46);
	struct pair p = {1, 2}, q = {10, 20};
	assert(structs(0, p, &q, 'a') == 1 + 2 + 20 + 'a');
	assert(q.x == 11);
	assert(none(3, x++, "y") == 3 && x == 6);
	int (*g)(int, ...) = x > 3 ? sum : none;
	assert(g(2, 30, 12) == 42);
	for (int i = 0; i < 3; i++)
		assert(sum(i, 1, i) == (i == 0 ? 0 : i == 1 ? 1 : 3));
	return 0;
}

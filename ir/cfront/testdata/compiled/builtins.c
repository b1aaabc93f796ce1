/* Builtins of gcc that no header declares, and others that only the compiler sees. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void overflow(void)
{
	unsigned char c = 200;
	assert(__builtin_add_overflow_p(INT_MAX, 1, 0));
	assert(!__builtin_add_overflow_p(INT_MAX, 1, 0L));
	assert(__builtin_sub_overflow_p(1, 2, 0u));
	assert(__builtin_mul_overflow_p(c, 2, c));
	assert(c == 200);
}

static void bits(void)
{
	assert(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31);
	assert(__builtin_clrsb(1) == 30 && __builtin_clrsb(INT_MIN) == 0);
	assert(__builtin_clrsbl(-256L) == 55 && __builtin_clrsbll(3LL) == 61);
}

static void memory(void)
{
	int a[2] = {1, 2}, n = 0;
	char *p = __builtin_assume_aligned((char *)a, 4);
	bcopy(p, &n, 4);
	assert(n == 1);
	bzero(a, sizeof a);
	assert(!a[0] && !a[1]);
	__builtin_prefetch(&a[n++]);
	assert(n == 2);
	int *q = aligned_alloc(8, 2 * sizeof *q);
	q[1] = n;
	assert(q[1] == 2);
	free(q);
}

static void barrier(void)
{
	int x = 3;
	__asm__ volatile("" ::: "memory");
	asm("" : "+r"(x));
	asm volatile("nop");
	assert(x == 3);
}

int main(void)
{
	overflow();
	bits();
	memory();
	barrier();
	__builtin_printf("%d\n", 3);
	if (INT_MAX < 0)
		__builtin_abort();
	__builtin_exit(0);
}

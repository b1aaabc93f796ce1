#include <assert.h>
#include <limits.h>
int main(void)
{
	int i;
	unsigned u;
	long l;
	long long w;
	unsigned long v;
	short s;
	unsigned char c;
	assert(!__builtin_add_overflow(INT_MAX, -1, &i) && i == INT_MAX - 1);
	assert(__builtin_add_overflow(INT_MAX, 1, &i) && i == INT_MIN);
	assert(!__builtin_add_overflow(INT_MAX, 1, &u) && u == 2147483648u);
	assert(!__builtin_add_overflow(INT_MAX, 1, &l) && l == 2147483648l);
	assert(__builtin_sub_overflow(1, 2u, &u) && u == UINT_MAX);
	assert(!__builtin_sub_overflow(1, 2u, &i) && i == -1);
	assert(__builtin_mul_overflow(UINT_MAX, UINT_MAX, &u) && u == 1);
	assert(__builtin_mul_overflow(UINT_MAX, -1, &u) && u == 1);
	assert(!__builtin_mul_overflow(300, 100, &s) && s == 30000);
	assert(__builtin_mul_overflow(300, 1, &c) && c == 44);
	assert(__builtin_add_overflow(LONG_MAX, 1l, &l) && l == LONG_MIN);
	assert(__builtin_add_overflow(LONG_MIN, -1, &l) && l == LONG_MAX);
	assert(!__builtin_add_overflow(LONG_MIN, LONG_MAX, &l) && l == -1);
	assert(__builtin_sub_overflow(LONG_MIN, 1l, &l) && l == LONG_MAX);
	assert(!__builtin_sub_overflow(-1l, LONG_MAX, &l) && l == LONG_MIN);
	assert(__builtin_mul_overflow(LONG_MIN, -1l, &l) && l == LONG_MIN);
	assert(__builtin_mul_overflow(-1l, LONG_MIN, &l) && l == LONG_MIN);
	assert(!__builtin_mul_overflow(LONG_MIN, 1l, &l) && l == LONG_MIN);
	assert(!__builtin_mul_overflow(0l, LONG_MIN, &l) && l == 0);
	assert(__builtin_mul_overflow(1l << 40, 1l << 30, &l));
	assert(__builtin_add_overflow(ULONG_MAX, 1ul, &v) && v == 0);
	assert(__builtin_sub_overflow(0ul, 1ul, &v) && v == ULONG_MAX);
	assert(__builtin_mul_overflow(ULONG_MAX, 2ul, &v) && v == ULONG_MAX - 1);
	assert(!__builtin_mul_overflow(1ul << 32, 1u << 31, &v) && v == 1ul << 63);
	assert(__builtin_sadd_overflow(INT_MAX, 1, &i) && i == INT_MIN);
	assert(!__builtin_uaddl_overflow(1, 2, &v) && v == 3);
	assert(__builtin_smulll_overflow(LLONG_MAX, 2, &w) && w == -2);
	return 0;
}

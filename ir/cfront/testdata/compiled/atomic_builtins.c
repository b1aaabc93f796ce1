#include <assert.h>
int main(void)
{
	long x = 5, e = 9;
	_Bool f = 0;
	assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 5);
	__atomic_store_n(&x, 6, __ATOMIC_RELEASE);
	assert(__atomic_exchange_n(&x, 7, __ATOMIC_SEQ_CST) == 6);
	assert(__atomic_fetch_add(&x, 3, __ATOMIC_SEQ_CST) == 7 && x == 10);
	assert(__atomic_sub_fetch(&x, 1, __ATOMIC_SEQ_CST) == 9 && x == 9);
	assert(__atomic_compare_exchange_n(&x, &e, 11, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 11);
	assert(!__atomic_compare_exchange_n(&x, &e, 12, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && e == 11);
	assert(!__atomic_test_and_set(&f, __ATOMIC_SEQ_CST) && f);
	__atomic_clear(&f, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	assert(!f);
	long v = 20, r = 0;
	__atomic_store(&x, &v, __ATOMIC_SEQ_CST);
	__atomic_load(&x, &r, __ATOMIC_SEQ_CST);
	assert(x == 20 && r == 20);
	v = 21;
	__atomic_exchange(&x, &v, &r, __ATOMIC_SEQ_CST);
	assert(x == 21 && r == 20);
	assert(!__atomic_compare_exchange(&x, &r, &e, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && r == 21);
	assert(__atomic_compare_exchange(&x, &r, &e, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == e);
	assert(__atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST) == 11 && x == ~(11 & 3));
	assert(__sync_nand_and_fetch(&x, 5) == ~(-4 & 5) && x == -5);
	return 0;
}

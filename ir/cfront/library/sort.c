/* qsort and bsearch, for each type of elements: SORT, or for each size. Which
   of equal elements comes first is a choice, whose 0 keeps their order. */

#define SORT(T, S) \
	void qsort_##S(T *a, size_t n, size_t size, int (*compare)(const void *, const void *)) \
	{ \
		for (size_t i = 1; i < n; i++) \
			for (size_t j = i; j > 0; j--) { \
				int c = compare(a + (j - 1), a + j); \
				if (c < 0 || c == 0 && !nondet_result()) \
					break; \
				T t = a[j]; \
				a[j] = a[j - 1]; \
				a[j - 1] = t; \
			} \
	} \
	void *bsearch_##S(const void *key, T *a, size_t n, size_t size, int (*compare)(const void *, const void *)) \
	{ \
		size_t low = 0, high = n; \
		while (low < high) { \
			size_t middle = low + (high - low) / 2; \
			int c = compare(key, a + middle); \
			if (c == 0) \
				return a + middle; \
			if (c < 0) \
				high = middle; \
			else \
				low = middle + 1; \
		} \
		return 0; \
	}

SORT(char, i8)
SORT(unsigned char, u8)
SORT(short, i16)
SORT(unsigned short, u16)
SORT(int32, i32)
SORT(uint32, u32)
SORT(int64, i64)
SORT(uint64, u64)
SORT(float, f32)
SORT(double, f64)
SORT(void *, ptr)

#define SORT_BYTES(N) struct bytes_##N { char b[N]; }; SORT(struct bytes_##N, b##N)
SORT_BYTES(2) SORT_BYTES(3) SORT_BYTES(4) SORT_BYTES(5) SORT_BYTES(6) SORT_BYTES(8) SORT_BYTES(10) SORT_BYTES(12)
SORT_BYTES(16) SORT_BYTES(20) SORT_BYTES(24) SORT_BYTES(28) SORT_BYTES(32) SORT_BYTES(36) SORT_BYTES(40) SORT_BYTES(44)
SORT_BYTES(48) SORT_BYTES(52) SORT_BYTES(56) SORT_BYTES(60) SORT_BYTES(64) SORT_BYTES(72) SORT_BYTES(80) SORT_BYTES(88)


/* The same for elements of a size that is computed, or that no line above has. */

void qsort_any(void *array, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	char *a = array;
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0; j--) {
			char *x = a + (j - 1) * size, *y = x + size;
			int c = compare(x, y);
			if (c < 0 || c == 0 && !nondet_result())
				break;
			for (size_t k = 0; k < size; k++) {
				char t = x[k];
				x[k] = y[k];
				y[k] = t;
			}
		}
}

void *bsearch_any(const void *key, const void *array, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	const char *a = array;
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int c = compare(key, a + middle * size);
		if (c == 0)
			return (void *)(a + middle * size);
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return 0;
}

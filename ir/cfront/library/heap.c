/* Allocation from one heap of HEAP bytes. Each block of memory has
   granules of 16 bytes of its own, and there is one without an owner before the
   next. Memory that was freed is not given out again. */

typedef __predefined_size_t size_t;

static unsigned char heap[HEAP];         /* free at first */
static unsigned heap_owner[HEAP / 16];   /* of a granule: the number of its block, or 0 */
static size_t heap_start[HEAP / 32];     /* of a block */
static size_t heap_end[HEAP / 32];       /* the same; 0 if there is no such block any more */
static unsigned heap_blocks;
static size_t heap_top;

void *malloc(size_t n)
{
	if (n >= HEAP || heap_top + n + 64 > HEAP)
		__cut();
	size_t start = heap_top + 16, last = (start + n) / 16;
	heap_blocks++;
	for (size_t i = start / 16; i <= last; i++)
		heap_owner[i] = heap_blocks;
	heap_start[heap_blocks] = start;
	heap_end[heap_blocks] = start + n;
	heap_top = last * 16 + 16;
	return heap + start;
}

void *calloc(size_t n, size_t size)
{
	if (size && n >= HEAP / size)
		__cut();
	size_t all = n * size, i = 0;
	unsigned char *p = malloc(all);
	for (; i + 8 <= all; i += 8)
		*(__predefined_uint64_t *)(p + i) = 0;
	for (; i < all; i++)
		p[i] = 0;
	return p;
}

void *realloc(void *old, size_t n)
{
	unsigned char *p = malloc(n), *from = old;
	if (old) {
		size_t size = __CPROVER_OBJECT_SIZE(old);
		for (size_t i = 0; i < n && i < size; i++)
			p[i] = from[i];
		free(old);
	}
	return p;
}

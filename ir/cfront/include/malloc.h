#ifndef _MALLOC_H
#define _MALLOC_H
#include <stdlib.h>
size_t malloc_usable_size(void *);
void *memalign(size_t, size_t);
void *valloc(size_t);
#endif

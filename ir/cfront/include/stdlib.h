#ifndef _STDLIB_H
#define _STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
int atoi(const char *);
long atol(const char *);
int abs(int);
long labs(long);
long long llabs(long long);
void exit(int);
void _Exit(int);
void abort(void);
int rand(void);
void srand(unsigned);
char *getenv(const char *);
#endif

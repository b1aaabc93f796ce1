#ifndef _STRINGS_H
#define _STRINGS_H
#include <string.h>
int ffs(int);
int ffsl(long);
int ffsll(long long);
int bcmp(const void *, const void *, size_t);
char *index(const char *, int);
char *rindex(const char *, int);
#endif

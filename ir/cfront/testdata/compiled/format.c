/* Formatted text in memory. */
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int into(char *d, unsigned long n, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int r = vsnprintf(d, n, format, list);
	va_end(list);
	return r;
}
int main(void)
{
	char b[64];
	assert(sprintf(b, "%d,%i|%u %%", -12, 0, 4000000000u) == 18 && !strcmp(b, "-12,0|4000000000 %"));
	sprintf(b, "%5d|%-5d|%05d|%+d|% d", 42, 42, -42, 7, 7);
	assert(!strcmp(b, "   42|42   |-0042|+7| 7"));
	sprintf(b, "%x %X %#x %o %#o %08x", 255, 255, 255, 8, 8, 0xbeef);
	assert(!strcmp(b, "ff FF 0xff 10 010 0000beef"));
	sprintf(b, "%ld %lu %lld %zu", LONG_MIN, ULONG_MAX, -1ll, sizeof(int));
	assert(!strcmp(b, "-9223372036854775808 18446744073709551615 -1 4"));
	sprintf(b, "%hd %hhu %hhd %hx", 65537, 258, 200, 65536 + 10);
	assert(!strcmp(b, "1 2 -56 a"));
	sprintf(b, "[%s|%5s|%-5s|%.2s|%c]", "ab", "ab", "ab", "abcd", 'z');
	assert(!strcmp(b, "[ab|   ab|ab   |ab|z]"));
	sprintf(b, "%.3d %.0d| %*d %-*d| %.*s", 5, 0, 4, 1, 3, 2, 1, "xyz");
	assert(!strcmp(b, "005 |    1 2  | x"));
	assert(snprintf(b, 4, "%d", 123456) == 6 && !strcmp(b, "123"));
	assert(snprintf(b, 0, "abc") == 3 && b[0] == '1' && snprintf(0, 0, "%d", INT_MIN) == 11);
	assert(into(b, sizeof b, "%s=%d", "k", 9) == 3 && !strcmp(b, "k=9"));
	char *p = 0;
	assert(asprintf(&p, "%d-%s", 5, "x") == 3 && !strcmp(p, "5-x"));
	free(p);
	return 0;
}

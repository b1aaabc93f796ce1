/* Copies of strings, numbers in them, and searches in memory. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *s = strdup("ab"), *t = strndup("hello", 3), *u = strndup("x", 5);
	assert(s && t && u && !strcmp(s, "ab") && !strcmp(t, "hel") && !strcmp(u, "x"));
	s[0] = 'z';
	assert(!strcmp(s, "zb") && t[0] == 'h');
	free(s);
	free(t);
	free(u);
	char d[8], *e;
	e = stpcpy(d, "abc");
	assert(e == d + 3 && !strcmp(d, "abc") && *strchrnul(d, 'x') == 0 && strchrnul(d, 'b') == d + 1);
	assert(strcoll("a", "b") < 0);
	char line[] = ",a,,b", *rest;
	s = strtok_r(line, ",", &rest);
	assert(!strcmp(s, "a"));
	s = strtok_r(NULL, ",", &rest);
	assert(!strcmp(s, "b") && !strtok_r(NULL, ",", &rest));
	char parts[] = "x;;y", *at = parts;
	assert(!strcmp(strsep(&at, ";"), "x") && !*strsep(&at, ";") && !strcmp(strsep(&at, ";"), "y") && !strsep(&at, ";"));
	assert(memchr("abcabc", 'c', 6) && !memchr("abc", 'c', 2) && memchr(d, 0, 8) == d + 3);
	assert(memrchr(d, 'a', 3) == d && !memrchr(d, 'x', 3));

	assert(strtol("   -9", &e, 10) == -9 && *e == 0 && strtol("+0x42z", &e, 0) == 66 && *e == 'z');
	assert(strtol("017", 0, 0) == 15 && strtol("0xD", 0, 11) == 0 && strtol("0xg", &e, 16) == 0 && *e == 'x');
	assert(strtol("zz", 0, 36) == 1295 && strtoul("-1", 0, 10) == ULONG_MAX && strtoull("12", 0, 3) == 5);
	char *none = "  -";
	assert(strtol(none, &e, 10) == 0 && e == none);
	errno = 0;
	assert(strtol("9223372036854775807", 0, 10) == LONG_MAX && strtol("-9223372036854775808", 0, 10) == LONG_MIN && errno == 0);
	assert(strtol("9223372036854775808", 0, 10) == LONG_MAX && errno == ERANGE);
	errno = 0;
	assert(strtoll("-9223372036854775809", 0, 10) == LLONG_MIN && errno == ERANGE);
	errno = 0;
	assert(strtoul("18446744073709551616", 0, 10) == ULONG_MAX && errno == ERANGE);
	errno = 0;
	assert(strtol("1", 0, 1) == 0 && errno == EINVAL);
	return 0;
}

/* Functions of the library, and builtins. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <time.h>
#include <arpa/inet.h>
int main(void)
{
	char s[12] = "hello, you", *p;
	assert(strnlen(s, 4) == 4 && strnlen("ab", 9) == 2);
	assert(strspn(s, "leh") == 4 && strcspn(s, ", ") == 5 && strcspn(s, "xz") == 10);
	p = strchr(s, 'l');
	assert(p == s + 2 && *p == 'l' && strchr(s, 'z') == 0 && strchr(s, 0) == s + 10);
	p = strrchr(s, 'o');
	assert(p - s == 8 && strrchr(s, 'q') == NULL && strrchr(s, 0) == s + 10);
	assert(strpbrk(s, "xo") == s + 4 && !strpbrk(s, "z"));
	assert(strstr(s, "lo,") == s + 3 && !strstr(s, "lx") && strstr(s, "") == s);
	assert(strcasecmp("aBc", "AbC") == 0 && strncasecmp("aBx", "Aby", 2) == 0 && strcasecmp("a", "B") < 0);
	char t[] = ",a,,b;";
	p = strtok(t, ",;");
	assert(p == t + 1 && p[1] == 0);
	p = strtok(NULL, ",;");
	assert(p == t + 4 && strcmp(p, "b") == 0 && !strtok(NULL, ",;") && !strtok(NULL, ","));
	assert(isprint(' ') && !isprint('\n') && !isgraph(' ') && isgraph('!') && ispunct('!') && !ispunct('a'));
	assert(iscntrl('\t') && iscntrl(127) && !iscntrl('a') && isblank('\t') && !isblank('\n'));
	assert(isxdigit('f') && isxdigit('A') && isxdigit('9') && !isxdigit('g'));
	assert(atoi(" -12x") == -12 && atol("+7") == 7 && atoi("") == 0);
	assert(div(-7, 2).quot == -3 && div(-7, 2).rem == -1 && ldiv(9, 4).rem == 1);
	assert(rand() >= 0 && rand() <= RAND_MAX);
	assert(__builtin_clz(1) == 31 && __builtin_clzl(1) == 63 && __builtin_clz(0xffff0000u) == 0 && __builtin_clzll(0x1234) == 51);
	assert(__builtin_ctz(8) == 3 && __builtin_ctzll(1ull << 40) == 40 && __builtin_ctz(0x80000000u) == 31);
	assert(__builtin_popcount(-1) == 32 && __builtin_popcountll(0xf0f0f0f0f0f0ull) == 24 && __builtin_parity(7) == 1 && __builtin_parityl(3) == 0);
	assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(0x80000001) == 0x01000080u && __builtin_bswap64(0x0102030405060708ul) == 0x0807060504030201ul);
	assert(__builtin_bswap32(0x80) > 0);
	assert(ffs(0) == 0 && ffs(8) == 4 && __builtin_ffsll(1ll << 50) == 51 && __builtin_ffs(-1) == 1);
	assert(htons(0x1234) == 0x3412 && ntohl(1) == 0x01000000);
	assert(__builtin_expect(strlen(s) == 10, 1) && __builtin_strlen("abc") == 3 && __builtin_abs(-4) == 4);
	errno = 0;
	errno = EINVAL;
	assert(errno == 22);
	struct tm when = {.tm_year = 70};
	assert(when.tm_year == 70 && when.tm_mon == 0);
	return 0;
}

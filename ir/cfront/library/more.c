/* What follows library.c where a program calls some of it. */

size_t strnlen(const char s[], size_t n)
{
	size_t i = 0;
	while (i < n && s[i])
		i++;
	return i;
}

static int has(const char set[], char c)
{
	for (size_t i = 0; set[i]; i++)
		if (set[i] == c)
			return 1;
	return 0;
}

size_t strspn(const char s[], const char set[])
{
	size_t i = 0;
	while (s[i] && has(set, s[i]))
		i++;
	return i;
}

size_t strcspn(const char s[], const char set[])
{
	size_t i = 0;
	while (s[i] && !has(set, s[i]))
		i++;
	return i;
}

int strncasecmp(const char s[], const char t[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int d = tolower((unsigned char)s[i]) - tolower((unsigned char)t[i]);
		if (d)
			return d < 0 ? -1 : 1;
		if (!s[i])
			return 0;
	}
	return 0;
}
int strncasecmp_any(const char s[], const char t[], size_t n) { return any(strncasecmp(s, t, n)); }
int strcasecmp(const char s[], const char t[]) { return strncasecmp(s, t, (size_t)-1); }
int strcasecmp_any(const char s[], const char t[]) { return any(strcasecmp(s, t)); }

/* These return a pointer into their argument. */
char *strchr(char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return 0;
	return s;
}

char *strrchr(char *s, int c)
{
	char *last = 0;
	for (;; s++) {
		if (*s == (char)c)
			last = s;
		if (!*s)
			return last;
	}
}

char *strpbrk(char *s, const char set[])
{
	for (; *s; s++)
		if (has(set, *s))
			return s;
	return 0;
}

char *strstr(char *s, const char t[])
{
	for (;; s++) {
		size_t i = 0;
		while (t[i] && s[i] == t[i])
			i++;
		if (!t[i])
			return s;
		if (!*s)
			return 0;
	}
}

static char *token_rest;

char *strtok(char *s, const char set[])
{
	if (!s)
		s = token_rest;
	if (!s)
		return 0;
	while (*s && has(set, *s))
		s++;
	token_rest = 0;
	if (!*s)
		return 0;
	char *first = s;
	while (*s && !has(set, *s))
		s++;
	if (*s) {
		*s = 0;
		token_rest = s + 1;
	}
	return first;
}

int isprint(int c) { return c >= ' ' && c <= '~'; }
int isgraph(int c) { return c > ' ' && c <= '~'; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int iscntrl(int c) { return c >= 0 && c < ' ' || c == 127; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isxdigit(int c) { return isdigit(c) || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f'; }
int isprint_any(int c) { return any_true(isprint(c)); }
int isgraph_any(int c) { return any_true(isgraph(c)); }
int ispunct_any(int c) { return any_true(ispunct(c)); }
int iscntrl_any(int c) { return any_true(iscntrl(c)); }
int isblank_any(int c) { return any_true(isblank(c)); }
int isxdigit_any(int c) { return any_true(isxdigit(c)); }

/* A number that does not fit is undefined: the digits are added up. */
long atol(const char s[])
{
	size_t i = 0;
	unsigned long v = 0;
	while (isspace((unsigned char)s[i]))
		i++;
	int negative = s[i] == '-';
	if (s[i] == '-' || s[i] == '+')
		i++;
	for (; isdigit((unsigned char)s[i]); i++)
		v = v * 10 + (s[i] - '0');
	return negative ? -v : v;
}
int atoi(const char s[]) { return (int)atol(s); }
#ifdef __LONG32
int64 atoll(const char s[])
{
	size_t i = 0;
	uint64 v = 0;
	while (isspace((unsigned char)s[i]))
		i++;
	int negative = s[i] == '-';
	if (s[i] == '-' || s[i] == '+')
		i++;
	for (; isdigit((unsigned char)s[i]); i++)
		v = v * 10 + (s[i] - '0');
	return negative ? -v : v;
}
#endif

int lock_free(size_t n, const void *p) { return n == 1 || n == 2 || n == 4 || n == 8; }
int perhaps_lock_free(size_t n, const void *p) { return lock_free(n, p) || nondet_result(); }

struct div { int quot, rem; };
struct div div(int x, int y) { struct div d = {x / y, x % y}; return d; }
struct ldiv { long quot, rem; };
struct ldiv ldiv(long x, long y) { struct ldiv d = {x / y, x % y}; return d; }
#ifdef __LONG32
struct lldiv { int64 quot, rem; };
struct lldiv lldiv(int64 x, int64 y) { struct lldiv d = {x / y, x % y}; return d; }
#endif

/* What comes from outside is free. */
static long nondet_long(void);
#ifdef __INT16
#define RAND_MOST 32767
#else
#define RAND_MOST 2147483647
#endif
long lrand48(void) { return nondet_result() & 0x7fffffff; }
long mrand48(void) { return (int32)nondet_result(); }
double drand48(void) { return ((uint64)(uint32)nondet_result() << 16 | nondet_result() & 0xffff) / 281474976710656.0; }
int rand(void) { return nondet_result() & RAND_MOST; }
long random(void) { return nondet_result() & RAND_MOST; }
int rand_r(unsigned *seed) { *seed = nondet_result(); return nondet_result() & RAND_MOST; }
long clock(void) { return nondet_long(); }
long time(long *t)
{
	long now = nondet_long();
	if (t)
		*t = now;
	return now;
}
static int any_char(void)
{
	int c = nondet_result();
	return c >= 0 && c <= 255 ? c : -1;
}
int getchar(void) { return any_char(); }
int getc(void *file) { return any_char(); }

char *fgets(char *s, int n, void *file)
{
	int i = 0;
	if (n <= 0)
		return 0;
	while (i < n - 1) {
		int c = any_char();
		if (c < 0)
			break;
		s[i++] = c;
		if (c == '\n')
			break;
	}
	if (!i && n > 1)
		return 0;
	s[i] = 0;
	return s;
}

/* Bits. clz and ctz of 0 are undefined. */
int clz64(uint64 x)
{
	int n = 0;
	if (!x)
		__builtin_unreachable();
	if (!(x >> 32)) { n += 32; x <<= 32; }
	if (!(x >> 48)) { n += 16; x <<= 16; }
	if (!(x >> 56)) { n += 8; x <<= 8; }
	if (!(x >> 60)) { n += 4; x <<= 4; }
	if (!(x >> 62)) { n += 2; x <<= 2; }
	return n + !(x >> 63);
}
int clz32(uint32 x) { return clz64(x) - 32; }
int clz16(unsigned short x) { return clz64(x) - 48; }

int clrsb64(int64 x)
{
	int64 y = x ^ x >> 63;
	return y ? clz64(y) - 1 : 63;
}
int clrsb32(int32 x) { return clrsb64(x) - 32; }
int clrsb16(short x) { return clrsb64(x) - 48; }

int ctz64(uint64 x)
{
	int n = 0;
	if (!x)
		__builtin_unreachable();
	if (!(x & 0xffffffff)) { n += 32; x >>= 32; }
	if (!(x & 0xffff)) { n += 16; x >>= 16; }
	if (!(x & 0xff)) { n += 8; x >>= 8; }
	if (!(x & 0xf)) { n += 4; x >>= 4; }
	if (!(x & 3)) { n += 2; x >>= 2; }
	return n + !(x & 1);
}
int ctz32(uint32 x) { return ctz64(x); }
int ctz16(unsigned short x) { return ctz64(x); }
int ffs64(int64 x) { return x ? ctz64(x) + 1 : 0; }

int popcount64(uint64 x)
{
	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	x = x + (x >> 4) & 0x0f0f0f0f0f0f0f0f;
	return x * 0x0101010101010101 >> 56;
}
int popcount32(uint32 x) { return popcount64(x); }
int popcount16(unsigned short x) { return popcount64(x); }
int parity64(uint64 x) { return popcount64(x) & 1; }
int parity32(uint32 x) { return popcount64(x) & 1; }
int parity16(unsigned short x) { return popcount64(x) & 1; }

unsigned short bswap16(unsigned short x) { return x << 8 | x >> 8; }
uint32 bswap32(uint32 x) { return x << 24 | (x & 0xff00) << 8 | x >> 8 & 0xff00 | x >> 24; }
uint64 bswap64(uint64 x) { return (uint64)bswap32(x) << 32 | bswap32(x >> 32); }

/* clang's: the bits in the other order, and turned by n places, whatever n is. */

unsigned char bitreverse8(unsigned char x)
{
	x = x >> 4 | x << 4;
	x = (x & 0xcc) >> 2 | (x & 0x33) << 2;
	return (x & 0xaa) >> 1 | (x & 0x55) << 1;
}
unsigned short bitreverse16(unsigned short x) { return bitreverse8(x) << 8 | bitreverse8(x >> 8); }
uint32 bitreverse32(uint32 x) { return (uint32)bitreverse16(x) << 16 | bitreverse16(x >> 16); }
uint64 bitreverse64(uint64 x) { return (uint64)bitreverse32(x) << 32 | bitreverse32(x >> 32); }

uint64 rotate(uint64 x, unsigned n, unsigned width) { return n ? x << n | x >> (width - n) : x; }
unsigned char rotateleft8(unsigned char x, unsigned char n) { return rotate(x, n & 7, 8); }
unsigned short rotateleft16(unsigned short x, unsigned short n) { return rotate(x, n & 15, 16); }
uint32 rotateleft32(uint32 x, uint32 n) { return rotate(x, n & 31, 32); }
uint64 rotateleft64(uint64 x, uint64 n) { return rotate(x, n & 63, 64); }
unsigned char rotateright8(unsigned char x, unsigned char n) { return rotate(x, -n & 7, 8); }
unsigned short rotateright16(unsigned short x, unsigned short n) { return rotate(x, -n & 15, 16); }
uint32 rotateright32(uint32 x, uint32 n) { return rotate(x, -n & 31, 32); }
uint64 rotateright64(uint64 x, uint64 n) { return rotate(x, -n & 63, 64); }

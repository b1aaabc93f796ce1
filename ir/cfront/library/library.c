/* The C library of package cfront. Those that return their first argument
   return nothing here: the caller has it. The character functions are those
   of the C locale.

   Of some results C says no more than their sign, or that they are not 0. Those
   functions give -1, 0 or 1, which is as good for who looks at no more; their
   namesakes in _any give anything that C allows, by a choice whose 0 stands for
   what the first ones give. */

static int nondet_result(void);

static int any(int d)
{
	int r = nondet_result();
	if (d > 0)
		return r > 0 ? r : 1;
	if (d < 0)
		return r < 0 ? r : -1;
	return 0;
}

static int any_true(int d)
{
	int r = nondet_result();
	return !d ? 0 : r ? r : 1;
}

unsigned long strlen(const char s[])
{
	unsigned long n = 0;
	while (s[n])
		n++;
	return n;
}

int strcmp(const char s[], const char t[])
{
	unsigned long i = 0;
	while (s[i] && s[i] == t[i])
		i++;
	return ((unsigned char)s[i] > (unsigned char)t[i]) - ((unsigned char)s[i] < (unsigned char)t[i]);
}
int strcmp_any(const char s[], const char t[]) { return any(strcmp(s, t)); }

int strncmp(const char s[], const char t[], unsigned long n)
{
	unsigned long i = 0;
	while (i < n && s[i] && s[i] == t[i])
		i++;
	if (i == n)
		return 0;
	return ((unsigned char)s[i] > (unsigned char)t[i]) - ((unsigned char)s[i] < (unsigned char)t[i]);
}
int strncmp_any(const char s[], const char t[], unsigned long n) { return any(strncmp(s, t, n)); }

void strcpy(char d[], const char s[])
{
	unsigned long i = 0;
	while (s[i]) {
		d[i] = s[i];
		i++;
	}
	d[i] = 0;
}

void strncpy(char d[], const char s[], unsigned long n)
{
	unsigned long i = 0;
	while (i < n && s[i]) {
		d[i] = s[i];
		i++;
	}
	while (i < n)
		d[i++] = 0;
}

void strcat(char d[], const char s[])
{
	unsigned long n = 0, i = 0;
	while (d[n])
		n++;
	while (s[i]) {
		d[n + i] = s[i];
		i++;
	}
	d[n + i] = 0;
}

void strncat(char d[], const char s[], unsigned long m)
{
	unsigned long n = 0, i = 0;
	while (d[n])
		n++;
	while (i < m && s[i]) {
		d[n + i] = s[i];
		i++;
	}
	d[n + i] = 0;
}

/* Lengths are in bytes. Those that are no whole number of elements end inside
   one, in its low bytes first: REST is what they make of it. */
#define REST(T, OLD, NEW) (T)(((OLD) & ~((1ul << n % sizeof(T) * 8) - 1)) | ((NEW) & ((1ul << n % sizeof(T) * 8) - 1)))

/* The arrays of memmove may overlap. */
#define MEMORY(T, S) \
	void memset_##S(T d[], int c, unsigned long n) \
	{ \
		unsigned long v = (unsigned char)c * 0x0101010101010101ul, k = n / sizeof(T); \
		for (unsigned long i = 0; i < k; i++) \
			d[i] = (T)v; \
		if (n % sizeof(T)) \
			d[k] = REST(T, d[k], v); \
	} \
	void memcpy_##S(T d[], const T s[], unsigned long n) \
	{ \
		unsigned long k = n / sizeof(T); \
		for (unsigned long i = 0; i < k; i++) \
			d[i] = s[i]; \
		if (n % sizeof(T)) \
			d[k] = REST(T, d[k], s[k]); \
	} \
	void memmove_##S(T *d, const T *s, unsigned long n) \
	{ \
		unsigned long k = n / sizeof(T); \
		if (d > s) { \
			if (n % sizeof(T)) \
				d[k] = REST(T, d[k], s[k]); \
			while (k > 0) { \
				k--; \
				d[k] = s[k]; \
			} \
			return; \
		} \
		for (unsigned long i = 0; i < k; i++) \
			d[i] = s[i]; \
		if (n % sizeof(T)) \
			d[k] = REST(T, d[k], s[k]); \
	}

MEMORY(char, i8)
MEMORY(unsigned char, u8)
MEMORY(short, i16)
MEMORY(unsigned short, u16)
MEMORY(int, i32)
MEMORY(unsigned, u32)
MEMORY(long, i64)
MEMORY(unsigned long, u64)

int memcmp_i8(const char s[], const char t[], unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		if (s[i] != t[i])
			return (unsigned char)s[i] < (unsigned char)t[i] ? -1 : 1;
	return 0;
}
int memcmp_i8_any(const char s[], const char t[], unsigned long n) { return any(memcmp_i8(s, t, n)); }

int memcmp_u8(const unsigned char s[], const unsigned char t[], unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		if (s[i] != t[i])
			return s[i] < t[i] ? -1 : 1;
	return 0;
}
int memcmp_u8_any(const unsigned char s[], const unsigned char t[], unsigned long n) { return any(memcmp_u8(s, t, n)); }

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'; }
int isalnum(int c) { return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'; }
int isspace(int c) { return c == ' ' || c >= '\t' && c <= '\r'; }

int isdigit_any(int c) { return any_true(isdigit(c)); }
int isupper_any(int c) { return any_true(isupper(c)); }
int islower_any(int c) { return any_true(islower(c)); }
int isalpha_any(int c) { return any_true(isalpha(c)); }
int isalnum_any(int c) { return any_true(isalnum(c)); }
int isspace_any(int c) { return any_true(isspace(c)); }

int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }

unsigned long strnlen(const char s[], unsigned long n)
{
	unsigned long i = 0;
	while (i < n && s[i])
		i++;
	return i;
}

static int has(const char set[], char c)
{
	for (unsigned long i = 0; set[i]; i++)
		if (set[i] == c)
			return 1;
	return 0;
}

unsigned long strspn(const char s[], const char set[])
{
	unsigned long i = 0;
	while (s[i] && has(set, s[i]))
		i++;
	return i;
}

unsigned long strcspn(const char s[], const char set[])
{
	unsigned long i = 0;
	while (s[i] && !has(set, s[i]))
		i++;
	return i;
}

int strncasecmp(const char s[], const char t[], unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		int d = tolower((unsigned char)s[i]) - tolower((unsigned char)t[i]);
		if (d)
			return d < 0 ? -1 : 1;
		if (!s[i])
			return 0;
	}
	return 0;
}
int strncasecmp_any(const char s[], const char t[], unsigned long n) { return any(strncasecmp(s, t, n)); }
int strcasecmp(const char s[], const char t[]) { return strncasecmp(s, t, -1ul); }
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
		unsigned long i = 0;
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
	unsigned long i = 0, v = 0;
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

struct div { int quot, rem; };
struct div div(int x, int y) { struct div d = {x / y, x % y}; return d; }
struct ldiv { long quot, rem; };
struct ldiv ldiv(long x, long y) { struct ldiv d = {x / y, x % y}; return d; }

/* What comes from outside is free. */
static long nondet_long(void);
int rand(void) { return nondet_result() & 2147483647; }
long random(void) { return nondet_result() & 2147483647; }
int rand_r(unsigned *seed) { *seed = nondet_result(); return nondet_result() & 2147483647; }
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

/* Bits. clz and ctz of 0 are undefined. */
int clz64(unsigned long x)
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
int clz32(unsigned x) { return clz64(x) - 32; }

int ctz64(unsigned long x)
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
int ctz32(unsigned x) { return ctz64(x); }
int ffs64(long x) { return x ? ctz64(x) + 1 : 0; }

int popcount64(unsigned long x)
{
	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	x = x + (x >> 4) & 0x0f0f0f0f0f0f0f0f;
	return x * 0x0101010101010101 >> 56;
}
int popcount32(unsigned x) { return popcount64(x); }
int parity64(unsigned long x) { return popcount64(x) & 1; }
int parity32(unsigned x) { return popcount64(x) & 1; }

unsigned short bswap16(unsigned short x) { return x << 8 | x >> 8; }
unsigned bswap32(unsigned x) { return x << 24 | (x & 0xff00) << 8 | x >> 8 & 0xff00 | x >> 24; }
unsigned long bswap64(unsigned long x) { return (unsigned long)bswap32(x) << 32 | bswap32(x >> 32); }

/* Copies of strings, numbers in them, and searches in memory. */

extern void *malloc(size_t);

char *strdup(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	char *copy = malloc(n + 1);
	if (copy)
		for (size_t i = 0; i <= n; i++)
			copy[i] = s[i];
	return copy;
}

char *strndup(const char *s, size_t most)
{
	size_t n = 0;
	while (n < most && s[n])
		n++;
	char *copy = malloc(n + 1);
	if (copy) {
		for (size_t i = 0; i < n; i++)
			copy[i] = s[i];
		copy[n] = 0;
	}
	return copy;
}

char *stpcpy(char *d, const char *s)
{
	size_t i = 0;
	for (; s[i]; i++) {
		__apart(d, i, s);
		d[i] = s[i];
	}
	__apart(d, i, s);
	d[i] = 0;
	return d + i;
}

size_t strlcpy(char *d, const char *s, size_t size)
{
	size_t n = 0;
	for (; s[n]; n++)
		if (n + 1 < size) {
			__apart(d, n, s);
			d[n] = s[n];
		}
	__apart(d, n < size ? n + 1 : size, s, n + 1);
	if (size)
		d[n < size ? n : size - 1] = 0;
	return n;
}

size_t strlcat(char *d, const char *s, size_t size)
{
	size_t at = 0;
	while (at < size && d[at])
		at++;
	return at + strlcpy(d + at, s, size - at);
}

char *strchrnul(char *s, int c)
{
	while (*s && *s != (char)c)
		s++;
	return s;
}

static int is_one_of(const char *set, char c)
{
	for (; *set; set++)
		if (*set == c)
			return 1;
	return 0;
}

char *strtok_r(char *s, const char *set, char **rest)
{
	if (!s)
		s = *rest;
	while (*s && is_one_of(set, *s))
		s++;
	char *first = s;
	while (*s && !is_one_of(set, *s))
		s++;
	*rest = *s ? s + 1 : s;
	if (s == first)
		return 0;
	*s = 0;
	return first;
}

char *strsep(char **rest, const char *set)
{
	char *first = *rest, *s = first;
	if (!s)
		return 0;
	while (*s && !is_one_of(set, *s))
		s++;
	*rest = *s ? s + 1 : 0;
	*s = 0;
	return first;
}

void *memchr(const void *s, int c, size_t n)
{
	const char *p = s;
	for (; n > 0; n--, p++)
		if (*p == (char)c)
			return (void *)p;
	return 0;
}

void *memrchr(const void *s, int c, size_t n)
{
	const char *p = s;
	while (n > 0) {
		n--;
		if (p[n] == (char)c)
			return (void *)(p + n);
	}
	return 0;
}

/* The value of a digit, 36 for what is none. */
static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}

/* Numbers up to MOST, or with a sign LEAST: beyond them the result is the
   nearer of both, and errno ERANGE. */
#define NUMBER(T, U, NAME, MOST, LEAST, LOWEST) \
	T NAME(const char *s, char **end, int base) \
	{ \
		const char *p = s; \
		while (isspace((unsigned char)*p)) \
			p++; \
		int negative = *p == '-'; \
		if (*p == '-' || *p == '+') \
			p++; \
		if (base < 0 || base == 1 || base > 36) { \
			__set_errno(22); \
			return 0; \
		} \
		if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && digit(p[2]) < 16) { \
			p += 2; \
			base = 16; \
		} \
		if (base == 0) \
			base = *p == '0' ? 8 : 10; \
		U v = 0; \
		U whole = negative ? LEAST / base : MOST / base, rest = negative ? LEAST % base : MOST % base; \
		int beyond = 0, any = 0; \
		for (int d; (d = digit(*p)) < base; p++) { \
			any = 1; \
			beyond = beyond || v > whole || v == whole && d > rest; \
			v = v * base + d; \
		} \
		if (end) \
			*end = (char *)(any ? p : s); \
		if (beyond) { \
			__set_errno(34); \
			return negative ? LOWEST : MOST; \
		} \
		return negative ? -v : v; \
	}

#ifdef __LONG32
NUMBER(long, unsigned long, strtol, 0x7ffffffful, 0x80000000ul, 0x80000000ul)
NUMBER(int64, uint64, strtoll, 0x7fffffffffffffffu, 0x8000000000000000u, 0x8000000000000000u)
NUMBER(uint64, uint64, strtoull, (uint64)-1, (uint64)-1, (uint64)-1)
#else
NUMBER(long, unsigned long, strtol, 0x7fffffffffffffffu, 0x8000000000000000u, 0x8000000000000000u)
#endif
NUMBER(unsigned long, unsigned long, strtoul, -1ul, -1ul, -1ul)

/* The result is as aligned as that of malloc. */
int posix_memalign(void **result, size_t alignment, size_t size)
{
	if (alignment < 8 || alignment & (alignment - 1))
		return 22;
	void *p = malloc(size);
	if (!p)
		return 12;
	*result = p;
	return 0;
}

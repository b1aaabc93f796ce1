/* The C library of package cfront. Those that return their first argument
   return nothing here: the caller has it. The character functions are those
   of the C locale.

   Of some results C says no more than their sign, or that they are not 0. Those
   functions give -1, 0 or 1, which is as good for who looks at no more; their
   namesakes in _any give anything that C allows, by a choice whose 0 stands for
   what the first ones give. */

typedef __predefined_size_t size_t;
typedef __predefined_int64_t int64;
typedef __predefined_uint64_t uint64;
typedef __predefined_int32_t int32;
typedef __predefined_uint32_t uint32;

/* What the letters before a conversion add up to, above which a number has 64
   bits, and that argument. */
#ifdef __LONG32
#define LENGTH(C) ((C) == 'h' ? -1 : (C) == 'j' ? 2 : (C) == 'l')
#else
#define LENGTH(C) ((C) == 'h' ? -1 : 1)
#endif
#ifdef __INT16
#define WIDE 0
#define NEXT_WIDE(T, LONG) (length > 1 ? __builtin_va_arg(list, T) : __builtin_va_arg(list, LONG))
#else
#ifdef __LONG32
#define WIDE 1
#else
#define WIDE 0
#endif
#define NEXT_WIDE(T, LONG) __builtin_va_arg(list, T)
#endif

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

size_t strlen(const char s[])
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

int strcmp(const char s[], const char t[])
{
	size_t i = 0;
	while (s[i] && s[i] == t[i])
		i++;
	return ((unsigned char)s[i] > (unsigned char)t[i]) - ((unsigned char)s[i] < (unsigned char)t[i]);
}
int strcmp_any(const char s[], const char t[]) { return any(strcmp(s, t)); }

int strncmp(const char s[], const char t[], size_t n)
{
	size_t i = 0;
	while (i < n && s[i] && s[i] == t[i])
		i++;
	if (i == n)
		return 0;
	return ((unsigned char)s[i] > (unsigned char)t[i]) - ((unsigned char)s[i] < (unsigned char)t[i]);
}
int strncmp_any(const char s[], const char t[], size_t n) { return any(strncmp(s, t, n)); }

void strcpy(char d[], const char s[])
{
	size_t i = 0;
	while (s[i]) {
		__apart(d, i, s);
		d[i] = s[i];
		i++;
	}
	__apart(d, i, s);
	d[i] = 0;
}

void strncpy(char d[], const char s[], size_t n)
{
	size_t i = 0;
	while (i < n && s[i]) {
		__apart(d, i, s);
		d[i] = s[i];
		i++;
	}
	__apart(d, n, s, i + (i < n));
	while (i < n)
		d[i++] = 0;
}

void strcat(char d[], const char s[])
{
	size_t n = 0, i = 0;
	while (d[n])
		n++;
	while (s[i]) {
		__apart(d + n, i, s);
		d[n + i] = s[i];
		i++;
	}
	__apart(d + n, i, s);
	d[n + i] = 0;
}

void strncat(char d[], const char s[], size_t m)
{
	size_t n = 0, i = 0;
	while (d[n])
		n++;
	while (i < m && s[i]) {
		__apart(d + n, i, s);
		d[n + i] = s[i];
		i++;
	}
	__apart(d + n, i + 1, s, i + (i < m));
	d[n + i] = 0;
}

/* Lengths are in bytes. Those that are no whole number of elements end inside
   one, in its low bytes first: REST is what they make of it. */
#define REST(T, OLD, NEW) (T)(((OLD) & ~(((uint64)1 << n % sizeof(T) * 8) - 1)) | ((NEW) & (((uint64)1 << n % sizeof(T) * 8) - 1)))

/* The arrays of memmove may overlap; copy is memmove of whole arrays, which are
   the same or apart. */
#define MEMORY(T, S) \
	void memset_##S(T d[], int c, size_t n) \
	{ \
		uint64 v = (unsigned char)c * (uint64)0x0101010101010101; \
		size_t k = n / sizeof(T); \
		for (size_t i = 0; i < k; i++) \
			d[i] = (T)v; \
		if (n % sizeof(T)) \
			d[k] = REST(T, d[k], v); \
	} \
	void copy_##S(T d[], const T s[], size_t n) \
	{ \
		size_t k = n / sizeof(T); \
		for (size_t i = 0; i < k; i++) \
			d[i] = s[i]; \
		if (n % sizeof(T)) \
			d[k] = REST(T, d[k], s[k]); \
	} \
	void memcpy_##S(T d[], const T s[], size_t n) \
	{ \
		size_t k = n / sizeof(T); \
		__disjoint(d, d + (n + sizeof(T) - 1) / sizeof(T), s, s + (n + sizeof(T) - 1) / sizeof(T)); \
		for (size_t i = 0; i < k; i++) \
			d[i] = s[i]; \
		if (n % sizeof(T)) \
			d[k] = REST(T, d[k], s[k]); \
	} \
	void memmove_##S(T *d, const T *s, size_t n) \
	{ \
		size_t k = n / sizeof(T); \
		if (d > s) { \
			if (n % sizeof(T)) \
				d[k] = REST(T, d[k], s[k]); \
			while (k > 0) { \
				k--; \
				d[k] = s[k]; \
			} \
			return; \
		} \
		for (size_t i = 0; i < k; i++) \
			d[i] = s[i]; \
		if (n % sizeof(T)) \
			d[k] = REST(T, d[k], s[k]); \
	}

MEMORY(char, i8)
MEMORY(unsigned char, u8)
MEMORY(short, i16)
MEMORY(unsigned short, u16)
MEMORY(int32, i32)
MEMORY(uint32, u32)
MEMORY(int64, i64)
MEMORY(uint64, u64)

/* Both have n bytes, also where an earlier one differs. */
int memcmp_i8(const char s[], const char t[], size_t n)
{
	if (n > 0) {
		char last = s[n - 1];
		last = t[n - 1];
	}
	for (size_t i = 0; i < n; i++)
		if (s[i] != t[i])
			return (unsigned char)s[i] < (unsigned char)t[i] ? -1 : 1;
	return 0;
}
int memcmp_i8_any(const char s[], const char t[], size_t n) { return any(memcmp_i8(s, t, n)); }

int memcmp_u8(const unsigned char s[], const unsigned char t[], size_t n)
{
	if (n > 0) {
		unsigned char last = s[n - 1];
		last = t[n - 1];
	}
	for (size_t i = 0; i < n; i++)
		if (s[i] != t[i])
			return s[i] < t[i] ? -1 : 1;
	return 0;
}
int memcmp_u8_any(const unsigned char s[], const unsigned char t[], size_t n) { return any(memcmp_u8(s, t, n)); }

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
#ifdef __LONG32
int64 llabs(int64 x) { return x < 0 ? -x : x; }
#endif

/* Numbers, words and characters that are read from text. A run that needs more
   than is here is cut: package cfront refuses the conversions that it sees. */

typedef __builtin_va_list va_list;
extern void *__builtin_va_next(va_list, size_t);
extern void __builtin_va_begin(va_list);

static long nondet_long(void);
static double nondet_number(void);

#ifdef __INT16
#define ALL 32767
#else
#define ALL 2147483647
#endif

/* The most that a number of that length may be. */
#ifdef __LONG32
#define MOST_SIGNED (length > WIDE ? 0x7fffffffffffffff : 0x7fffffff)
#define MOST (length > WIDE ? (uint64)-1 : 0xffffffff)
#else
#define MOST_SIGNED 0x7fffffffffffffff
#define MOST (uint64)-1
#endif

static int is_blank(char c) { return c == ' ' || c >= '\t' && c <= '\r'; }
static int is_decimal(char c) { return c >= '0' && c <= '9'; }

/* The value of a digit, above every base for what is none. */
static int digit_value(char c)
{
	if (is_decimal(c))
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

/* An integer of at most width characters, as strtol and, with most = -1, strtoul
   read it; one that doesn't fit is free. The result is the text after it, or null
   where there is none. */
static const char *scan_integer(const char *s, int width, int base, uint64 most, uint64 *to)
{
	uint64 v = 0;
	int digits = 0, large = 0, minus = *s == '-';
	if (minus || *s == '+') {
		s++;
		width--;
	}
	if (width > 1 && *s == '0' && (s[1] == 'x' || s[1] == 'X') && (base == 0 || base == 16)) {
		if (width == 2 || digit_value(s[2]) > 15)
			__cut();
		base = 16;
		s += 2;
		width -= 2;
	}
	if (base == 0)
		base = width > 0 && *s == '0' ? 8 : 10;
	for (; digits < width && digit_value(*s) < base; s++) {
		unsigned d = digit_value(*s);
		if (v > (most + minus * (most != (uint64)-1) - d) / base)
			large = 1;
		v = v * base + d;
		digits++;
	}
	*to = large ? nondet_long() : minus ? -v : v;
	return digits ? s : 0;
}

/* A number of at most width characters. It is exact where the digits are an integer
   below 2^53, or 2^24 for a float, and the power of 10 is exact too: then one operation
   rounds it. Else any number. */
static const char *scan_number(const char *s, int width, int single, double *to)
{
	uint64 v = 0;
	int digits = 0, power = 0, exact = 1, point = 0, minus = *s == '-', used = 0;
	if (minus || *s == '+') {
		s++;
		used++;
	}
	if (used < width && (*s == 'i' || *s == 'I' || *s == 'n' || *s == 'N'))
		__cut(); /* infinity, nan */
	for (; used < width && (is_decimal(*s) || *s == '.' && !point); s++, used++) {
		if (*s == '.') {
			point = 1;
			continue;
		}
		digits++;
		if (v > (single ? 1677720 : 900719925474098))
			exact = 0;
		else
			v = v * 10 + (*s - '0');
		power -= point;
	}
	if (digits == 1 && v == 0 && !point && used < width && (*s == 'x' || *s == 'X'))
		__cut(); /* hexadecimal */
	if (digits && used < width && (*s == 'e' || *s == 'E')) {
		int e = 0, down = s[1] == '-', sign = down || s[1] == '+';
		if (used + 1 + sign >= width || !is_decimal(s[1 + sign]))
			__cut(); /* what is read depends on the function */
		for (s += 1 + sign, used += 1 + sign; used < width && is_decimal(*s); s++, used++)
			if (e < 9999)
				e = e * 10 + (*s - '0');
		power += down ? -e : e;
	}
	double x = v, scale = 1;
	if (v == 0 && exact)
		power = 0;
	exact = exact && (single ? power >= -10 && power <= 10 : power >= -22 && power <= 22);
	if (exact)
		for (int i = power < 0 ? -power : power; i > 0; i--)
			scale *= 10;
	if (single)
		x = power < 0 ? (float)x / (float)scale : (float)x * (float)scale;
	else
		x = power < 0 ? x / scale : x * scale;
	if (!exact) {
		__forget_errno(); /* it may be out of range */
		x = nondet_number();
		if (!(x >= 0))
			x = 0;
	}
	*to = minus ? -x : x;
	return digits ? s : 0;
}

static int in_set(const char *set, const char *end, char c)
{
	for (; set < end; set++)
		if (set + 2 < end && set[1] == '-') {
			if ((unsigned char)c >= (unsigned char)set[0] && (unsigned char)c <= (unsigned char)set[2])
				return 1;
			set += 2;
		} else if (*set == c)
			return 1;
	return 0;
}

int vsscanf(const char *s, const char *format, va_list list)
{
	const char *begin = s;
	int done = 0;
	for (const char *p = format; *p; p++) {
		if (is_blank(*p) || *p == '%' && p[1] == '%')
			while (is_blank(*s))
				s++;
		if (is_blank(*p))
			continue;
		if (*p != '%' || *++p == '%') {
			if (!*s)
				return done ? done : -1;
			if (*s++ != *p)
				return done;
			continue;
		}
		int width = 0, length = 0, drop = *p == '*';
		p += drop;
		while (is_decimal(*p))
			width = width * 10 + (*p++ - '0');
		for (; *p == 'l' || *p == 'h' || *p == 'z' || *p == 'j' || *p == 't'; p++)
			length += LENGTH(*p);

		char c = *p;
		if (length && (c == 'c' || c == 's' || c == '['))
			__cut(); /* wide */
		uint64 v = s - begin;
		if (c != 'n') {
			if (c != 'c' && c != '[')
				while (is_blank(*s))
					s++;
			if (!*s)
				return done ? done : -1;
		}
		if (c == 'c') {
			char *d = drop ? 0 : __builtin_va_arg(list, char *);
			for (int i = 0; i < (width ? width : 1) && *s; i++, s++)
				if (!drop)
					d[i] = *s;
		} else if (c == 's' || c == '[') {
			char *d = drop ? 0 : __builtin_va_arg(list, char *);
			const char *set = p + 1;
			int other = c == '[' && *set == '^', n = 0;
			if (c == '[') {
				set += other;
				p = set + (*set == ']');
				while (*p && *p != ']')
					p++;
			}
			while (*s && (!width || n < width) && (c == 's' ? !is_blank(*s) : in_set(set, p, *s) != other)) {
				if (!drop)
					d[n] = *s;
				n++;
				s++;
			}
			if (!n)
				return done;
			if (!drop)
				d[n] = 0;
		} else if (c == 'f' || c == 'e' || c == 'g' || c == 'F' || c == 'E' || c == 'G') {
			double x;
			s = scan_number(s, width ? width : ALL, length <= 0, &x);
			if (!s)
				return done;
			if (!drop && length > 0)
				*__builtin_va_arg(list, double *) = x;
			else if (!drop)
				*__builtin_va_arg(list, float *) = x;
		} else {
			if (c == 'd')
				s = scan_integer(s, width ? width : ALL, 10, MOST_SIGNED, &v);
			else if (c == 'i')
				s = scan_integer(s, width ? width : ALL, 0, MOST_SIGNED, &v);
			else if (c == 'u')
				s = scan_integer(s, width ? width : ALL, 10, MOST, &v);
			else if (c == 'x' || c == 'X')
				s = scan_integer(s, width ? width : ALL, 16, MOST, &v);
			else if (c == 'o')
				s = scan_integer(s, width ? width : ALL, 8, MOST, &v);
			else if (c != 'n')
				__cut();
			if (!s)
				return done;
#ifdef __INT16
			if (!drop && length == 1)
				*__builtin_va_arg(list, long *) = v;
			else
#endif
			if (!drop && length > WIDE)
				*__builtin_va_arg(list, int64 *) = v;
			else if (!drop && length >= 0)
				*__builtin_va_arg(list, int *) = v;
			else if (!drop && length == -1)
				*__builtin_va_arg(list, short *) = v;
			else if (!drop)
				*__builtin_va_arg(list, char *) = v;
		}
		done += !drop && c != 'n';
	}
	return done;
}

int sscanf(const char *s, const char *format, ...)
{
	va_list list;
	__builtin_va_start(list, format);
	return vsscanf(s, format, list);
}

static double number_of(const char *s, char **end, int single)
{
	const char *p = s;
	double x = 0;
	while (is_blank(*p))
		p++;
	p = scan_number(p, ALL, single, &x);
	if (end)
		*end = (char *)(p ? p : s);
	return p ? x : 0;
}

double strtod(const char *s, char **end) { return number_of(s, end, 0); }
float strtof(const char *s, char **end) { return number_of(s, end, 1); }
long double strtold(const char *s, char **end) { return number_of(s, end, 0); }
double atof(const char *s) { return number_of(s, 0, 0); }

/* Formatted text in memory. A run that asks for a conversion that is not here
   is cut: package cfront refuses those that it sees. */

typedef __builtin_va_list va_list;
extern void *malloc(size_t);
extern void *__builtin_va_next(va_list, size_t);
extern void __builtin_va_begin(va_list);
extern void __builtin_va_copy(va_list, va_list);

#define PUT(C) { \
		if (at + 1 < size) \
			d[at] = C; \
		at++; \
	}

#define DIGITS(V) do { \
		int digit = V % base; \
		text[n++] = digit + (digit < 10 ? '0' : letter - 10); \
	} while (V /= base)

int vsnprintf(char *d, size_t size, const char *format, va_list list)
{
	size_t at = 0;
	for (const char *p = format; *p; p++) {
		if (*p != '%') {
			PUT(*p)
			continue;
		}
		int left = 0, zero = 0, other = 0, precision = -1, width = 0, length = 0;
		char sign = 0;
		for (p++; *p == '-' || *p == '0' || *p == '+' || *p == ' ' || *p == '#'; p++) {
			if (*p == '-')
				left = 1;
			else if (*p == '0')
				zero = 1;
			else if (*p == '#')
				other = 1;
			else if (sign != '+')
				sign = *p;
		}
		if (*p == '*') {
			width = __builtin_va_arg(list, int);
			p++;
			if (width < 0) {
				left = 1;
				width = -width;
			}
		}
		while (*p >= '0' && *p <= '9')
			width = width * 10 + (*p++ - '0');
		if (*p == '.') {
			precision = 0;
			p++;
			if (*p == '*') {
				precision = __builtin_va_arg(list, int);
				p++;
			}
			while (*p >= '0' && *p <= '9')
				precision = precision * 10 + (*p++ - '0');
		}
		for (; *p == 'l' || *p == 'h' || *p == 'z' || *p == 'j' || *p == 't'; p++)
			length += LENGTH(*p);

		char text[24]; /* the digits, the last one first */
		const char *s = 0;
		int n = 0, base = 10, limit = -1;
		char letter = 'a', prefix = 0;
		if (*p == 'd' || *p == 'i') {
			int64 v = length > WIDE ? NEXT_WIDE(int64, long) : __builtin_va_arg(list, int);
			if (length == -1)
				v = (short)v;
			else if (length < -1)
				v = (signed char)v;
			if (v < 0)
				sign = '-';
			if (length > WIDE) {
				uint64 u = v < 0 ? -(uint64)v : v;
				if (u || precision)
					DIGITS(u);
			} else {
				unsigned u = v < 0 ? -(unsigned)v : v;
				if (u || precision)
					DIGITS(u);
			}
		} else if (*p == 'u' || *p == 'x' || *p == 'X' || *p == 'o') {
			sign = 0;
			base = *p == 'u' ? 10 : *p == 'o' ? 8 : 16;
			if (*p == 'X')
				letter = 'A';
			if (length > WIDE) {
				uint64 u = NEXT_WIDE(uint64, unsigned long);
				if (other && u && base == 16)
					prefix = *p;
				if (u || precision || other && base == 8)
					DIGITS(u);
			} else {
				unsigned u = __builtin_va_arg(list, unsigned);
				if (length == -1)
					u = (unsigned short)u;
				else if (length < -1)
					u = (unsigned char)u;
				if (other && u && base == 16)
					prefix = *p;
				if (u || precision || other && base == 8)
					DIGITS(u);
			}
			if (other && base == 8 && text[n - 1] != '0' && precision <= n)
				precision = n + 1;
		} else if (*p == 'c') {
			text[n++] = (char)__builtin_va_arg(list, int);
			sign = 0;
			precision = -1;
		} else if (*p == 's') {
			s = __builtin_va_arg(list, const char *);
			while (n != precision && s[n])
				n++;
			sign = 0;
			limit = precision;
			precision = -1;
		} else if (*p == '%') {
			text[n++] = '%';
			sign = 0;
		} else
			__cut();

		int zeros = precision > n ? precision - n : 0;
		int used = n + zeros + (sign != 0) + (prefix ? 2 : 0);
		if (zero && !left && precision < 0 && !s && *p != 'c' && used < width) {
			zeros += width - used;
			used = width;
		}
		if (s) {
			size_t end = at + (used < width ? width : used) + 1; /* something follows, be it the end */
			__apart(d, end < size ? end : size, s, n + (n != limit));
		}
		if (!left)
			for (int i = used; i < width; i++)
				PUT(' ')
		if (sign)
			PUT(sign)
		if (prefix) {
			PUT('0')
			PUT(prefix)
		}
		for (int i = 0; i < zeros; i++)
			PUT('0')
		for (int i = 0; i < n; i++)
			PUT((s ? s[i] : text[n - 1 - i]))
		if (left)
			for (int i = used; i < width; i++)
				PUT(' ')
	}
	if (size)
		d[at < size ? at : size - 1] = 0;
	return at;
}

int vsprintf(char *d, const char *format, va_list list) { return vsnprintf(d, (size_t)-1, format, list); }

int snprintf(char *d, size_t size, const char *format, ...)
{
	va_list list;
	__builtin_va_start(list, format);
	return vsnprintf(d, size, format, list);
}

int sprintf(char *d, const char *format, ...)
{
	va_list list;
	__builtin_va_start(list, format);
	return vsnprintf(d, (size_t)-1, format, list);
}

int vasprintf(char **result, const char *format, va_list list)
{
	va_list again;
	__builtin_va_copy(again, list);
	int n = vsnprintf(0, 0, format, list);
	char *s = malloc(n + (size_t)1);
	if (!s)
		return -1;
	*result = s;
	return vsnprintf(s, n + (size_t)1, format, again);
}

int asprintf(char **result, const char *format, ...)
{
	va_list list;
	__builtin_va_start(list, format);
	return vasprintf(result, format, list);
}

/* Functions of math.h, of doubles; package cfront converts for others. What no
   rule of arithmetic gives is free: the functions say where its values lie. */

static double nondet_number(void);

/* Free between low and high, which it may be too. */
static double between(double low, double high)
{
	double r = nondet_number();
	return r >= low && r <= high ? r : low;
}

static double any_number(void)
{
	double r = nondet_number();
	return r == r ? r : 0;
}

double fmin(double x, double y)
{
	if (x != x)
		return y;
	if (y != y)
		return x;
	return x < y || x == y && __builtin_signbit(x) ? x : y;
}

double fmax(double x, double y)
{
	if (x != x)
		return y;
	if (y != y)
		return x;
	return x > y || x == y && !__builtin_signbit(x) ? x : y;
}

double fdim(double x, double y) { return x <= y ? 0 : x - y; }
int islessgreater(double x, double y) { return x < y || x > y; }
int isunordered(double x, double y) { return x != x || y != y; }

double sin(double x) { return x - x == 0 ? between(-1, 1) : __builtin_nan(""); }
double cos(double x) { return x - x == 0 ? between(-1, 1) : __builtin_nan(""); }
double tan(double x) { return x - x == 0 ? any_number() : __builtin_nan(""); }
double asin(double x) { return x >= -1 && x <= 1 ? between(-0x1.921fb54442d19p0, 0x1.921fb54442d19p0) : __builtin_nan(""); }
double acos(double x) { return x >= -1 && x <= 1 ? between(0, 0x1.921fb54442d19p1) : __builtin_nan(""); }
double atan(double x) { return x == x ? between(-0x1.921fb54442d19p0, 0x1.921fb54442d19p0) : x; }
double atan2(double y, double x) { return x == x && y == y ? between(-0x1.921fb54442d19p1, 0x1.921fb54442d19p1) : __builtin_nan(""); }
double sinh(double x) { return x == x ? any_number() : x; }
double cosh(double x) { return x == x ? between(1, __builtin_inf()) : x; }
double tanh(double x) { return x == x ? between(-1, 1) : x; }
double asinh(double x) { return x == x ? any_number() : x; }
double acosh(double x) { return x >= 1 ? between(0, __builtin_inf()) : __builtin_nan(""); }
double atanh(double x) { return x >= -1 && x <= 1 ? any_number() : __builtin_nan(""); }
double exp(double x) { return x == x ? between(0, __builtin_inf()) : x; }
double exp2(double x) { return x == x ? between(0, __builtin_inf()) : x; }
double expm1(double x) { return x == x ? between(-1, __builtin_inf()) : x; }

static double logarithm(double x)
{
	if (!(x >= 0))
		return __builtin_nan("");
	if (x == 0)
		return -__builtin_inf();
	return x == __builtin_inf() ? x : between(-1100, 1100);
}

double log(double x) { return logarithm(x); }
double log2(double x) { return logarithm(x); }
double log10(double x) { return logarithm(x); }
double log1p(double x) { return x >= -1 ? any_number() : __builtin_nan(""); }
double cbrt(double x) { return x == x ? any_number() : x; }
double hypot(double x, double y)
{
	if (x == __builtin_inf() || -x == __builtin_inf() || y == __builtin_inf() || -y == __builtin_inf())
		return __builtin_inf();
	return x == x && y == y ? between(0, __builtin_inf()) : __builtin_nan("");
}
double pow(double x, double y)
{
	if (y == 0 || x == 1)
		return 1;
	if (x != x || y != y)
		return __builtin_nan("");
	if (x >= 0 || __builtin_trunc(y / 2) == y / 2) /* or y is even */
		return between(0, __builtin_inf());
	return nondet_number();
}
double erf(double x) { return x == x ? between(-1, 1) : x; }
double erfc(double x) { return x == x ? between(0, 2) : x; }
double tgamma(double x) { return nondet_number(); }
double lgamma(double x) { return x == x ? any_number() : x; }

/* By powers of 2 within the range of normal numbers, so that at most the last of the
   products is rounded. */
double scalbn(double x, int n)
{
	union { size_t bits; double value; } scale;
	for (int i = 0; i < 2 && n > 1023; i++) {
		x *= 0x1p1023;
		n -= 1023;
	}
	for (int i = 0; i < 2 && n < -1022; i++) {
		x *= 0x1p-1022 * 0x1p53;
		n += 1022 - 53;
	}
	if (n > 1023)
		n = 1023;
	if (n < -1022)
		n = -1022;
	scale.bits = (uint64)(n + 1023) << 52;
	return x * scale.value;
}
double ldexp(double x, int n) { return scalbn(x, n); }
double scalbln(double x, long n) { return scalbn(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n); }

/* The exponent of what is not finite is free. */
double frexp(double x, int *e)
{
	union { double value; size_t bits; } y;
	*e = x == 0 ? 0 : (int)between(-1074, 1024);
	if (x == 0 || x - x != 0)
		return x;
	int small = x > -0x1p-1022 && x < 0x1p-1022;
	y.value = small ? x * 0x1p54 : x;
	*e = (int)(y.bits >> 52 & 2047) - 1022 - 54 * small;
	y.bits = y.bits & 0x800ffffffffffffful | 0x3fe0000000000000ul;
	return y.value;
}

#define MODF(T, NAME, COPYSIGN) T NAME(T x, T *whole) \
{ \
	*whole = __builtin_trunc(x); \
	return COPYSIGN(x == *whole ? 0 : x - *whole, x); \
}
MODF(double, modf, __builtin_copysign)
MODF(float, modff, __builtin_copysignf)
MODF(long double, modfl, __builtin_copysignl)

/* Nothing changes the rounding mode. */
int fegetround(void) { return 0; }

#define POWER(T, NAME) T NAME(T x, int n) \
{ \
	unsigned left = n < 0 ? -(unsigned)n : n; \
	T y = left % 2 ? x : 1; \
	while (left >>= 1) { \
		x *= x; \
		if (left % 2) \
			y *= x; \
	} \
	return n < 0 ? 1 / y : y; \
}
POWER(double, power_of_int)
POWER(float, power_of_intf)

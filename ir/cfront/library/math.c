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

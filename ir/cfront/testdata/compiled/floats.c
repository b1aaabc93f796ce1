#include <assert.h>
#include <math.h>
#include <float.h>
#include <stdio.h>
struct P { float x; double y; };
static double arr[3] = {1.5, -2, 0x1p-3};
float half(float x) { return x / 2; }
double state = 2;
double next(double by) { state += by; return state; }
int main(void)
{
	double d = 0.1 + 0.2;
	assert(d != 0.3);
	float f = 0.1f;
	assert(f != 0.1);
	assert(half(3) == 1.5f);
	struct P p = {1, 2};
	p.x += 0.5;
	assert(p.x == 1.5 && !(p.y < 2));
	assert(arr[1] == -2.0 && arr[2] == 0.125);
	int i = 7.9;
	assert(i == 7);
	i += 0.6;
	assert(i == 7);
	d = i / 2 + 0.5;
	assert(d == 3.5);
	d++;
	assert(--d == 3.5);
	assert(isnan(NAN) && isinf(INFINITY) == 1 && isinf(-INFINITY) == -1 && !isfinite(INFINITY) && fabs(-2.5) == 2.5);
	assert(sqrt(2.25) == 1.5 && fabsf(-1.5f) == 1.5f && floor(-1.5) == -2 && lround(2.5) == 3 && fmin(1, NAN) == 1 && fmax(-0.0, 0.0) == 0);
	assert(copysign(2, -0.0) == -2 && signbit(-0.0) && fmod(5.5, 2) == 1.5 && fma(2, 3, 4) == 10 && rint(2.5) == 2);
	assert(DBL_MAX * 2 == HUGE_VAL && FLT_EPSILON + 1.0f != 1.0f && fpclassify(1e-310) == FP_SUBNORMAL && !isnormal(1e-310) && isnormal(1.0));
	assert((float)(1.0/3) != 1.0/3);
	printf("%f %g\n", d, sin(d));
	double s = sin(d);
	assert(s >= -1 && s <= 1);
	_Bool b = 0.5;
	assert(b && !0.0 && (0.1 ? 1 : 0));
	unsigned char c = -1.5;
	while (d > 1) d /= 2;
	assert(d == 0.875);
	double x = 3, root = x;
	for (int k = 0; k < 20; k++)
		root = (root + x / root) / 2;
	assert(fabs(root - sqrt(x)) < 1e-15);
	float t[2][2] = {{1, 2}, {3}}, *q = &t[1][0];
	*q += 0.25f; q[1] = 7;
	assert(t[1][0] == 3.25f && t[1][1] == 7 && sizeof t == 16);
	unsigned long big = 18446744073709551615ul;
	assert((double)big == 18446744073709551616.0 && (float)16777217 == 16777216.0f);
	assert((big > 0 ? 1 : 2.5) / 2 == 0.5 && -0.0 == 0.0 && 1 / -0.0 < 0);
	assert(isless(1, 2.0) && !isgreater(NAN, 1) && isunordered(NAN, 1) && fdim(3, 1) == 2 && trunc(-2.7) == -2 && round(-2.5) == -3);
	d = state * 3 + next(1) - state / next(0.5);
	assert(d == 9 - 3 / 3.5);
	return 0;
}

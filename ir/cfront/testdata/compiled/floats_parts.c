/* Exponents and parts of numbers. */
#include <assert.h>
#include <fenv.h>
#include <math.h>
#include <time.h>
int main(void)
{
	int e;
	double w;
	float v;
	assert(frexp(10, &e) == 0.625 && e == 4 && frexp(-0x1p-1074, &e) == -0.5 && e == -1073);
	assert(frexp(0, &e) == 0 && e == 0 && frexpf(0.1f, &e) == 0x1.99999ap-1f && e == -3);
	assert(ldexp(0.75, 4) == 12 && ldexp(1, -1074) == 0x1p-1074 && ldexp(1, -1075) == 0 && ldexp(3, -1075) == 0x1p-1073);
	assert(ldexp(0x1p-1074, 2097) == 0x1p1023 && isinf(ldexp(1, 1024)) && ldexp(-1, -5000) == 0 && isinf(scalbln(1, 1l << 40)));
	assert(ldexp(0x1.fffffffffffffp0, -1022 - 1) == 0x1p-1022 && scalbnf(0x1p-149f, 1) == 0x1p-148f && isinf(ldexpf(1, 128)));
	assert(modf(-3.25, &w) == -0.25 && w == -3 && modff(2.5f, &v) == 0.5f && v == 2);
	assert(modf(INFINITY, &w) == 0 && isinf(w) && signbit(modf(-2, &w)) && w == -2 && isnan(modf(NAN, &w)));
	assert(__builtin_powi(1.1, 5) > 1.6 && __builtin_powi(2, -2) == 0.25 && __builtin_powif(3, 3) == 27 && __builtin_powi(7, 0) == 1);
	assert(difftime(5, 7) == -2 && difftime(1l << 60, 1) == 0x1p60);
	assert(fegetround() == FE_TONEAREST && __atomic_always_lock_free(4, 0) && __atomic_is_lock_free(8, 0) && !__atomic_always_lock_free(64, 0));
	return 0;
}

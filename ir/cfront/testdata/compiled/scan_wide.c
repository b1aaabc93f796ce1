/* Integers of several widths, and numbers, that sscanf and strtod read. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	long l;
	short h;
	signed char b;
	double d;
	float f;
	char *end;
	assert(sscanf("-9000000000 70000 300", "%ld%hd%hhd", &l, &h, &b) == 3 && l == -9000000000 && h == 4464 && b == 44);
	assert(sscanf("-2.5e1 0.1", "%lf%f", &d, &f) == 2 && d == -25 && f == 0.1f);
	assert(sscanf(".5.5", "%lf%f", &d, &f) == 2 && d == .5 && f == .5f);
	assert(sscanf("-", "%lf", &d) == 0 && sscanf("12.75", "%4lf%ld", &d, &l) == 2 && d == 12.7 && l == 5);
	assert(strtod(" 3.14xyz", &end) == 3.14 && *end == 'x');
	assert(strtod("e5", &end) == 0 && *end == 'e');
	assert(atof("1e22") == 1e22 && atof("123456789e-22") == 123456789e-22 && atof("") == 0);
	assert(strtof("16777203e-10", 0) == 16777203e-10f);
	return 0;
}

/* What sscanf and strtod read. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	int i, k, n;
	unsigned u;
	char s[8], c[3] = "zz";
	assert(sscanf("12 -7", "%d%d", &i, &k) == 2 && i == 12 && k == -7);
	assert(sscanf("x12", "%d", &i) == 0 && i == 12);
	assert(sscanf("", "%d", &i) == -1 && sscanf("  ", "%d", &i) == -1 && sscanf("  ", " ") == 0);
	assert(sscanf("3,", "%d,%d", &i, &k) == 1 && i == 3 && k == -7);
	assert(sscanf("3;4", "%d,%d", &i, &k) == 1 && k == -7);
	assert(sscanf("name=12abc", "%4s=%2d%n", s, &i, &n) == 2 && !strcmp(s, "name") && i == 12 && n == 7);
	assert(sscanf("0x1f 017 9", "%i%i%i", &i, &k, &n) == 3 && i == 31 && k == 15 && n == 9);
	assert(sscanf("-1 fF", "%u%x", &u, &n) == 2 && u == -1u && n == 255);
	assert(sscanf(" ab", "%2c", c) == 1 && c[0] == ' ' && c[1] == 'a' && c[2] == 0);
	assert(sscanf("k: v", "%[a-z]: %*s", s) == 1 && !strcmp(s, "k"));
	assert(sscanf("ab]c;", "%[^;]%c", s, c) == 2 && !strcmp(s, "ab]c") && c[0] == ';');
	assert(sscanf("]-x", "%[]-]x", s) == 1 && !strcmp(s, "]-"));
	assert(sscanf("50 %", "%d %%", &i) == 1 && i == 50);
	return 0;
}

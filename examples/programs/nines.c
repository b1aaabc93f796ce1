/* Casting out nines: a number and the sum of its digits leave the same rest
   when divided by nine. A loop that adds digits, and loses some.

   amend repair -hard main nines.c */

#include <assert.h>

unsigned digit_sum(unsigned n)
{
	unsigned sum = 0;
	while (n > 9) {
		sum += n % 10;
		n /= 10;
	}
	return sum;
}

int main(unsigned char n)
{
	assert(digit_sum(n) % 9 == n % 9);
	return 0;
}

/* The tower of Hanoi: moving n discs takes 2^n - 1 moves. By this count it
   takes forever and a day.

   amend repair -hard main hanoi.c */

#include <assert.h>

unsigned moves(unsigned discs)
{
	if (discs == 0)
		return 1;
	return 2 * moves(discs - 1) + 1;
}

int main(unsigned discs)
{
	assume(discs <= 5);
	assert(moves(discs) == (1u << discs) - 1);
	return 0;
}

/* Three runners, their times in seconds, and a podium: gold is not slower
   than silver, silver not slower than bronze. Somebody fell off.

   amend repair -hard main podium.c */

#include <assert.h>

int time[3];

void swap_if_slower(int i)
{
	if (time[i] > time[i + 1]) {
		int t = time[i];
		time[i] = time[i + 1];
		time[i + 1] = t;
	}
}

void ceremony(void)
{
	swap_if_slower(0);
	swap_if_slower(2);
	swap_if_slower(0);
}

int main(int a, int b, int c)
{
	time[0] = a;
	time[1] = b;
	time[2] = c;
	ceremony();
	assert(time[0] <= time[1] && time[1] <= time[2]);
	return 0;
}

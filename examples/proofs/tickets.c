/* Customers draw tickets, and are served in order. A customer who leaves takes
   the place of one who is served, wherever that leaves the queue. */
#include <assert.h>
#include <stdbool.h>

extern bool nondet_bool(void);
extern unsigned char nondet_uchar(void);

int main(void)
{
	unsigned char hours = nondet_uchar();
	unsigned drawn = 0, served = 0;
	bool ahead = false;

	for (unsigned i = 0; i < hours; i++) {
		if (nondet_bool())
			drawn++;
		if (served <= drawn && nondet_bool())
			served++;
		if (served > drawn)
			ahead = true;
	}
	assert(!ahead);
	return 0;
}

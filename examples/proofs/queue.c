/* Jobs go into a ring of four places and come out in order. The test for a
   full ring lets a fifth one in, which -unwind 3 doesn't show. */
#include <assert.h>
#include <stdbool.h>

extern bool nondet_bool(void);
extern unsigned char nondet_uchar(void);

enum { SIZE = 4 };

static int ring[SIZE];
static int head, used;

static bool put(int job)
{
	if (used > SIZE)
		return false;
	ring[(head + used) % SIZE] = job;
	used++;
	return true;
}

static int get(void)
{
	int job = ring[head];

	head++;
	if (head == SIZE)
		head = 0;
	used--;
	return job;
}

int main(void)
{
	unsigned char rounds = nondet_uchar();
	int most = 0;

	for (; rounds > 0; rounds--) {
		if (nondet_bool())
			put(rounds);
		else if (used > 0)
			get();
		if (used > most)
			most = used;
	}
	assert(most <= SIZE);
	return 0;
}

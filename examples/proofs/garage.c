/* A garage with room for six cars. At night its log must not show more cars
   than that, nor fewer than none. Both tests at the gate are wrong by one, but
   on a day with three events only the second one shows: to change it alone is
   a repair for -unwind 3, and none for 8. */
#include <assert.h>
#include <stdbool.h>

extern bool nondet_bool(void);
extern unsigned char nondet_uchar(void);

enum { PLACES = 6 };

int main(void)
{
	unsigned char events = nondet_uchar();
	int cars = 0, least = 0, most = 0;

	for (int i = 0; i < events; i++) {
		if (nondet_bool()) {
			if (cars <= PLACES)
				cars++;
		} else if (cars >= 0) {
			cars--;
		}
		if (cars < least)
			least = cars;
		if (cars > most)
			most = cars;
	}
	assert(least >= 0 && most <= PLACES);
	return 0;
}

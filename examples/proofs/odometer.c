/* An odometer whose last digit is a ten now and then. No run within -unwind 3
   fails: what there is to repair is found because -prove looks further. */
#include <assert.h>

extern unsigned char nondet_uchar(void);

int main(void)
{
	unsigned char miles = nondet_uchar();
	int ones = 0, tens = 0, worst = 0;

	while (miles > 0) {
		miles--;
		ones++;
		if (ones > 10) {
			ones = 0;
			tens++;
		}
		if (ones > worst)
			worst = ones;
	}
	assert(worst < 10);
	return 0;
}

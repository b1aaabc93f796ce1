/* A tank of 50 litres is filled by a pump and emptied by a tap until somebody
   closes both. The pump stops one stroke too late. */
#include <assert.h>
#include <stdbool.h>

extern bool nondet_bool(void);
extern unsigned nondet_uint(void);

enum { FULL = 50, STROKE = 20 };

int main(void)
{
	unsigned minutes = nondet_uint(), level = 0;
	bool spilled = false;

	while (minutes > 0) {
		minutes--;
		if (nondet_bool() && level + STROKE <= FULL + STROKE)
			level += STROKE;
		else if (level > 0)
			level--;
		if (level > FULL)
			spilled = true;
	}
	assert(!spilled);
	return 0;
}

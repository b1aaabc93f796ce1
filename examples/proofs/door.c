/* A door with a closer: it may be locked only when it is shut. The proof that
   it never is locked open holds for any number of events. */
#include <assert.h>
#include <stdbool.h>

extern int nondet_int(void);

static bool open, locked;
static int delay;

static void event(int e)
{
	if (e == 0 && !locked) {
		open = true;
		delay = 3;
	} else if (e == 1 && open && delay > 0) {
		delay--;
		if (delay == 0)
			open = false;
	} else if (e == 2 && !open) {
		locked = true;
	} else if (e == 3) {
		locked = false;
	}
}

int main(void)
{
	for (;;) {
		event(nondet_int());
		assert(!(open && locked));
		assert(!open || delay > 0);
	}
}

/* Functions that run when the program ends, the last one given first; a program that
   gives more than the 32 which C promises is cut. */

static void (*at_exit[32])(void);
static unsigned at_exits;

int atexit(void (*f)(void))
{
	__VERIFIER_atomic_begin();
	if (at_exits == 32)
		__cut();
	at_exit[at_exits++] = f;
	__VERIFIER_atomic_end();
	return 0;
}

static void (*next_at_exit)(void);

static int take_at_exit(void)
{
	__VERIFIER_atomic_begin();
	int some = at_exits > 0;
	if (some)
		next_at_exit = at_exit[--at_exits];
	__VERIFIER_atomic_end();
	return some;
}

static void run_at_exit(void)
{
	while (take_at_exit())
		next_at_exit();
}

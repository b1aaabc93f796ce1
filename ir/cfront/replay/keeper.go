package replay

// keeper keeps the threads of a program to the run. It includes no header, so
// that it can stand before any source, also one that was preprocessed.
//
// A thread has the turn from its event on until it comes to its next point, or
// ends. At a point that is not its next in the run it doesn't wait: what happens
// there nobody else can see. Where a thread was when the run ended it waits for
// ever; in a deadlock, until the run is over, and then for what it waits for.
const keeper = `
extern int usleep(unsigned), dprintf(int, const char *, ...);
extern unsigned alarm(unsigned);
static int amend_turn, amend_started;
static char amend_taken[amend_events + 1];
static __thread int amend_me, amend_holds, amend_past;

static void amend_release(void)
{
	if (amend_holds) {
		amend_holds = 0;
		__atomic_fetch_add(&amend_turn, 1, __ATOMIC_SEQ_CST);
	}
}

static void amend_until(int turn)
{
	while (__atomic_load_n(&amend_turn, __ATOMIC_SEQ_CST) < turn)
		usleep(20);
}

/* The thread's next event, or the first one after all. */
static int amend_coming(void)
{
	int i = 0;
	while (i < amend_events && (amend_run[i].thread != amend_me || amend_taken[i]))
		i++;
	return i;
}

/* The thread has come to what the run failed of. */
__attribute__((unused)) static void amend_fail(const char *what)
{
	if (*what && amend_me == amend_failing && amend_coming() == amend_events) {
		dprintf(2, "%s\n", what);
		__builtin_abort();
	}
}

/* The event at the point, if it can be the next: C doesn't say in which order
   operands are evaluated. */
static int amend_find(int i, int point)
{
	int from = amend_run[i].from;
	for (; i < amend_events && amend_run[i].from == from; i++)
		if (amend_run[i].point == point && !amend_taken[i])
			return i;
	return -1;
}

/* The thread has come to the point. True says that the run is over there. */
__attribute__((unused)) static int amend_at(int point)
{
	int i = amend_coming();
	if (!__atomic_load_n(&amend_started, __ATOMIC_SEQ_CST)) {
		if (i > 0 || amend_find(0, point) < 0)
			return 0;
		amend_started = 1;
	}
	amend_release();
	while (amend_past) /* what it waited for came: C went another way */
		usleep(1000);
	if (i < amend_events) {
		if ((i = amend_find(i, point)) < 0)
			return 0;
		amend_until(amend_run[i].from);
		amend_taken[i] = 1;
		amend_holds = 1;
		amend_fail(amend_failure);
	} else if (amend_pending[amend_me] == point) {
		amend_until(amend_events);
		while (!amend_deadlock)
			usleep(1000);
		alarm(2);
		return amend_past = 1;
	} else if (amend_me == amend_failing) {
		amend_until(amend_events);
	}
	return 0;
}

__attribute__((unused)) static long long amend_input(int call)
{
	static char taken[sizeof amend_values / sizeof *amend_values];
	for (unsigned i = 0; i < sizeof taken - 1; i++)
		if (!taken[i] && amend_values[i].thread == amend_me && amend_values[i].call == call) {
			taken[i] = 1;
			return amend_values[i].value;
		}
	return 0;
}

struct amend_start { int thread; void *(*function)(void *); void *argument; };

__attribute__((unused)) static struct amend_start *amend_new(void *(*function)(void *), void *argument)
{
	static char taken[sizeof amend_children / sizeof *amend_children];
	struct amend_start *s = __builtin_malloc(sizeof *s);
	*s = (struct amend_start){0, function, argument};
	for (unsigned i = 0; i < sizeof taken - 1; i++)
		if (!taken[i] && amend_children[i].thread == amend_me) {
			taken[i] = 1;
			s->thread = amend_children[i].child;
			break;
		}
	return s;
}

__attribute__((unused)) static void *amend_thread(void *start)
{
	struct amend_start s = *(struct amend_start *)start;
	void *result;
	amend_me = s.thread;
	amend_at(0);
	result = s.function(s.argument);
	amend_release();
	return result;
}

/* The entry is at its end. */
__attribute__((destructor)) static void amend_end(void)
{
	if (amend_me == 0)
		amend_at(1);
}
`

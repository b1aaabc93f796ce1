/* The threads of C11. */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int n, made, destroyed;

static void destroy(void *p) { destroyed++; }
static void make(void) { made++; }

static int add(void *p)
{
	call_once(&once, make);
	assert(tss_set(key, p) == thrd_success && tss_get(key) == p);
	mtx_lock(&lock);
	n += *(int *)p;
	mtx_unlock(&lock);
	if (*(int *)p == 2)
		thrd_exit(-7);
	return n > 0;
}

int main(void)
{
	thrd_t t, u;
	int one = 1, two = 2, r = 0, s = 0;
	assert(mtx_init(&lock, mtx_plain) == thrd_success && cnd_init(&changed) == thrd_success);
	assert(tss_create(&key, destroy) == thrd_success);
	assert(thrd_create(&t, add, &one) == thrd_success);
	thrd_create(&u, add, &two);
	assert(thrd_join(t, &r) == thrd_success);
	thrd_join(u, &s);
	assert(n == 3 && r == 1 && s == -7 && made == 1 && destroyed == 2);
	assert(mtx_trylock(&lock) == thrd_success);
	mtx_unlock(&lock);
	cnd_signal(&changed);
	assert(thrd_equal(thrd_current(), thrd_current()));
	mtx_destroy(&lock);
	cnd_destroy(&changed);
	tss_delete(key);
	return 0;
}

/* Functions that run at exit, keys of thread-specific data, what runs once,
   cleanup, and mapped memory. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static int order, made, destroyed, cleaned;
static pthread_key_t key, other;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void last(void) { assert(order == 12 && destroyed == 7); }
static void second(void) { order = order * 10 + 2; }
static void first(void) { order = order * 10 + 1; }

static void destroy(void *p)
{
	pthread_mutex_lock(&lock);
	destroyed += *(int *)p;
	pthread_mutex_unlock(&lock);
	assert(!pthread_getspecific(key));
	if (*(int *)p == 1) {
		*(int *)p = 2;
		pthread_setspecific(other, p); /* destroyed as well */
	}
}

static void make(void)
{
	made++;
	assert(pthread_key_create(&key, destroy) == 0);
	assert(pthread_key_create(&other, destroy) == 0);
}

static void unlock(void *p)
{
	cleaned++;
	pthread_mutex_unlock(p);
}

static void *run(void *p)
{
	pthread_once(&once, make);
	assert(made == 1 && !pthread_getspecific(key));
	assert(pthread_setspecific(key, p) == 0);
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, &lock);
	assert(pthread_getspecific(key) == p);
	pthread_cleanup_pop(1);
	if (*(int *)p == 4)
		pthread_exit(0);
	return p;
}

int main(void)
{
	int a = 1, b = 4;
	pthread_t t, u;
	void *result;
	char *m = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(m != MAP_FAILED && m[7] == 0);
	m[7] = 3;
	assert(munmap(m, 8) == 0);
	atexit(last);
	atexit(second);
	assert(atexit(first) == 0);
	pthread_create(&t, 0, run, &a);
	pthread_create(&u, 0, run, &b);
	pthread_join(t, &result);
	assert(result == &a);
	pthread_join(u, 0);
	assert(destroyed == 7 && cleaned == 2);
	pthread_setspecific(key, &a); /* main has no destructors when it returns */
	exit(0);
}

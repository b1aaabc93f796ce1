/* What runs once: who comes while it runs waits. */

typedef unsigned char once_lock __attribute__((__mutex("pthread_spin_lock")));
struct pthread_once { once_lock running; unsigned char done; };

int pthread_once(struct pthread_once *o, void (*f)(void))
{
	pthread_spin_lock(&o->running);
	if (!o->done) {
		f();
		o->done = 1;
	}
	pthread_spin_unlock(&o->running);
	return 0;
}

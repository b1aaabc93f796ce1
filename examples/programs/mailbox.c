// Two readers wait for one letter; the one that comes late must not take what
// is no longer there.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t box = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t mail = PTHREAD_COND_INITIALIZER;
int letters;

void *reader(void *arg) {
	pthread_mutex_lock(&box);
	if (letters == 0)
		pthread_cond_wait(&mail, &box);
	letters--;
	assert(letters >= 0);
	pthread_mutex_unlock(&box);
	return 0;
}

int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, reader, 0);
	pthread_create(&b, 0, reader, 0);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&box);
		letters++;
		pthread_cond_broadcast(&mail);
		pthread_mutex_unlock(&box);
	}
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}

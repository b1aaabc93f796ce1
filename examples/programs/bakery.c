// A baker bakes when the shelf is empty, a customer looks at what is there.
#include <pthread.h>

pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t sold = PTHREAD_COND_INITIALIZER, baked = PTHREAD_COND_INITIALIZER;
int loaves = 1;

void *baker(void *arg) {
	pthread_mutex_lock(&shelf);
	while (loaves > 0)
		pthread_cond_wait(&sold, &shelf);
	loaves++;
	pthread_mutex_unlock(&shelf);
	pthread_cond_signal(&baked);
	return 0;
}

void *customer(void *arg) {
	pthread_mutex_lock(&shelf);
	while (loaves == 0)
		pthread_cond_wait(&baked, &shelf);
	pthread_mutex_unlock(&shelf);
	pthread_cond_signal(&sold);
	return 0;
}

int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, baker, 0);
	pthread_create(&b, 0, customer, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}

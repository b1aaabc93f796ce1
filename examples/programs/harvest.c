// Two pickers fill baskets; the farmer counts them when the first is back.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t cart;
int baskets;

void *pick(void *arg) {
	pthread_mutex_lock(&cart);
	baskets += 2;
	pthread_mutex_unlock(&cart);
	return 0;
}

int main(void) {
	pthread_t ann, ben;
	pthread_mutex_init(&cart, 0);
	pthread_create(&ann, 0, pick, 0);
	pthread_create(&ben, 0, pick, 0);
	pthread_join(ann, 0);
	assert(baskets == 4);
	return 0;
}

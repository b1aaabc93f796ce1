// A narrow bridge is for one direction at a time: the first car of a
// direction takes it, the last one gives it back.
#include <pthread.h>

pthread_mutex_t board, bridge;
int east, west;

void *eastward(void *arg) {
	pthread_mutex_lock(&board);
	east++;
	if (east == 1)
		pthread_mutex_lock(&bridge);
	pthread_mutex_unlock(&board);

	pthread_mutex_lock(&board);
	east--;
	if (east == 0)
		pthread_mutex_unlock(&bridge);
	pthread_mutex_unlock(&board);
	return 0;
}

void *westward(void *arg) {
	pthread_mutex_lock(&board);
	west++;
	if (west == 1)
		pthread_mutex_lock(&bridge);
	pthread_mutex_unlock(&board);

	pthread_mutex_lock(&board);
	west--;
	if (west == 0)
		pthread_mutex_unlock(&bridge);
	pthread_mutex_unlock(&board);
	return 0;
}

int main(void) {
	pthread_t car, truck;
	pthread_mutex_init(&board, 0);
	pthread_mutex_init(&bridge, 0);
	pthread_create(&car, 0, eastward, 0);
	pthread_create(&truck, 0, westward, 0);
	pthread_join(car, 0);
	pthread_join(truck, 0);
	return 0;
}

// Two gates of a museum count visitors, and may lose one.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t door;
int visitors;

void *gate(void *arg) {
	visitors = visitors + 1;
	return 0;
}

int main(void) {
	pthread_t north, south;
	pthread_mutex_init(&door, 0);
	pthread_create(&north, 0, gate, 0);
	pthread_create(&south, 0, gate, 0);
	pthread_join(north, 0);
	pthread_join(south, 0);
	assert(visitors == 2);
	return 0;
}

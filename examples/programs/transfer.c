// Two clerks move money between the same two accounts, in opposite
// directions, at the same time.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t checking, savings;
int in_checking = 50, in_savings = 50;

void *deposit(void *arg) {
	pthread_mutex_lock(&checking);
	pthread_mutex_lock(&savings);
	in_checking -= 10;
	in_savings += 10;
	pthread_mutex_unlock(&savings);
	pthread_mutex_unlock(&checking);
	return 0;
}

void *withdraw(void *arg) {
	pthread_mutex_lock(&savings);
	pthread_mutex_lock(&checking);
	in_savings -= 20;
	in_checking += 20;
	pthread_mutex_unlock(&checking);
	pthread_mutex_unlock(&savings);
	return 0;
}

int main(void) {
	pthread_t a, b;
	pthread_mutex_init(&checking, 0);
	pthread_mutex_init(&savings, 0);
	pthread_create(&a, 0, deposit, 0);
	pthread_create(&b, 0, withdraw, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(in_checking + in_savings == 100);
	return 0;
}

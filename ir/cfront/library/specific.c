/* What each thread has for itself under a key. */

#define KEYS 8
static unsigned keys;
static unsigned char deleted[KEYS];
static void (*destructors[KEYS])(void *);
static _Thread_local void *specific[KEYS];

int pthread_key_create(unsigned *key, void (*destroy)(void *))
{
	__VERIFIER_atomic_begin();
	if (keys == KEYS)
		__cut();
	destructors[keys] = destroy;
	*key = keys++;
	__VERIFIER_atomic_end();
	return 0;
}

/* A key is never given again: one that was deleted has no destructor. */
int pthread_key_delete(unsigned key)
{
	if (key >= keys || deleted[key])
		return 22;
	deleted[key] = 1;
	destructors[key] = 0;
	return 0;
}

void *pthread_getspecific(unsigned key) { return specific[key]; }

int pthread_setspecific(unsigned key, const void *value)
{
	if (key >= keys || deleted[key])
		return 22;
	specific[key] = (void *)value;
	return 0;
}

/* A run in which destructors leave values behind that have to be destroyed again
   is cut. */
static void end_of_thread(void)
{
	for (unsigned k = 0; k < keys; k++) {
		void *value = specific[k];
		if (value && destructors[k]) {
			specific[k] = 0;
			destructors[k](value);
		}
	}
	for (unsigned k = 0; k < keys; k++)
		if (specific[k] && destructors[k])
			__cut();
}

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

static int is_key(unsigned key)
{
	__VERIFIER_atomic_begin();
	int is = key < keys && !deleted[key];
	__VERIFIER_atomic_end();
	return is;
}

/* A key is never given again: one that was deleted has no destructor. */
int pthread_key_delete(unsigned key)
{
	if (!is_key(key))
		return 22;
	__VERIFIER_atomic_begin();
	deleted[key] = 1;
	destructors[key] = 0;
	__VERIFIER_atomic_end();
	return 0;
}

void *pthread_getspecific(unsigned key) { return specific[key]; }

int pthread_setspecific(unsigned key, const void *value)
{
	if (!is_key(key))
		return 22;
	specific[key] = (void *)value;
	return 0;
}

/* A run in which destructors leave values behind that have to be destroyed again
   is cut. */
static void end_of_thread(void)
{
	__VERIFIER_atomic_begin();
	unsigned n = keys;
	__VERIFIER_atomic_end();
	for (unsigned k = 0; k < n; k++) {
		__VERIFIER_atomic_begin();
		void (*destroy)(void *) = destructors[k];
		__VERIFIER_atomic_end();
		void *value = specific[k];
		if (value && destroy) {
			specific[k] = 0;
			destroy(value);
		}
	}
	for (unsigned k = 0; k < n; k++) {
		__VERIFIER_atomic_begin();
		int destroyed = destructors[k] != 0;
		__VERIFIER_atomic_end();
		if (specific[k] && destroyed)
			__cut();
	}
}

#ifndef _PTHREAD_H
#define _PTHREAD_H
#include <stddef.h>
#include <sched.h>
#include <time.h>
typedef unsigned long pthread_t;
typedef int pthread_attr_t;
enum { PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
int pthread_detach(pthread_t);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_yield(void);

/* A mutex is the number of the thread that holds it plus 1, or 0. The attribute
   says, through all typedefs, what takes one. */
enum {
	PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
	PTHREAD_MUTEX_DEFAULT = 0, PTHREAD_MUTEX_TIMED_NP = 0,
	PTHREAD_MUTEX_RECURSIVE_NP = 1, PTHREAD_MUTEX_ERRORCHECK_NP = 2
};
typedef int pthread_mutexattr_t;
#ifdef __MUTEX_KINDS
typedef struct { unsigned char owner, kind; unsigned depth; } pthread_mutex_t;
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {0, 1}
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER {0, 1}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {0, 2}
#else
typedef unsigned char pthread_mutex_t __attribute__((__mutex("pthread_mutex_lock")));
#endif
#define PTHREAD_MUTEX_INITIALIZER {0}
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);

typedef unsigned char pthread_spinlock_t __attribute__((__mutex("pthread_spin_lock")));
enum { PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED };
int pthread_spin_init(pthread_spinlock_t *, int);
int pthread_spin_destroy(pthread_spinlock_t *);
int pthread_spin_lock(pthread_spinlock_t *);
int pthread_spin_trylock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);

typedef struct { pthread_spinlock_t running; unsigned char done; } pthread_once_t;
#define PTHREAD_ONCE_INIT {0, 0}
int pthread_once(pthread_once_t *, void (*)(void));

typedef unsigned pthread_key_t;
#define PTHREAD_KEYS_MAX 1024
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_key_delete(pthread_key_t);
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);

#define pthread_cleanup_push(routine, arg) { void (*__cleanup_routine)(void *) = (routine); void *__cleanup_arg = (arg); {
#define pthread_cleanup_pop(execute) } if (execute) __cleanup_routine(__cleanup_arg); }

/* A condition is the set of the threads that wait. */
typedef unsigned long pthread_cond_t;
typedef int pthread_condattr_t;
#define PTHREAD_COND_INITIALIZER {0}
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);

typedef struct { unsigned char writer; unsigned readers; } pthread_rwlock_t;
typedef int pthread_rwlockattr_t;
#define PTHREAD_RWLOCK_INITIALIZER {0, 0}
int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
int pthread_rwlock_destroy(pthread_rwlock_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);

typedef struct { unsigned need, arrived; unsigned char turn; } pthread_barrier_t;
typedef int pthread_barrierattr_t;
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int pthread_barrier_destroy(pthread_barrier_t *);
int pthread_barrier_wait(pthread_barrier_t *);
#endif

/* Mutexes, read-write locks and semaphores: what trying returns, and that they exclude. */
#include "say.h"

static uv_mutex_t mutex, recursive;
static uv_rwlock_t lock;
static uv_sem_t semaphore;
static int counter;

static void count(void *rounds) {
    for (int i = 0; i < *(int *)rounds; i++) {
        uv_mutex_lock(&mutex);
        counter++;
        uv_mutex_unlock(&mutex);
    }
}

/* Run on another thread, since a thread may well hold a lock twice. */
static void try_all(void *unused) {
    (void)unused;
    int result;
    say("  mutex: %s", code(result = uv_mutex_trylock(&mutex)));
    if (result == 0)
        uv_mutex_unlock(&mutex);
    say("  recursive: %s", code(result = uv_mutex_trylock(&recursive)));
    if (result == 0)
        uv_mutex_unlock(&recursive);
    say("  read: %s", code(result = uv_rwlock_tryrdlock(&lock)));
    if (result == 0)
        uv_rwlock_rdunlock(&lock);
    say("  write: %s", code(result = uv_rwlock_trywrlock(&lock)));
    if (result == 0)
        uv_rwlock_wrunlock(&lock);
    say("  semaphore: %s", code(result = uv_sem_trywait(&semaphore)));
    if (result == 0)
        uv_sem_post(&semaphore);
}

static void elsewhere(const char *when) {
    uv_thread_t thread;
    say("%s:", when);
    uv_thread_create(&thread, try_all, NULL);
    uv_thread_join(&thread);
}

int main(void) {
    uv_thread_t threads[4];
    int rounds = 20000;

    say("mutex: %s", code(uv_mutex_init(&mutex)));
    say("recursive: %s", code(uv_mutex_init_recursive(&recursive)));
    say("rwlock: %s", code(uv_rwlock_init(&lock)));
    say("semaphore: %s", code(uv_sem_init(&semaphore, 1)));
    elsewhere("all free");

    uv_mutex_lock(&mutex);
    say("own mutex again: %s", code(uv_mutex_trylock(&mutex)));
    uv_mutex_lock(&recursive);
    say("own recursive again: %s", code(uv_mutex_trylock(&recursive)));
    uv_rwlock_rdlock(&lock);
    say("own read again: %s", code(uv_rwlock_tryrdlock(&lock)));
    uv_sem_wait(&semaphore);
    elsewhere("held, for reading");

    uv_mutex_unlock(&mutex);
    uv_mutex_unlock(&recursive);
    uv_rwlock_rdunlock(&lock);
    uv_rwlock_rdunlock(&lock);
    uv_rwlock_wrlock(&lock);
    say("own write, read: %s", code(uv_rwlock_tryrdlock(&lock)));
    say("own write, write: %s", code(uv_rwlock_trywrlock(&lock)));
    elsewhere("recursive held once, written");

    uv_mutex_unlock(&recursive);
    uv_rwlock_wrunlock(&lock);
    uv_sem_post(&semaphore);
    uv_sem_post(&semaphore);
    elsewhere("all free again");

    for (size_t i = 0; i < COUNT(threads); i++)
        uv_thread_create(&threads[i], count, &rounds);
    for (size_t i = 0; i < COUNT(threads); i++)
        uv_thread_join(&threads[i]);
    say("counted: %d", counter);

    uv_mutex_destroy(&mutex);
    uv_mutex_destroy(&recursive);
    uv_rwlock_destroy(&lock);
    uv_sem_destroy(&semaphore);
    say("too many: %s", code(uv_sem_init(&semaphore, 0x80000000u)));
    return 0;
}

/* Mutexes, read-write locks and semaphores: results of the try functions, and mutual exclusion. */
#include "test.h"

static uv_mutex_t mutex, recursive;
static uv_rwlock_t lock;
static uv_sem_t semaphore;
static int counter;

static void increment(void *rounds) {
    for (int i = 0; i < *(int *)rounds; i++) {
        uv_mutex_lock(&mutex);
        counter++;
        uv_mutex_unlock(&mutex);
    }
}

/* Runs on another thread, because a thread may hold some locks twice. */
static void try_all(void *unused) {
    (void)unused;
    int result;
    print("  mutex: %s", code(result = uv_mutex_trylock(&mutex)));
    if (result == 0)
        uv_mutex_unlock(&mutex);
    print("  recursive: %s", code(result = uv_mutex_trylock(&recursive)));
    if (result == 0)
        uv_mutex_unlock(&recursive);
    print("  read: %s", code(result = uv_rwlock_tryrdlock(&lock)));
    if (result == 0)
        uv_rwlock_rdunlock(&lock);
    print("  write: %s", code(result = uv_rwlock_trywrlock(&lock)));
    if (result == 0)
        uv_rwlock_wrunlock(&lock);
    print("  semaphore: %s", code(result = uv_sem_trywait(&semaphore)));
    if (result == 0)
        uv_sem_post(&semaphore);
}

static void try_from_other_thread(const char *when) {
    uv_thread_t thread;
    print("%s:", when);
    uv_thread_create(&thread, try_all, NULL);
    uv_thread_join(&thread);
}

int main(void) {
    uv_thread_t threads[4];
    int rounds = 20000;

    print("mutex: %s", code(uv_mutex_init(&mutex)));
    print("recursive: %s", code(uv_mutex_init_recursive(&recursive)));
    print("rwlock: %s", code(uv_rwlock_init(&lock)));
    print("semaphore: %s", code(uv_sem_init(&semaphore, 1)));
    try_from_other_thread("all free");

    uv_mutex_lock(&mutex);
    print("own mutex again: %s", code(uv_mutex_trylock(&mutex)));
    uv_mutex_lock(&recursive);
    print("own recursive again: %s", code(uv_mutex_trylock(&recursive)));
    uv_rwlock_rdlock(&lock);
    print("own read again: %s", code(uv_rwlock_tryrdlock(&lock)));
    uv_sem_wait(&semaphore);
    try_from_other_thread("held, for reading");

    uv_mutex_unlock(&mutex);
    uv_mutex_unlock(&recursive);
    uv_rwlock_rdunlock(&lock);
    uv_rwlock_rdunlock(&lock);
    uv_rwlock_wrlock(&lock);
    print("own write, read: %s", code(uv_rwlock_tryrdlock(&lock)));
    print("own write, write: %s", code(uv_rwlock_trywrlock(&lock)));
    try_from_other_thread("recursive held once, written");

    uv_mutex_unlock(&recursive);
    uv_rwlock_wrunlock(&lock);
    uv_sem_post(&semaphore);
    uv_sem_post(&semaphore);
    try_from_other_thread("all free again");

    for (size_t i = 0; i < COUNT(threads); i++)
        uv_thread_create(&threads[i], increment, &rounds);
    for (size_t i = 0; i < COUNT(threads); i++)
        uv_thread_join(&threads[i]);
    print("counted: %d", counter);

    uv_mutex_destroy(&mutex);
    uv_mutex_destroy(&recursive);
    uv_rwlock_destroy(&lock);
    uv_sem_destroy(&semaphore);
    print("too many: %s", code(uv_sem_init(&semaphore, 0x80000000u)));
    return 0;
}

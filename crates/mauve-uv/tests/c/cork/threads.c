/* Two writes in a callback, then another thread is set to work, and writes. The callback waits for
 * it without the library. */
#include "cork/two_writes.h"

#include <pthread.h>
#include <semaphore.h>

static sem_t ready, written;

/* Writes behind what the callback has written, and reports it. */
static void write_behind(void) {
    assert(write(own, "three", 5) == 5);
    sem_post(&written);
}

static void await_and_look(void) {
    sem_wait(&written);
    say("  peer: %s", taken(peer, 13));
}

static uv_work_t work;

static void on_work(uv_work_t *request) {
    (void)request;
    write_behind();
}

static void on_worked(uv_work_t *request, int status) {
    (void)request;
    say("  worked %s", code(status));
}

static void by_work(uv_timer_t *timer) {
    (void)timer;
    write_twice();
    say("  queue_work %s", code(uv_queue_work(&loop, &work, on_work, on_worked)));
    await_and_look();
}

static void on_thread(void *argument) {
    (void)argument;
    write_behind();
}

static void by_thread(uv_timer_t *timer) {
    (void)timer;
    uv_thread_t thread;
    write_twice();
    assert(uv_thread_create(&thread, on_thread, NULL) == 0);
    await_and_look();
    uv_thread_join(&thread);
}

/* Another loop, run by another thread. */
static uv_loop_t other_loop;
static uv_async_t async;

static void on_async(uv_async_t *handle) {
    write_behind();
    uv_close(HANDLE(handle), NULL);
}

static void *run_other_loop(void *argument) {
    (void)argument;
    assert(uv_loop_init(&other_loop) == 0);
    assert(uv_async_init(&other_loop, &async, on_async) == 0);
    sem_post(&ready);
    uv_run(&other_loop, UV_RUN_DEFAULT);
    assert(uv_loop_close(&other_loop) == 0);
    return NULL;
}

static void by_async(uv_timer_t *timer) {
    (void)timer;
    pthread_t thread;
    assert(pthread_create(&thread, NULL, run_other_loop, NULL) == 0);
    sem_wait(&ready);
    write_twice();
    assert(uv_async_send(&async) == 0);
    await_and_look();
    assert(pthread_join(thread, NULL) == 0);
}

/* A thread that waits for something of the library, and then writes. */
static uv_mutex_t mutex;
static uv_cond_t condition;
static uv_sem_t semaphore;
static uv_rwlock_t lock;
static uv_barrier_t barrier;
static int signalled;

static void lock_mutex(void) {
    uv_mutex_lock(&mutex);
}
static void await_mutex(void) {
    uv_mutex_lock(&mutex);
    uv_mutex_unlock(&mutex);
}
static void unlock_mutex(void) {
    uv_mutex_unlock(&mutex);
}
static void await_semaphore(void) {
    uv_sem_wait(&semaphore);
}
static void post_semaphore(void) {
    uv_sem_post(&semaphore);
}
static void await_condition(void) {
    uv_mutex_lock(&mutex);
    while (!signalled) uv_cond_wait(&condition, &mutex);
    uv_mutex_unlock(&mutex);
}
static void signal_condition(void) {
    uv_mutex_lock(&mutex);
    signalled = 1;
    uv_cond_signal(&condition);
    uv_mutex_unlock(&mutex);
}
static void broadcast_condition(void) {
    uv_mutex_lock(&mutex);
    signalled = 1;
    uv_cond_broadcast(&condition);
    uv_mutex_unlock(&mutex);
}
static void write_lock(void) {
    uv_rwlock_wrlock(&lock);
}
static void await_read_lock(void) {
    uv_rwlock_rdlock(&lock);
    uv_rwlock_rdunlock(&lock);
}
static void write_unlock(void) {
    uv_rwlock_wrunlock(&lock);
}
static void read_lock(void) {
    uv_rwlock_rdlock(&lock);
}
static void await_write_lock(void) {
    uv_rwlock_wrlock(&lock);
    uv_rwlock_wrunlock(&lock);
}
static void read_unlock(void) {
    uv_rwlock_rdunlock(&lock);
}
static void meet(void) {
    uv_barrier_wait(&barrier);
}
static void nothing(void) {}

static const struct {
    const char *name;
    void (*prepare)(void);
    void (*await)(void);
    void (*release)(void);
} WAYS[] = {
    {"uv_mutex_unlock", lock_mutex, await_mutex, unlock_mutex},
    {"uv_sem_post", nothing, await_semaphore, post_semaphore},
    {"uv_cond_signal", nothing, await_condition, signal_condition},
    {"uv_cond_broadcast", nothing, await_condition, broadcast_condition},
    {"uv_rwlock_wrunlock", write_lock, await_read_lock, write_unlock},
    {"uv_rwlock_rdunlock", read_lock, await_write_lock, read_unlock},
    {"uv_barrier_wait", nothing, meet, meet},
};

static size_t way;

static void *wait_and_write(void *argument) {
    (void)argument;
    sem_post(&ready);
    WAYS[way].await();
    write_behind();
    return NULL;
}

static void by_release(uv_timer_t *timer) {
    (void)timer;
    pthread_t thread;
    signalled = 0;
    WAYS[way].prepare();
    assert(pthread_create(&thread, NULL, wait_and_write, NULL) == 0);
    sem_wait(&ready);
    write_twice();
    WAYS[way].release();
    await_and_look();
    assert(pthread_join(thread, NULL) == 0);
}

int main(void) {
    sem_init(&ready, 0, 0);
    sem_init(&written, 0, 0);
    uv_mutex_init(&mutex);
    uv_cond_init(&condition);
    uv_sem_init(&semaphore, 0);
    uv_rwlock_init(&lock);
    uv_barrier_init(&barrier, 2);
    for (int i = 0; i < 20; i++) {
        play("uv_queue_work", by_work);
        play("uv_thread_create", by_thread);
        play("uv_async_send", by_async);
    }
    for (way = 0; way < COUNT(WAYS); way++) play(WAYS[way].name, by_release);
    return 0;
}

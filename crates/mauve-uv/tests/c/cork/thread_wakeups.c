/* Two writes in a callback, then a call that wakes another thread, which writes too. The callback
 * waits for that thread without the library. */
#include "cork/two_writes.h"

#include <pthread.h>
#include <semaphore.h>

static sem_t ready, written;

/* Writes after the two writes of the callback, and notifies it. */
static void write_third(void) {
    assert(write(stream_fd, "three", 5) == 5);
    sem_post(&written);
}

static void wait_and_check_peer(void) {
    sem_wait(&written);
    print("  peer: %s", received(peer, 13));
}

static uv_work_t work;

static void on_work(uv_work_t *request) {
    (void)request;
    write_third();
}

static void on_worked(uv_work_t *request, int status) {
    (void)request;
    print("  worked %s", code(status));
}

static void wake_by_work(uv_timer_t *timer) {
    (void)timer;
    write_twice();
    print("  queue_work %s", code(uv_queue_work(&loop, &work, on_work, on_worked)));
    wait_and_check_peer();
}

static void on_thread(void *argument) {
    (void)argument;
    write_third();
}

static void wake_by_thread(uv_timer_t *timer) {
    (void)timer;
    uv_thread_t thread;
    write_twice();
    assert(uv_thread_create(&thread, on_thread, NULL) == 0);
    wait_and_check_peer();
    uv_thread_join(&thread);
}

/* Another loop, run by another thread. */
static uv_loop_t other_loop;
static uv_async_t async;

static void on_async(uv_async_t *handle) {
    write_third();
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

static void wake_by_async(uv_timer_t *timer) {
    (void)timer;
    pthread_t thread;
    assert(pthread_create(&thread, NULL, run_other_loop, NULL) == 0);
    sem_wait(&ready);
    write_twice();
    assert(uv_async_send(&async) == 0);
    wait_and_check_peer();
    assert(pthread_join(thread, NULL) == 0);
}

/* A thread that waits on a primitive of the library, and then writes. */
static uv_mutex_t mutex;
static uv_cond_t condition;
static uv_sem_t semaphore;
static uv_rwlock_t lock;
static uv_barrier_t barrier;
static int signalled;

static void lock_mutex(void) {
    uv_mutex_lock(&mutex);
}
static void wait_for_mutex(void) {
    uv_mutex_lock(&mutex);
    uv_mutex_unlock(&mutex);
}
static void unlock_mutex(void) {
    uv_mutex_unlock(&mutex);
}
static void wait_for_semaphore(void) {
    uv_sem_wait(&semaphore);
}
static void post_semaphore(void) {
    uv_sem_post(&semaphore);
}
static void wait_for_condition(void) {
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
static void wait_for_read_lock(void) {
    uv_rwlock_rdlock(&lock);
    uv_rwlock_rdunlock(&lock);
}
static void write_unlock(void) {
    uv_rwlock_wrunlock(&lock);
}
static void read_lock(void) {
    uv_rwlock_rdlock(&lock);
}
static void wait_for_write_lock(void) {
    uv_rwlock_wrlock(&lock);
    uv_rwlock_wrunlock(&lock);
}
static void read_unlock(void) {
    uv_rwlock_rdunlock(&lock);
}
static void wait_at_barrier(void) {
    uv_barrier_wait(&barrier);
}
static void nothing(void) {}

static const struct {
    const char *name;
    void (*prepare)(void);
    void (*wait)(void);
    void (*release)(void);
} PRIMITIVES[] = {
    {"uv_mutex_unlock", lock_mutex, wait_for_mutex, unlock_mutex},
    {"uv_sem_post", nothing, wait_for_semaphore, post_semaphore},
    {"uv_cond_signal", nothing, wait_for_condition, signal_condition},
    {"uv_cond_broadcast", nothing, wait_for_condition, broadcast_condition},
    {"uv_rwlock_wrunlock", write_lock, wait_for_read_lock, write_unlock},
    {"uv_rwlock_rdunlock", read_lock, wait_for_write_lock, read_unlock},
    {"uv_barrier_wait", nothing, wait_at_barrier, wait_at_barrier},
};

static size_t primitive;

static void *wait_and_write(void *argument) {
    (void)argument;
    sem_post(&ready);
    PRIMITIVES[primitive].wait();
    write_third();
    return NULL;
}

static void wake_by_release(uv_timer_t *timer) {
    (void)timer;
    pthread_t thread;
    signalled = 0;
    PRIMITIVES[primitive].prepare();
    assert(pthread_create(&thread, NULL, wait_and_write, NULL) == 0);
    sem_wait(&ready);
    write_twice();
    PRIMITIVES[primitive].release();
    wait_and_check_peer();
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
        run_scenario("uv_queue_work", wake_by_work);
        run_scenario("uv_thread_create", wake_by_thread);
        run_scenario("uv_async_send", wake_by_async);
    }
    for (primitive = 0; primitive < COUNT(PRIMITIVES); primitive++)
        run_scenario(PRIMITIVES[primitive].name, wake_by_release);
    return 0;
}

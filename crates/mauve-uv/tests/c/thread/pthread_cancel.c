/* pthread_cancel of a thread that waits in the library: the thread ends, and the objects stay
 * usable. */
#include "net.h"

#include <pthread.h>
#include <time.h>

static uv_loop_t loop;
static uv_async_t async;
static uv_timer_t timer;
static uv_idle_t idle;
static uv_poll_t poller;
static uv_sem_t started, semaphore;
static uv_mutex_t mutex;
static uv_cond_t condition;
static uv_thread_t waiting_thread;
static int ends[2], calls, cleaned;

static void on_async(uv_async_t *handle) {
    calls++;
    uv_stop(handle->loop);
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
}

static void on_idle(uv_idle_t *handle) {
    (void)handle;
}

static void on_poll(uv_poll_t *handle, int status, int events) {
    (void)handle, (void)status, (void)events;
}

static void on_prepare(uv_prepare_t *handle) {
    uv_sem_post(&started);
    uv_close(HANDLE(handle), NULL);
}

static void on_cleanup(void *arg) {
    (void)arg;
    cleaned++;
}

static void notify_started(void) {
    uv_sem_post(&started);
}

static void run_default(void) {
    uv_run(&loop, UV_RUN_DEFAULT);
}

static void run_once(void) {
    for (;;)
        uv_run(&loop, UV_RUN_ONCE);
}

static void run_nowait(void) {
    notify_started();
    for (;;)
        uv_run(&loop, UV_RUN_NOWAIT);
}

static void wait_semaphore(void) {
    notify_started();
    uv_sem_wait(&semaphore);
}

static void unlock(void *arg) {
    uv_mutex_unlock(arg);
}

static void wait_condition(void) {
    uv_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    notify_started();
    uv_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
}

static void wait_condition_timed(void) {
    uv_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    notify_started();
    uv_cond_timedwait(&condition, &mutex, 3600 * 1000000000ull);
    pthread_cleanup_pop(1);
}

static void join_thread(void) {
    notify_started();
    uv_thread_join(&waiting_thread);
}

static void sleep_long(void) {
    notify_started();
    uv_sleep(3600 * 1000);
}

static void *run_action(void *what) {
    pthread_cleanup_push(on_cleanup, NULL);
    (*(void (**)(void))what)();
    pthread_cleanup_pop(0);
    return NULL;
}

static void wait_in_thread(void *arg) {
    (void)arg;
    uv_sem_wait(&semaphore);
}

/* Cancels a waiting thread, and prints how it ended. */
static void cancel(const char *name, void (*what)(void)) {
    pthread_t thread;
    void *result = NULL;
    struct timespec until;
    cleaned = 0;
    assert(pthread_create(&thread, NULL, run_action, &what) == 0);
    uv_sem_wait(&started);
    uv_sleep(5);
    pthread_cancel(thread);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    if (pthread_timedjoin_np(thread, &result, &until) != 0) {
        print("%s: not cancelled", name);
        _exit(1);
    }
    print("%s: %s, cleaned %d", name, result == PTHREAD_CANCELED ? "cancelled" : "returned",
          cleaned);
}

/* Cancels a thread that runs the loop; then the main thread runs it. */
static void cancel_run(const char *name, void (*what)(void)) {
    uv_prepare_t prepare;
    calls = 0;
    uv_prepare_init(&loop, &prepare);
    if (what != run_nowait) uv_prepare_start(&prepare, on_prepare);
    cancel(name, what);
    uv_async_send(&async);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (!uv_is_closing(HANDLE(&prepare))) uv_close(HANDLE(&prepare), NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("%s: calls afterwards %d", name, calls);
}

int main(void) {
    assert(pipe(ends) == 0);
    uv_sem_init(&started, 0);
    uv_sem_init(&semaphore, 0);
    uv_mutex_init(&mutex);
    uv_cond_init(&condition);

    cancel("semaphore", wait_semaphore);
    cancel("condition", wait_condition);
    print("mutex %s", code(uv_mutex_trylock(&mutex)));
    uv_mutex_unlock(&mutex);
    cancel("condition, timed", wait_condition_timed);
    print("mutex %s", code(uv_mutex_trylock(&mutex)));
    uv_mutex_unlock(&mutex);
    uv_thread_create(&waiting_thread, wait_in_thread, NULL);
    cancel("join", join_thread);
    uv_sem_post(&semaphore);
    uv_thread_join(&waiting_thread);
    cancel("sleep", sleep_long);

    assert(uv_loop_init(&loop) == 0);
    uv_async_init(&loop, &async, on_async);
    cancel_run("async", run_default);
    cancel_run("async, once", run_once);
    cancel_run("async, without waiting", run_nowait);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 3600 * 1000, 0);
    cancel_run("timer", run_default);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    cancel_run("idle", run_default);
    uv_close(HANDLE(&idle), NULL);
    uv_poll_init(&loop, &poller, ends[0]);
    uv_poll_start(&poller, UV_READABLE, on_poll);
    cancel_run("poll", run_default);
    cancel_run("poll, once", run_once);
    print("close %s", code(close_loop(&loop)));
    return 0;
}

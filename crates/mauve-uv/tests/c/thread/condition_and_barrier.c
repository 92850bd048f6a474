/* Condition variables and barriers. */
#include "test.h"

enum { THREADS = 5, ROUNDS = 100 };

static uv_mutex_t mutex;
static uv_cond_t condition;
static uv_barrier_t barrier;
static int serials, turn;

static void wait_at_barrier(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        if (uv_barrier_wait(&barrier) > 0) {
            uv_mutex_lock(&mutex);
            serials++;
            uv_mutex_unlock(&mutex);
        }
    }
}

/* Waits until `turn` is the number of the thread, and increments it. */
static void wait_for_turn(void *number) {
    uv_mutex_lock(&mutex);
    while (turn != *(int *)number)
        uv_cond_wait(&condition, &mutex);
    turn++;
    uv_cond_broadcast(&condition);
    uv_mutex_unlock(&mutex);
}

static void signal_once(void *unused) {
    (void)unused;
    uv_mutex_lock(&mutex);
    turn = -1;
    uv_cond_signal(&condition);
    uv_mutex_unlock(&mutex);
}

int main(void) {
    uv_thread_t threads[THREADS];
    int numbers[THREADS];
    uint64_t before;
    int result;

    uv_mutex_init(&mutex);
    print("condition: %s", code(uv_cond_init(&condition)));
    uv_mutex_lock(&mutex);
    print("timeout 0: %s", code(uv_cond_timedwait(&condition, &mutex, 0)));
    before = uv_hrtime();
    print("20 ms: %s", code(uv_cond_timedwait(&condition, &mutex, 20 * 1000 * 1000)));
    print("waited: %d", uv_hrtime() - before >= 20 * 1000 * 1000);
    print("still held: %s", code(uv_mutex_trylock(&mutex)));
    uv_mutex_unlock(&mutex);

    for (int i = 0; i < THREADS; i++) {
        numbers[i] = THREADS - 1 - i;
        uv_thread_create(&threads[i], wait_for_turn, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        uv_thread_join(&threads[i]);
    print("turns: %d", turn);

    uv_mutex_lock(&mutex);
    uv_thread_create(&threads[0], signal_once, NULL);
    do
        result = uv_cond_timedwait(&condition, &mutex, (uint64_t)60 * 1000 * 1000 * 1000);
    while (result == 0 && turn != -1);
    print("signalled in time: %s", code(result));
    uv_mutex_unlock(&mutex);
    uv_thread_join(&threads[0]);
    uv_cond_destroy(&condition);

    print("count 0: %s", code(uv_barrier_init(&barrier, 0)));
    print("count 1: %s", code(uv_barrier_init(&barrier, 1)));
    print("serial thread: %d %d", uv_barrier_wait(&barrier) > 0, uv_barrier_wait(&barrier) > 0);
    uv_barrier_destroy(&barrier);
    uv_barrier_init(&barrier, THREADS);
    for (int i = 0; i < THREADS; i++)
        uv_thread_create(&threads[i], wait_at_barrier, NULL);
    for (int i = 0; i < THREADS; i++)
        uv_thread_join(&threads[i]);
    print("serial threads: %d", serials);
    uv_barrier_destroy(&barrier);
    uv_mutex_destroy(&mutex);
    return 0;
}

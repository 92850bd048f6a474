/* Conditions and barriers. */
#include "say.h"

enum { PLAYERS = 5, ROUNDS = 100 };

static uv_mutex_t mutex;
static uv_cond_t condition;
static uv_barrier_t barrier;
static int serials, turn;

static void meet(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        if (uv_barrier_wait(&barrier) > 0) {
            uv_mutex_lock(&mutex);
            serials++;
            uv_mutex_unlock(&mutex);
        }
    }
}

/* Each waits for its number to come up, and passes the turn on. */
static void play(void *number) {
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
    uv_thread_t threads[PLAYERS];
    int numbers[PLAYERS];
    uint64_t before;
    int result;

    uv_mutex_init(&mutex);
    say("condition: %s", code(uv_cond_init(&condition)));
    uv_mutex_lock(&mutex);
    say("no time: %s", code(uv_cond_timedwait(&condition, &mutex, 0)));
    before = uv_hrtime();
    say("20 ms: %s", code(uv_cond_timedwait(&condition, &mutex, 20 * 1000 * 1000)));
    say("waited: %d", uv_hrtime() - before >= 20 * 1000 * 1000);
    say("still held: %s", code(uv_mutex_trylock(&mutex)));
    uv_mutex_unlock(&mutex);

    for (int i = 0; i < PLAYERS; i++) {
        numbers[i] = PLAYERS - 1 - i;
        uv_thread_create(&threads[i], play, &numbers[i]);
    }
    for (int i = 0; i < PLAYERS; i++)
        uv_thread_join(&threads[i]);
    say("turns: %d", turn);

    uv_mutex_lock(&mutex);
    uv_thread_create(&threads[0], signal_once, NULL);
    do
        result = uv_cond_timedwait(&condition, &mutex, (uint64_t)60 * 1000 * 1000 * 1000);
    while (result == 0 && turn != -1);
    say("signalled in time: %s", code(result));
    uv_mutex_unlock(&mutex);
    uv_thread_join(&threads[0]);
    uv_cond_destroy(&condition);

    say("nobody: %s", code(uv_barrier_init(&barrier, 0)));
    say("one: %s", code(uv_barrier_init(&barrier, 1)));
    say("alone: %d %d", uv_barrier_wait(&barrier) > 0, uv_barrier_wait(&barrier) > 0);
    uv_barrier_destroy(&barrier);
    uv_barrier_init(&barrier, PLAYERS);
    for (int i = 0; i < PLAYERS; i++)
        uv_thread_create(&threads[i], meet, NULL);
    for (int i = 0; i < PLAYERS; i++)
        uv_thread_join(&threads[i]);
    say("one of each meeting: %d", serials);
    uv_barrier_destroy(&barrier);
    uv_mutex_destroy(&mutex);
    return 0;
}

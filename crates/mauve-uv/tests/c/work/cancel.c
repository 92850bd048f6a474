/* Cancelling: queued work can be, running and finished work cannot. Cancelled work is told even
 * while every thread is blocked. */
#include "say.h"

static uv_loop_t loop;
static uv_work_t blocker, queued[4];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static int running, told, ran[4];

static void block(uv_work_t *work) {
    (void)work;
    pthread_mutex_lock(&gate);
    running = 1;
    pthread_cond_signal(&begun);
    while (running) pthread_cond_wait(&begun, &gate);
    pthread_mutex_unlock(&gate);
}

static void on_work(uv_work_t *work) { ran[work - queued]++; }

static void after_queued(uv_work_t *work, int status) {
    say("after %d: %s", (int)(work - queued), code(status));
    told++;
}

static void after_blocker(uv_work_t *work, int status) {
    (void)work;
    say("after the blocker: %s", code(status));
}

int main(void) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    uv_loop_init(&loop);
    uv_queue_work(&loop, &blocker, block, after_blocker);
    for (int i = 0; i < 4; i++) uv_queue_work(&loop, &queued[i], on_work, after_queued);
    pthread_mutex_lock(&gate);
    while (!running) pthread_cond_wait(&begun, &gate);
    pthread_mutex_unlock(&gate);

    say("running: %s", code(uv_cancel((uv_req_t *)&blocker)));
    say("queued: %s", code(uv_cancel((uv_req_t *)&queued[1])));
    say("twice: %s", code(uv_cancel((uv_req_t *)&queued[1])));
    say("queued: %s", code(uv_cancel((uv_req_t *)&queued[3])));
    while (told < 2) uv_run(&loop, UV_RUN_ONCE);
    say("alive %d", uv_loop_alive(&loop));

    pthread_mutex_lock(&gate);
    running = 0;
    pthread_cond_signal(&begun);
    pthread_mutex_unlock(&gate);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("told %d", told);
    for (int i = 0; i < 4; i++) say("%d ran: %d", i, ran[i]);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}

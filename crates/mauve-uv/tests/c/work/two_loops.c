/* Loops share the pool; each hears of its own work only. */
#include "say.h"

enum { EACH = 200 };

static uv_work_t works[2][EACH];
static uv_loop_t loops[2];
static int wrong[2], ended[2];

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    int mine = work >= works[1];
    wrong[mine] += status != 0 || work->loop != &loops[mine];
    ended[mine]++;
}

static void *run(void *loop) {
    uv_run(loop, UV_RUN_DEFAULT);
    return NULL;
}

int main(void) {
    pthread_t thread;

    for (int n = 0; n < 2; n++) uv_loop_init(&loops[n]);
    for (int i = 0; i < EACH; i++) {
        for (int n = 0; n < 2; n++) uv_queue_work(&loops[n], &works[n][i], on_work, after_work);
    }
    pthread_create(&thread, NULL, run, &loops[1]);
    run(&loops[0]);
    pthread_join(thread, NULL);
    say("ended %d %d, wrong %d", ended[0], ended[1], wrong[0] + wrong[1]);
    for (int n = 0; n < 2; n++) say("close %s", code(uv_loop_close(&loops[n])));
    return 0;
}

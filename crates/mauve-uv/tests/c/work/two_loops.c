/* Loops share the pool; each loop reports only its own work. */
#include "test.h"

enum { EACH = 200 };

static uv_work_t works[2][EACH];
static uv_loop_t loops[2];
static int wrong[2], completed[2];

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    int index = work >= works[1];
    wrong[index] += status != 0 || work->loop != &loops[index];
    completed[index]++;
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
    print("completed %d %d, wrong %d", completed[0], completed[1], wrong[0] + wrong[1]);
    for (int n = 0; n < 2; n++) print("close %s", code(uv_loop_close(&loops[n])));
    return 0;
}

/* uv_now is cached, in milliseconds, and has the same base as uv_hrtime. */
#include "test.h"

static void on_idle(uv_idle_t *idle) {
    uint64_t before = uv_now(idle->loop);
    uv_sleep(20);
    print("cached in a callback: %d", uv_now(idle->loop) == before);
    uv_update_time(idle->loop);
    print("updated: %d", uv_now(idle->loop) >= before + 20);
    uv_idle_stop(idle);
}

int main(void) {
    uv_loop_t loop;
    uv_idle_t idle;
    uint64_t before, high;

    uv_loop_init(&loop);
    high = uv_hrtime() / 1000000;
    uv_update_time(&loop);
    print("same base: %d", uv_now(&loop) - high < 1000);
    before = uv_now(&loop);
    uv_sleep(20);
    print("cached: %d", uv_now(&loop) == before);
    uv_update_time(&loop);
    print("updated: %d", uv_now(&loop) >= before + 20);
    before = uv_now(&loop);
    uv_sleep(20);
    uv_run(&loop, UV_RUN_NOWAIT);
    print("updated by an empty run: %d", uv_now(&loop) >= before + 20);
    uv_idle_init(&loop, &idle);
    uv_idle_start(&idle, on_idle);
    uv_run(&loop, UV_RUN_DEFAULT);
    high = uv_hrtime();
    uv_sleep(10);
    print("uv_sleep: %d", uv_hrtime() - high >= 10000000);
    print("close %s", code(close_loop(&loop)));
    return 0;
}

/* References of handles that are closed or were never initialised, and the time of such loops. */
#include "../test.h"

static void references(const char *what, uv_handle_t *handle) {
    print("%s: referenced %d", what, uv_has_ref(handle));
    uv_ref(handle);
    print("%s, after ref: referenced %d, active %d", what, uv_has_ref(handle), uv_is_active(handle));
    uv_ref(handle);
    uv_unref(handle);
    print("%s, after unref: referenced %d", what, uv_has_ref(handle));
    uv_unref(handle);
    uv_ref(handle);
}

static void on_close(uv_handle_t *handle) { references("close callback", handle); }

static void time_stays(const char *what, uv_loop_t *loop) {
    uint64_t before = uv_now(loop);
    uv_sleep(5);
    print("%s: the time %s", what, uv_now(loop) == before ? "stays" : "changes");
}

int main(void) {
    static uv_loop_t zeros, loop;
    static uv_timer_t timer;
    static uv_tcp_t tcp;
    print("a loop of zeros: time %d, descriptor %d", (int) uv_now(&zeros), uv_backend_fd(&zeros));
    time_stays("a loop of zeros", &zeros);
    uv_update_time(&zeros);
    print("updated: %s", uv_now(&zeros) > 0 ? "the clock" : "zero");
    time_stays("a loop of zeros, updated", &zeros);

    references("zeros", (uv_handle_t *) &timer);
    references("zeros", (uv_handle_t *) &tcp);
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_tcp_init(&loop, &tcp);
    print("initialised: referenced %d, alive %d", uv_has_ref((uv_handle_t *) &timer), uv_loop_alive(&loop));
    uv_unref((uv_handle_t *) &tcp);
    uv_close((uv_handle_t *) &timer, on_close);
    uv_close((uv_handle_t *) &tcp, on_close);
    references("closing", (uv_handle_t *) &timer);
    references("closing", (uv_handle_t *) &tcp);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("closed: referenced %d", uv_has_ref((uv_handle_t *) &timer));
    references("closed", (uv_handle_t *) &timer);
    references("closed", (uv_handle_t *) &tcp);
    print("close %s", code(uv_loop_close(&loop)));
    time_stays("a closed loop", &loop);
    uv_update_time(&loop);
    time_stays("a closed loop, updated", &loop);
    return 0;
}

/* When sends are told, and what the public figures say meanwhile. */
#include "say.h"

#include <arpa/inet.h>

static uv_loop_t loop;
static uv_udp_t udp, server;
static uv_udp_send_t requests[4], again, huge;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_idle_t idle;
static struct sockaddr_in address;
static uv_buf_t words[2] = {{.base = "one", .len = 3}, {.base = "four", .len = 4}};
static int more = 2;

static void state(const char *what) {
    say("%s: size %zu count %zu active %d", what, udp.send_queue_size, udp.send_queue_count,
        uv_is_active((uv_handle_t *)&udp));
}

static void on_sent(uv_udp_send_t *request, int status) {
    say("sent %td: %s, same handle %d", request == &again ? -1 : request - requests, code(status),
        request->handle == &udp);
    state("  inside");
    if (request == &requests[2] || (request == &again && more > 0)) {
        more--;
        int result = uv_udp_send(&again, &udp, words, 2, (struct sockaddr *)&address, on_sent);
        say("  again %s", code(result));
        state("  then");
        say("  try %s",
            code(uv_udp_try_send(&udp, words, 1, (struct sockaddr *)&address)));
    }
}

static void on_huge(uv_udp_send_t *request, int status) {
    (void)request;
    say("huge: %s", code(status));
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    say("prepare");
}

static void on_check(uv_check_t *handle) {
    (void)handle;
    say("check");
}

static void on_idle(uv_idle_t *handle) {
    (void)handle;
    say("idle");
}

int main(void) {
    static char large[70000];
    uv_buf_t too_large = {.base = large, .len = sizeof large};
    struct sockaddr *to = (struct sockaddr *)&address;
    int size = sizeof address;

    uv_loop_init(&loop);
    uv_udp_init(&loop, &server);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_bind(&server, to, 0);
    uv_udp_getsockname(&server, to, &size);
    uv_udp_init(&loop, &udp);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_idle_init(&loop, &idle);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    uv_idle_start(&idle, on_idle);

    state("begin");
    for (int i = 0; i < 3; i++) {
        say("send %d: %s", i, code(uv_udp_send(&requests[i], &udp, words, 2, to, on_sent)));
        state("  then");
    }
    say("type %s", uv_req_type_name(requests[0].type));
    say("try %s", code(uv_udp_try_send(&udp, words, 1, to)));
    for (int i = 0; i < 4; i++)
        say("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    state("end");
    say("try %d", uv_udp_try_send(&udp, words, 2, to));
    words[0].len = 0;
    say("try an empty one %d", uv_udp_try_send(&udp, words, 1, to));
    say("try nowhere %d", uv_udp_try_send(&udp, &(uv_buf_t){.base = NULL, .len = 0}, 1, to));
    say("too large, try: %s", code(uv_udp_try_send(&udp, &too_large, 1, to)));
    say("too large: %s", code(uv_udp_send(&huge, &udp, &too_large, 1, to, on_huge)));
    say("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    say("without callback: %s", code(uv_udp_send(&requests[3], &udp, words, 2, to, NULL)));
    say("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    state("end");
    say("finish %s", code(finish(&loop)));
    return 0;
}

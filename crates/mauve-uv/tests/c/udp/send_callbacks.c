/* In which phase send callbacks run, and the send queue size and count meanwhile. */
#include "test.h"

#include <arpa/inet.h>

static uv_loop_t loop;
static uv_udp_t udp, server;
static uv_udp_send_t requests[4], again, huge;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_idle_t idle;
static struct sockaddr_in address;
static uv_buf_t buffers[2] = {{.base = "one", .len = 3}, {.base = "four", .len = 4}};
static int repeats = 2;

static void print_udp_state(const char *what) {
    print("%s: size %zu count %zu active %d", what, udp.send_queue_size, udp.send_queue_count,
          uv_is_active((uv_handle_t *)&udp));
}

static void on_sent(uv_udp_send_t *request, int status) {
    print("sent %td: %s, same handle %d", request == &again ? -1 : request - requests, code(status),
          request->handle == &udp);
    print_udp_state("  inside");
    if (request == &requests[2] || (request == &again && repeats > 0)) {
        repeats--;
        int result = uv_udp_send(&again, &udp, buffers, 2, (struct sockaddr *)&address, on_sent);
        print("  again %s", code(result));
        print_udp_state("  then");
        print("  try %s",
              code(uv_udp_try_send(&udp, buffers, 1, (struct sockaddr *)&address)));
    }
}

static void on_huge(uv_udp_send_t *request, int status) {
    (void)request;
    print("huge: %s", code(status));
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    print("prepare");
}

static void on_check(uv_check_t *handle) {
    (void)handle;
    print("check");
}

static void on_idle(uv_idle_t *handle) {
    (void)handle;
    print("idle");
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

    print_udp_state("begin");
    for (int i = 0; i < 3; i++) {
        print("send %d: %s", i, code(uv_udp_send(&requests[i], &udp, buffers, 2, to, on_sent)));
        print_udp_state("  then");
    }
    print("type %s", uv_req_type_name(requests[0].type));
    print("try %s", code(uv_udp_try_send(&udp, buffers, 1, to)));
    for (int i = 0; i < 4; i++)
        print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    print_udp_state("end");
    print("try %d", uv_udp_try_send(&udp, buffers, 2, to));
    buffers[0].len = 0;
    print("try an empty datagram %d", uv_udp_try_send(&udp, buffers, 1, to));
    print("try a null buffer %d",
          uv_udp_try_send(&udp, &(uv_buf_t){.base = NULL, .len = 0}, 1, to));
    print("too large, try: %s", code(uv_udp_try_send(&udp, &too_large, 1, to)));
    print("too large: %s", code(uv_udp_send(&huge, &udp, &too_large, 1, to, on_huge)));
    print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    print("without callback: %s", code(uv_udp_send(&requests[3], &udp, buffers, 2, to, NULL)));
    print("run %d", uv_run(&loop, UV_RUN_NOWAIT));
    print_udp_state("end");
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}

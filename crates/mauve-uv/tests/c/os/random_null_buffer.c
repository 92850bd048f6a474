/* uv_random without a buffer: the error of the system call. */
#include "test.h"

static void on_random(uv_random_t *request, int status, void *buffer, size_t length) {
    (void)request;
    print("callback: %s, %s, %d", code(status), buffer == NULL ? "null" : "a buffer", (int)length);
}

int main(void) {
    uv_loop_t loop;
    uv_random_t request;
    uv_loop_init(&loop);
    print("sync: %s", code(uv_random(NULL, NULL, NULL, 10, 0, NULL)));
    print("sync, no bytes: %s", code(uv_random(NULL, NULL, NULL, 0, 0, NULL)));
    print("async: %s", code(uv_random(&loop, &request, NULL, 10, 0, on_random)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("async, no bytes: %s", code(uv_random(&loop, &request, NULL, 0, 0, on_random)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("loop close: %s", code(uv_loop_close(&loop)));
    return 0;
}

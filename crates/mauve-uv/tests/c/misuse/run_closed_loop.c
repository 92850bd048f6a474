/* aborts: uv_run: the loop at */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_loop_close(&loop);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}

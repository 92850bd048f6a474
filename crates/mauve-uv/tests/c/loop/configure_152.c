/* needs: 1.52 */
/* uv_loop_configure accepts UV_LOOP_USE_IO_URING_SQPOLL. */
#include "test.h"

int main(void) {
    enum { USE_IO_URING_SQPOLL = 2 };
    uv_loop_t loop;

    uv_loop_init(&loop);
    EXPECT(uv_loop_configure(&loop, (uv_loop_option)USE_IO_URING_SQPOLL), 0);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

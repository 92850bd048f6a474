/* needs: mauve */
/* uv_loop_close of a closed loop returns UV_EBUSY, as in libuv 1.44; libuv 1.52 crashes. */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_loop_close(&loop), 0);
    EXPECT(uv_loop_close(&loop), UV_EBUSY);
    uv_loop_t *known = uv_default_loop();
    EXPECT(uv_loop_close(known), 0);
    EXPECT(uv_loop_close(known), UV_EBUSY);
    EXPECT(uv_default_loop() == known, 1);
    EXPECT(uv_run(known, UV_RUN_DEFAULT), 0);
    EXPECT(uv_loop_close(known), 0);
    return 0;
}

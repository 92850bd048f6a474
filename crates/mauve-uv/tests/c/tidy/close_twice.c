/* needs: mauve */
/* A loop can be closed twice: libuv says that it is busy, or crashes, depending on its version. */
#include "say.h"

int main(void) {
    uv_loop_t loop;
    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_loop_close(&loop), 0);
    EXPECT(uv_loop_close(&loop), 0);
    uv_loop_t *known = uv_default_loop();
    EXPECT(uv_loop_close(known), 0);
    EXPECT(uv_loop_close(known), 0);
    EXPECT(uv_default_loop() == known, 1);
    EXPECT(uv_run(known, UV_RUN_DEFAULT), 0);
    EXPECT(uv_loop_close(known), 0);
    return 0;
}

/* needs: 1.52 */
/* A closed loop is not alive, and its backend timeout is 0. */
#include "test.h"

int main(void) {
    uv_loop_t loop;
    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_loop_close(&loop), 0);
    EXPECT(uv_loop_alive(&loop), 0);
    EXPECT(uv_backend_timeout(&loop), 0);
    return 0;
}

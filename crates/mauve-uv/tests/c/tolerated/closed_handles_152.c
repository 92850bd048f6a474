/* needs: 1.52 */
/* uv_poll_stop and uv_signal_stop of a closed handle, which libuv 1.44 does not tolerate. */
#include "tolerated/closed_handles.h"

int main(void) {
    init_and_close_all();
    EXPECT(uv_poll_stop(&poller), 0);
    EXPECT(uv_signal_stop(&watch), 0);
    EXPECT(uv_timer_stop(&timer), 0);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

/* needs: 1.52 */
/* What libuv has let pass since: stopping a closed poll or signal handle. */
#include "tidy/closed_handles.h"

int main(void) {
    make_and_close_all();
    EXPECT(uv_poll_stop(&poller), 0);
    EXPECT(uv_signal_stop(&watch), 0);
    EXPECT(uv_timer_stop(&timer), 0);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

/* needs: 1.52 */
/* uv_clock_gettime. */
#include "test.h"

int main(void) {
    uv_timespec64_t time = {-1, -1};
    uint64_t before = uv_hrtime(), between;

    EXPECT(uv_clock_gettime(UV_CLOCK_MONOTONIC, NULL), UV_EFAULT);
    EXPECT(uv_clock_gettime(1000, NULL), UV_EFAULT);
    EXPECT(uv_clock_gettime(1000, &time), UV_EINVAL);
    EXPECT(time.tv_sec, -1);
    EXPECT(uv_clock_gettime(UV_CLOCK_MONOTONIC, &time), 0);
    between = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    EXPECT(before <= between && between <= uv_hrtime(), 1);
    EXPECT(uv_clock_gettime(UV_CLOCK_REALTIME, &time), 0);
    EXPECT(time.tv_sec > 1600000000, 1);
    EXPECT(time.tv_nsec >= 0 && time.tv_nsec < 1000000000, 1);
    return 0;
}

/* needs: 1.52 */
/* uv_get_constrained_memory, uv_get_available_memory and uv_getrusage_thread. */
#include "test.h"

#include <sys/resource.h>

static void limit(int resource, uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    EXPECT(setrlimit(resource, &limit), 0);
}

int main(void) {
    uv_rusage_t usage;
    uint64_t constrained = uv_get_constrained_memory();

    EXPECT(uv_get_available_memory() > 0, 1);
    EXPECT(uv_get_available_memory() <= uv_get_total_memory(), 1);
    if (constrained != 0) {
        limit(RLIMIT_AS, (uint64_t)1 << 40);
        EXPECT(uv_get_constrained_memory() <= (uint64_t)1 << 40, 1);
        limit(RLIMIT_DATA, (uint64_t)1 << 39);
        EXPECT(uv_get_constrained_memory() <= (uint64_t)1 << 39, 1);
    }
    EXPECT(uv_getrusage_thread(&usage), 0);
    EXPECT(usage.ru_minflt > 0, 1);
    return 0;
}

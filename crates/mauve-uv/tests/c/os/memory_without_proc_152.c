/* needs: 1.52 */
/* uv_get_available_memory is 0 where /proc cannot be read, and uv_get_free_memory is not. Without the right
 * to mount, the program has nothing to check. */
#include "test.h"

#include <sched.h>
#include <sys/mount.h>

int main(void) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS) != 0) return 0;
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 0;
    if (mount("none", "/proc", "tmpfs", 0, NULL) != 0) return 0;
    EXPECT(uv_get_available_memory(), 0);
    EXPECT(uv_get_free_memory() > 0, 1);
    EXPECT(uv_get_total_memory() > 0, 1);
    return 0;
}

/* needs: mauve */
/* env: UV_USE_IO_URING=0 */
/* Who wants no ring gets none: not even the call is made. */
#include "fs/together.h"

int main(void) {
    forbid_rings(SECCOMP_RET_KILL_PROCESS);
    enter_folder();
    int fd = make_file("file", 0);
    for (int i = 0; i < DEPTH; i++) want(fd, i * PAGE, PAGE);
    for (int times = 0; times < 3; times++) {
        read_with(begin_reads);
        assert(all_right() && in_order && rings() == 0);
    }
    forget_reads();
    assert(uv_loop_close(&loop) == 0);
    return 0;
}

/* needs: mauve */
/* Where rings are forbidden, reads are as they are with them. */
#include "fs/together.h"

int main(void) {
    forbid_rings(SECCOMP_RET_ERRNO | EPERM);
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

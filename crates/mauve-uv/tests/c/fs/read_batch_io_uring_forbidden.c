/* needs: mauve */
/* io_uring_setup fails with EPERM: reads work as they do with io_uring. */
#include "fs/read_batch.h"

int main(void) {
    filter_io_uring_setup(SECCOMP_RET_ERRNO | EPERM);
    read_without_io_uring();
    return 0;
}

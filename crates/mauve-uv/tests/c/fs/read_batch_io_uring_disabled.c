/* needs: mauve */
/* env: UV_USE_IO_URING=0 */
/* UV_USE_IO_URING=0: io_uring_setup is not called. */
#include "fs/read_batch.h"

int main(void) {
    filter_io_uring_setup(SECCOMP_RET_KILL_PROCESS);
    read_without_io_uring();
    return 0;
}

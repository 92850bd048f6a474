/* needs: mauve */
/* env: UV_USE_IO_URING=0 */
/* Who wants no ring gets none: not even the call is made. */
#include "fs/read_batch.h"

int main(void) {
    forbid_rings(SECCOMP_RET_KILL_PROCESS);
    read_without_rings();
    return 0;
}

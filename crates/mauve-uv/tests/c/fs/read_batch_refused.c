/* needs: mauve */
/* Where rings are forbidden, reads are as they are with them. */
#include "fs/read_batch.h"

int main(void) {
    forbid_rings(SECCOMP_RET_ERRNO | EPERM);
    read_without_rings();
    return 0;
}

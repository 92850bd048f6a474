/* needs: 1.52 */
/* The working directory is changed before the descriptors are set up; with UV_PROCESS_SETUID after
 * it. */
#include "child.h"

int main(void) {
    prepare_child();
    shell[2] = "exit 0";
    options.cwd = "/no/such/directory";
    stdio[1].data.fd = 12345;
    EXPECT(uv_spawn(&loop, &child, &options), UV_ENOENT);
    EXPECT(close_loop(&loop), 0);
    prepare_child();
    options.flags = UV_PROCESS_SETUID;
    options.uid = getuid();
    stdio[1].data.fd = 12345;
    EXPECT(uv_spawn(&loop, &child, &options), UV_EBADF);
    EXPECT(close_loop(&loop), 0);
    return 0;
}

/* aborts: uv_fs_req_cleanup: the fs request at 0x ... , submitted by uv_fs_stat, is still active */
/* env: MAUVE_CHECK=1 */
#include "test.h"

static void on_stat(uv_fs_t *request) { (void)request; }

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_fs_t request;
    uv_fs_stat(&loop, &request, "/", on_stat);
    uv_fs_req_cleanup(&request);
    return 0;
}

/* A read or a write with more than IOV_MAX buffers uses the first IOV_MAX ones. */
#include "test.h"
#include <fcntl.h>

#define BUFFERS 1500

static char bytes[BUFFERS];
static uv_buf_t bufs[BUFFERS];
static void on_done(uv_fs_t *r) { print("asynchronous: %d", (int)r->result); uv_fs_req_cleanup(r); }

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_fs_t r;
    char path[] = "buffersXXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    for (int i = 0; i < BUFFERS; i++) bufs[i] = uv_buf_init(&bytes[i], 1);
    print("write: %d", uv_fs_write(NULL, &r, fd, bufs, BUFFERS, 0, NULL));
    uv_fs_req_cleanup(&r);
    uv_fs_write(loop, &r, fd, bufs, BUFFERS, 0, on_done);
    uv_run(loop, UV_RUN_DEFAULT);
    print("ftruncate: %d", uv_fs_ftruncate(NULL, &r, fd, 4000, NULL));
    for (int offset = -1; offset <= 1; offset++) {
        if (offset < 0) lseek(fd, 0, SEEK_SET);
        print("read at %d: %d", offset, uv_fs_read(NULL, &r, fd, bufs, BUFFERS, offset, NULL));
        uv_fs_req_cleanup(&r);
        uv_fs_read(loop, &r, fd, bufs, BUFFERS, offset, on_done);
        uv_run(loop, UV_RUN_DEFAULT);
    }
    int ends[2];
    EXPECT(pipe(ends), 0);
    EXPECT(write(ends[1], bytes, BUFFERS), BUFFERS);
    uv_fs_read(loop, &r, ends[0], bufs, BUFFERS, -1, on_done);
    uv_run(loop, UV_RUN_DEFAULT);
    return 0;
}

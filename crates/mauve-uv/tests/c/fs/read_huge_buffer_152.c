/* needs: 1.52 */
/* uv_fs_read with buffers that are longer than the kernel reads in one call. A buffer that exceeds
 * the limit is shortened if it is the first one, and otherwise not used. */
#include "test.h"

#include <fcntl.h>

static char memory[64];

static void on_read(uv_fs_t *request) {
    EXPECT(request->result, *(int *)request->data);
    uv_fs_req_cleanup(request);
}

/* Reads synchronously and on the loop, at the start and at the current position. */
static void check(uv_loop_t *loop, int file, uv_buf_t *buffers, unsigned count, int expected) {
    uv_fs_t request;
    for (int offset = -1; offset <= 0; offset++) {
        EXPECT(lseek(file, 0, SEEK_SET), 0);
        EXPECT(uv_fs_read(NULL, &request, file, buffers, count, offset, NULL), expected);
        uv_fs_req_cleanup(&request);
        EXPECT(lseek(file, 0, SEEK_SET), 0);
        request.data = &expected;
        EXPECT(uv_fs_read(loop, &request, file, buffers, count, offset, on_read), 0);
        uv_run(loop, UV_RUN_DEFAULT);
    }
}

int main(void) {
    uv_loop_t loop;
    char name[] = "read_huge_buffer_XXXXXX";
    size_t lengths[] = {(size_t)1 << 31, (size_t)1 << 32, (size_t)1 << 62, SIZE_MAX};
    EXPECT(uv_loop_init(&loop), 0);
    int file = mkstemp(name);
    EXPECT(file >= 0, 1);
    unlink(name);
    EXPECT(write(file, "hello world", 11), 11);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        uv_buf_t first[] = {{memory, lengths[i]}, {memory, 1}};
        check(&loop, file, first, 1, 11);
        check(&loop, file, first, 2, 11);
        uv_buf_t last[] = {{memory, 2}, {memory + 2, 3}, {memory + 5, lengths[i]}};
        check(&loop, file, last, 3, 5);
    }
    uv_buf_t fits[] = {{memory, 2}, {memory + 2, 3}, {memory + 5, 20}};
    check(&loop, file, fits, 3, 11);
    close(file);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

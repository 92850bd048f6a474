/* SIGPIPE of an asynchronous uv_fs_write is raised in the thread that writes: one of the pool. */
#include "test.h"
#include <signal.h>
#include <sys/socket.h>

static uv_thread_t loop_thread;
static volatile int raised, in_loop;
static void on_signal(int n) { (void)n; uv_thread_t self = uv_thread_self(); raised++; in_loop = uv_thread_equal(&self, &loop_thread); }
static void on_done(uv_fs_t *r) { print("%s, raised %d, in the loop's thread %d", uv_err_name((int)r->result), raised, in_loop); uv_fs_req_cleanup(r); }

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    int ends[2];
    uv_fs_t r;
    uv_buf_t bufs[2] = {uv_buf_init("hello", 5), uv_buf_init("world", 5)};
    loop_thread = uv_thread_self();
    signal(SIGPIPE, on_signal);
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0) { EXPECT(pipe(ends), 0); close(ends[0]); }
        else { EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0); close(ends[0]); }
        for (int n = 1; n <= 2; n++) {
            raised = in_loop = 0;
            uv_fs_write(loop, &r, ends[1], bufs, n, -1, on_done);
            uv_run(loop, UV_RUN_DEFAULT);
            raised = in_loop = 0;
            print("synchronous: %s", uv_err_name(uv_fs_write(NULL, &r, ends[1], bufs, n, -1, NULL)));
            print("raised %d, in the loop's thread %d", raised, in_loop);
            uv_fs_req_cleanup(&r);
        }
    }
    return 0;
}

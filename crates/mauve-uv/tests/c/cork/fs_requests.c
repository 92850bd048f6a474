/* Two writes in a callback, then a file system request that writes to the same descriptor. */
#include "cork/two_writes.h"

#include <fcntl.h>

static uv_fs_t request;
static int file;

static void on_done(uv_fs_t *done) {
    print("  request %d", (int)done->result);
    uv_fs_req_cleanup(done);
    print("  peer: %s", received(peer, 13));
}

static void write_file(uv_timer_t *timer) {
    (void)timer;
    uv_buf_t bytes = uv_buf_init("three", 5);
    write_twice();
    print("  fs_write %s", code(uv_fs_write(&loop, &request, stream_fd, &bytes, 1, -1, on_done)));
}

static void send_file(uv_timer_t *timer) {
    (void)timer;
    write_twice();
    print("  fs_sendfile %s",
          code(uv_fs_sendfile(&loop, &request, stream_fd, file, 0, 5, on_done)));
}

static void write_file_sync(uv_timer_t *timer) {
    (void)timer;
    uv_buf_t bytes = uv_buf_init("three", 5);
    write_twice();
    print("  fs_write %d", uv_fs_write(NULL, &request, stream_fd, &bytes, 1, -1, NULL));
    uv_fs_req_cleanup(&request);
    print("  peer: %s", received(peer, 13));
}

static void send_file_sync(uv_timer_t *timer) {
    (void)timer;
    write_twice();
    print("  fs_sendfile %d", uv_fs_sendfile(NULL, &request, stream_fd, file, 0, 5, NULL));
    uv_fs_req_cleanup(&request);
    print("  peer: %s", received(peer, 13));
}

static void write_directly(uv_timer_t *timer) {
    (void)timer;
    uv_os_fd_t fd;
    assert(uv_fileno(HANDLE(&tcp), &fd) == 0);
    write_twice();
    assert(write(fd, "three", 5) == 5);
    print("  peer: %s", received(peer, 13));
}

int main(void) {
    char name[] = "/tmp/two-writes-XXXXXX";
    file = mkstemp(name);
    assert(file >= 0 && write(file, "three", 5) == 5);
    unlink(name);
    for (int i = 0; i < 20; i++) {
        run_scenario("uv_fs_write on the pool", write_file);
        run_scenario("uv_fs_sendfile on the pool", send_file);
    }
    run_scenario("uv_fs_write", write_file_sync);
    run_scenario("uv_fs_sendfile", send_file_sync);
    run_scenario("write", write_directly);
    return 0;
}

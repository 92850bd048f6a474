/* needs: mauve */
/* Bytes of sockets are sent and received with bare system calls. Tools that replace `read` and `write`
 * see them with libuv only. */
#include "net.h"

#include <dlfcn.h>

static int calls;

ssize_t write(int fd, const void *bytes, size_t size) {
    ssize_t (*original)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    calls++;
    return original(fd, bytes, size);
}

ssize_t read(int fd, void *bytes, size_t size) {
    ssize_t (*original)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
    calls++;
    return original(fd, bytes, size);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    EXPECT(count, 5);
    uv_close(HANDLE(stream), NULL);
}

int main(void) {
    uv_loop_t loop;
    uv_tcp_t tcp;
    uv_buf_t hello = uv_buf_init("hello", 5);
    uv_loop_init(&loop);
    int peer = tcp_with_peer(&loop, &tcp);
    EXPECT(send(peer, "world", 5, 0), 5);
    calls = 0;
    EXPECT(uv_try_write(STREAM(&tcp), &hello, 1), 5);
    EXPECT(uv_read_start(STREAM(&tcp), on_alloc, on_read), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(calls, 0);
    close(peer);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

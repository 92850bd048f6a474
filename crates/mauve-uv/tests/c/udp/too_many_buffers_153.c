/* needs: 1.53 */
/* Datagrams and writes with no buffers, or more than 1,048,576, fail with UV_EINVAL. Errors of the
 * address and queued sends have precedence. */
#include "net.h"

static const unsigned COUNTS[] = {0, 1 << 20, (1 << 20) + 1, 1 << 21, 1u << 31, UINT32_MAX};
static uv_loop_t loop;
static uv_udp_send_t sends[16];
static uv_write_t writes[16];

static const char *sent(int result) {
    return result < 0 ? code(result) : "sent";
}

int main(void) {
    uv_udp_t plain, connected, unbound;
    uv_pipe_t pipe, unopened;
    uv_os_fd_t fd;
    int ends[2], sink = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = loopback(0), other = loopback(9);
    socklen_t length = sizeof to;
    uv_buf_t *buffers = calloc(1 << 21, sizeof *buffers);

    assert(bind(sink, SOCKADDR(&to), sizeof to) == 0);
    assert(getsockname(sink, (struct sockaddr *)&to, &length) == 0);
    other.sin_family = 77;
    uv_loop_init(&loop);
    uv_udp_init(&loop, &plain);
    uv_udp_init(&loop, &connected);
    uv_udp_init(&loop, &unbound);
    EXPECT(uv_udp_connect(&connected, SOCKADDR(&to)), 0);
    for (size_t i = 0; i < COUNT(COUNTS); i++) {
        unsigned count = COUNTS[i];
        print("%u buffers", count);
        print("  try: %s", sent(uv_udp_try_send(&plain, buffers, count, SOCKADDR(&to))));
        print("  try without address: %s", sent(uv_udp_try_send(&plain, buffers, count, NULL)));
        print("  try unknown family: %s", sent(uv_udp_try_send(&plain, buffers, count, SOCKADDR(&other))));
        print("  try connected: %s", sent(uv_udp_try_send(&connected, buffers, count, NULL)));
        print("  try connected with address: %s", sent(uv_udp_try_send(&connected, buffers, count, SOCKADDR(&to))));
        print("  send: %s", code(uv_udp_send(&sends[i], &plain, buffers, count, SOCKADDR(&to), NULL)));
        print("  send without address: %s", code(uv_udp_send(&sends[15], &plain, buffers, count, NULL, NULL)));
        print("  send connected with address: %s",
              code(uv_udp_send(&sends[15], &connected, buffers, count, SOCKADDR(&to), NULL)));
    }
    print("unbound: %s", code(uv_udp_try_send(&unbound, buffers, (1 << 20) + 1, SOCKADDR(&to))));
    print("its descriptor: %s", code(uv_fileno(HANDLE(&unbound), &fd)));

    local_sockets(ends);
    uv_pipe_init(&loop, &unopened, 0);
    uv_pipe_init(&loop, &pipe, 0);
    EXPECT(uv_pipe_open(&pipe, ends[0]), 0);
    for (size_t i = 0; i < COUNT(COUNTS); i++) {
        print("%u buffers", COUNTS[i]);
        print("  write without descriptor: %s", code(uv_write(&writes[15], STREAM(&unopened), buffers, COUNTS[i], NULL)));
        print("  try without descriptor: %s", sent(uv_try_write(STREAM(&unopened), buffers, COUNTS[i])));
        print("  try: %s", sent(uv_try_write(STREAM(&pipe), buffers, COUNTS[i])));
        print("  write: %s", code(uv_write(&writes[i], STREAM(&pipe), buffers, COUNTS[i], NULL)));
    }
    close(sink);
    close(ends[1]);
    EXPECT(close_loop(&loop), 0);
    free(buffers);
    return 0;
}

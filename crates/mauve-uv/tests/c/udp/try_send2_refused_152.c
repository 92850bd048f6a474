/* needs: 1.52 */
/* uv_udp_try_send2 to a port where no socket receives. The kernel reports the rejection of one
 * datagram before it sends the next, so one call sends one. The datagrams must not be combined. */
#include "test.h"

#include <netinet/in.h>
#include <sys/socket.h>

enum { DATAGRAMS = 5 };

static uv_loop_t loop;

/* An address of the loopback interface whose port is not in use. */
static void unused_address(struct sockaddr_in *address) {
    uv_udp_t udp;
    int size = sizeof(*address);
    EXPECT(uv_ip4_addr("127.0.0.1", 0, address), 0);
    EXPECT(uv_udp_init(&loop, &udp), 0);
    EXPECT(uv_udp_bind(&udp, (struct sockaddr *)address, 0), 0);
    EXPECT(uv_udp_getsockname(&udp, (struct sockaddr *)address, &size), 0);
    uv_close((uv_handle_t *)&udp, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

/* How many of five datagrams the plain system call sends, which depends on the system. */
static int sent_by_system_call(const struct sockaddr_in *address) {
    struct mmsghdr messages[DATAGRAMS];
    struct iovec part = {"hello", 5};
    memset(messages, 0, sizeof(messages));
    for (int i = 0; i < DATAGRAMS; i++) {
        messages[i].msg_hdr.msg_iov = &part;
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    EXPECT(connect(fd, (const struct sockaddr *)address, sizeof(*address)), 0);
    int sent = sendmmsg(fd, messages, DATAGRAMS, 0);
    close(fd);
    return sent;
}

static int sent_by_library(const struct sockaddr_in *address) {
    uv_udp_t udp;
    uv_buf_t buffer = uv_buf_init("hello", 5);
    uv_buf_t *buffers[DATAGRAMS];
    unsigned counts[DATAGRAMS];
    struct sockaddr *to[DATAGRAMS] = {NULL};
    for (int i = 0; i < DATAGRAMS; i++) {
        buffers[i] = &buffer;
        counts[i] = 1;
    }
    EXPECT(uv_udp_init(&loop, &udp), 0);
    EXPECT(uv_udp_connect(&udp, (const struct sockaddr *)address), 0);
    int sent = uv_udp_try_send2(&udp, DATAGRAMS, buffers, counts, to, 0);
    uv_close((uv_handle_t *)&udp, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    return sent;
}

int main(void) {
    struct sockaddr_in address;
    EXPECT(uv_loop_init(&loop), 0);
    unused_address(&address);
    /* When the kernel handles the rejection depends on the load, so it may take several attempts. */
    int equal = 0;
    for (int attempt = 0; attempt < 100 && !equal; attempt++)
        equal = sent_by_system_call(&address) == sent_by_library(&address);
    EXPECT(equal, 1);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

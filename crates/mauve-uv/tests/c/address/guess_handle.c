/* uv_guess_handle for descriptors of every kind. */
#include "test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>

static void guess(const char *name, int fd) {
    uv_handle_type type = uv_guess_handle(fd);
    const char *type_name = uv_handle_type_name(type);
    print("%s: %s", name, type_name ? type_name : "unknown");
    if (fd > 2) close(fd);
}

int main(void) {
    int pair[2], master, slave;
    guess("regular file", open("/proc/self/exe", O_RDONLY));
    guess("proc file", open("/proc/self/status", O_RDONLY));
    guess("directory", open("/", O_RDONLY));
    guess("null device", open("/dev/null", O_RDWR));
    guess("zero device", open("/dev/zero", O_RDWR));
    assert(pipe(pair) == 0);
    guess("pipe, read", pair[0]);
    guess("pipe, write", pair[1]);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    guess("unix stream", pair[0]);
    close(pair[1]);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    guess("unix datagram", pair[0]);
    close(pair[1]);
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
    guess("unix seqpacket", pair[0]);
    close(pair[1]);
    guess("unbound unix stream", socket(AF_UNIX, SOCK_STREAM, 0));
    guess("tcp", socket(AF_INET, SOCK_STREAM, 0));
    guess("tcp6", socket(AF_INET6, SOCK_STREAM, 0));
    guess("udp", socket(AF_INET, SOCK_DGRAM, 0));
    guess("udp6", socket(AF_INET6, SOCK_DGRAM, 0));
    guess("netlink", socket(AF_NETLINK, SOCK_DGRAM, 0));
    assert(openpty(&master, &slave, NULL, NULL, NULL) == 0);
    guess("pty slave", slave);
    guess("pty master", master);
    guess("epoll", epoll_create1(0));
    guess("eventfd", eventfd(0, 0));
    guess("closed", 1000);
    guess("negative", -1);
    return 0;
}

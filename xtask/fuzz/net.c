/* Helpers for streams and UDP sockets. */
#include "net.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

const char *summary(const char *bytes, size_t length, char *text) {
    size_t used = 0;
    text[0] = 0;
    for (size_t at = 0; at < length && used < 60;) {
        size_t run = 1;
        while (at + run < length && bytes[at + run] == bytes[at]) run++;
        used += (size_t)snprintf(text + used, 80 - used, " %c*%zu", bytes[at], run);
        at += run;
    }
    return text;
}

void await_loopback(const uv_handle_t *handle) {
    uv_os_fd_t fd;
    if (handle->type != UV_TCP || uv_fileno(handle, &fd) != 0) return;
    for (int i = 0; i < 20; i++) {
        int unsent = 0;
        if (ioctl(fd, SIOCOUTQ, &unsent) != 0 || unsent == 0) return;
        usleep(50);
    }
}

/* Runs a loop with UV_RUN_NOWAIT whenever its backend descriptor is readable, as programs do that
 * embed it in another event loop. The descriptor is the only notification. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "net.h"
#include "test.h"

#include <poll.h>

/* How the program gets the backend descriptor. */
static int (*backend)(const uv_loop_t *) = uv_backend_fd;

static UNUSED int backend_fd_field(const uv_loop_t *loop) {
    return loop->backend_fd;
}

/* Runs the loop each time its descriptor is readable, until `done` is set or poll times out. */
static UNUSED void run_embedded(uv_loop_t *loop, const int *done) {
    uv_run(loop, UV_RUN_NOWAIT);
    while (!*done) {
        struct pollfd pollfd = {.fd = backend(loop), .events = POLLIN};
        if (poll(&pollfd, 1, 3000) != 1) {
            print("poll timed out");
            return;
        }
        uv_run(loop, UV_RUN_NOWAIT);
    }
}

#endif

/* A loop that is run without waiting whenever its backend descriptor is readable, as programs do
 * that embed it in another event loop. Nothing but the descriptor says that there is something to do. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "net.h"
#include "say.h"

#include <poll.h>

/* Where the program finds the descriptor. */
static int (*backend)(const uv_loop_t *) = uv_backend_fd;

static UNUSED int from_struct(const uv_loop_t *loop) {
    return loop->backend_fd;
}

/* Runs the loop each time its descriptor is readable, until `done` is set or nothing comes. */
static UNUSED void run_embedded(uv_loop_t *loop, const int *done) {
    uv_run(loop, UV_RUN_NOWAIT);
    while (!*done) {
        struct pollfd pollfd = {.fd = backend(loop), .events = POLLIN};
        if (poll(&pollfd, 1, 3000) != 1) {
            say("silence");
            return;
        }
        uv_run(loop, UV_RUN_NOWAIT);
    }
}

#endif

/* Every descriptor that the library opens for itself has FD_CLOEXEC. */
#include "test.h"

#include <fcntl.h>

static void on_work(uv_work_t *work) { (void)work; }

int main(void) {
    char before[256];
    uv_loop_t loop;
    uv_async_t async;
    uv_work_t work;
    int opened = 0, inherited = 0;

    for (int fd = 0; fd < 256; fd++) before[fd] = fcntl(fd, F_GETFD) >= 0;
    uv_loop_init(&loop);
    uv_async_init(&loop, &async, NULL);
    uv_async_send(&async);
    uv_queue_work(&loop, &work, on_work, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    for (int fd = 0; fd < 256; fd++) {
        int flags = fcntl(fd, F_GETFD);
        if (flags < 0 || before[fd]) continue;
        opened++;
        inherited += (flags & FD_CLOEXEC) == 0;
    }
    print("opened some %d, inherited %d", opened > 0, inherited);

    /* uv_loop_close closes them. */
    close_loop(&loop);
    opened = 0;
    for (int fd = 0; fd < 256; fd++) opened += fcntl(fd, F_GETFD) >= 0 && !before[fd];
    print("left open at most the signal pipe %d", opened <= 2);
    return 0;
}

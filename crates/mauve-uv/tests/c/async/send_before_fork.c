/* needs: mauve */
/* An async handle that is notified before fork() is called in the child too, after uv_loop_fork.
 * libuv loses the notification there. */
#include <sys/wait.h>

#include "test.h"

static int calls;

static void on_async(uv_async_t *handle) {
    calls++;
    uv_close((uv_handle_t *)handle, NULL);
}

int main(void) {
    uv_loop_t loop;
    uv_async_t async;
    int status;
    uv_loop_init(&loop);
    uv_async_init(&loop, &async, on_async);
    uv_async_send(&async);
    pid_t pid = fork();
    if (pid == 0) EXPECT(uv_loop_fork(&loop), 0);
    if (pid != 0) waitpid(pid, &status, 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(calls, 1);
    EXPECT(uv_loop_close(&loop), 0);
    if (pid == 0) _exit(3);
    EXPECT(WEXITSTATUS(status), 3);
    return 0;
}

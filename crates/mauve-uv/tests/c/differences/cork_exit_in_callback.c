/* needs: mauve */
/* Every write is in the socket buffer when uv_write returns, so a process that dies in the
 * callback has sent them all. With MAUVE_CORK=1 it has sent only the first. */
#include "cork/two_writes.h"

#include <sys/wait.h>

static uv_write_t writes[3];

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    for (int i = 0; i < 3; i++) {
        uv_buf_t bytes = uv_buf_init("word", 4);
        EXPECT(uv_write(&writes[i], STREAM(&tcp), &bytes, 1, NULL), 0);
    }
    _exit(0);
}

static ssize_t bytes_sent_by_exiting_child(void) {
    uv_loop_init(&loop);
    peer = connected_with_peer(&loop, &tcp);
    pid_t pid = fork();
    if (pid == 0) {
        uv_loop_fork(&loop);
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, on_timer, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    EXPECT(waitpid(pid, NULL, 0), pid);
    ssize_t count = read(peer, read_buffer, sizeof read_buffer);
    EXPECT(close_loop(&loop), 0);
    close(peer);
    return count;
}

int main(void) {
    unsetenv("MAUVE_CORK");
    EXPECT(bytes_sent_by_exiting_child(), 12);
    setenv("MAUVE_CORK", "0", 1);
    EXPECT(bytes_sent_by_exiting_child(), 12);
    setenv("MAUVE_CORK", "1", 1);
    EXPECT(bytes_sent_by_exiting_child(), 4);
    return 0;
}

/* uv_fileno: only kinds with a descriptor, and not when they are closing. */
#include "say.h"

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_async_t async;
    uv_poll_t poll;
    int ends[2];
    uv_os_fd_t fd = -7;

    assert(pipe(ends) == 0);
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_async_init(&loop, &async, NULL);
    uv_poll_init(&loop, &poll, ends[0]);
    say("timer %s", code(uv_fileno((uv_handle_t *)&timer, &fd)));
    say("idle %s", code(uv_fileno((uv_handle_t *)&idle, &fd)));
    say("prepare %s", code(uv_fileno((uv_handle_t *)&prepare, &fd)));
    say("check %s", code(uv_fileno((uv_handle_t *)&check, &fd)));
    say("async %s", code(uv_fileno((uv_handle_t *)&async, &fd)));
    say("untouched %d", fd == -7);
    say("poll %s", code(uv_fileno((uv_handle_t *)&poll, &fd)));
    say("the descriptor %d", fd == ends[0]);
    uv_close((uv_handle_t *)&poll, NULL);
    say("closing poll %s", code(uv_fileno((uv_handle_t *)&poll, &fd)));
    say("close %s", code(finish(&loop)));
    return 0;
}

/* uv_fileno works for handle types with a descriptor, and fails for closing handles. */
#include "test.h"

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
    print("timer %s", code(uv_fileno((uv_handle_t *)&timer, &fd)));
    print("idle %s", code(uv_fileno((uv_handle_t *)&idle, &fd)));
    print("prepare %s", code(uv_fileno((uv_handle_t *)&prepare, &fd)));
    print("check %s", code(uv_fileno((uv_handle_t *)&check, &fd)));
    print("async %s", code(uv_fileno((uv_handle_t *)&async, &fd)));
    print("untouched %d", fd == -7);
    print("poll %s", code(uv_fileno((uv_handle_t *)&poll, &fd)));
    print("the descriptor %d", fd == ends[0]);
    uv_close((uv_handle_t *)&poll, NULL);
    uv_close((uv_handle_t *)&timer, NULL);
    print("closing poll %s", code(uv_fileno((uv_handle_t *)&poll, &fd)));
    print("closing timer %s", code(uv_fileno((uv_handle_t *)&timer, &fd)));
    print("close %s", code(close_loop(&loop)));
    return 0;
}

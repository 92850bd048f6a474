/* `uv_pipe_pending_instances` has no effect on Unix: on any memory, and on any thread. */
#include "../test.h"

#include <sys/mman.h>

static uv_loop_t loop;
static uv_pipe_t pipe_handle;

static void on_thread(void *argument) {
    (void) argument;
    uv_pipe_pending_instances(&pipe_handle, 4);
}

static void on_timer(uv_timer_t *timer) {
    uv_thread_t thread;
    uv_thread_create(&thread, on_thread, NULL);
    uv_thread_join(&thread);
    print("called on another thread, during a callback");
    uv_close((uv_handle_t *) timer, NULL);
    uv_close((uv_handle_t *) &pipe_handle, NULL);
    uv_pipe_pending_instances(&pipe_handle, 4);
}

int main(void) {
    uv_timer_t timer;
    void *unreadable = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uv_pipe_pending_instances(NULL, 1);
    uv_pipe_pending_instances(unreadable, 1);
    memset(&pipe_handle, 0xa5, sizeof pipe_handle);
    uv_pipe_pending_instances(&pipe_handle, 1);
    uv_loop_init(&loop);
    /* A handle of another type. */
    uv_timer_init(&loop, &timer);
    uv_pipe_pending_instances((uv_pipe_t *) &timer, 1);
    uv_pipe_init(&loop, &pipe_handle, 0);
    uv_pipe_pending_instances(&pipe_handle, -1);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_pending_instances(&pipe_handle, 4);
    print("close %s", code(uv_loop_close(&loop)));
    uv_pipe_pending_instances(&pipe_handle, 4);
    return 0;
}

/* Two writes in a callback, which then forks or exits: the peer gets each byte once. */
#include "cork/two_writes.h"

#include <sys/wait.h>

static void leave_at_once(void) {
    _exit(0);
}
static void leave(void) {
    exit(0);
}
static void call_and_leave(void) {
    uv_sleep(1);
    uv_now(&loop);
    _exit(0);
}
static void fork_loop_and_leave(void) {
    assert(uv_loop_fork(&loop) == 0);
    _exit(0);
}
/* The child has a loop of its own, and its writes are done. */
static void fork_loop_and_run(void) {
    assert(uv_loop_fork(&loop) == 0);
    uv_update_time(&loop);
}

static const struct {
    const char *name;
    void (*act)(void);
} CHILDREN[] = {
    {"_exit", leave_at_once},
    {"exit", leave},
    {"calls of the library", call_and_leave},
    {"uv_loop_fork", fork_loop_and_leave},
    {"uv_loop_fork and uv_run", fork_loop_and_run},
};

static size_t child;
static int is_child;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    write_twice();
    pid_t pid = fork();
    if (pid == 0) {
        is_child = 1;
        CHILDREN[child].act();
        return;
    }
    int status;
    assert(waitpid(pid, &status, 0) == pid);
    say("  child %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void play_fork(void) {
    say("%s", CHILDREN[child].name);
    completed = 0;
    assert(uv_loop_init(&loop) == 0);
    peer = connected_with_peer(&loop, &tcp);
    assert(uv_timer_init(&loop, &timer) == 0);
    assert(uv_timer_start(&timer, on_timer, 0, 0) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (is_child) _exit(completed);
    say("  writes completed %d", completed);
    say("  finish %s", code(finish(&loop)));
    /* The end comes when the child has none of it either. */
    say("  peer: %s", taken(peer, 100));
    close(peer);
}

/* A process that ends in the callback. */
static void end_by_exit(uv_timer_t *timer) {
    (void)timer;
    write_twice();
    exit(3);
}

static void play_exit(void) {
    int status;
    say("exit in the callback");
    assert(uv_loop_init(&loop) == 0);
    peer = connected_with_peer(&loop, &tcp);
    pid_t pid = fork();
    if (pid == 0) {
        assert(uv_loop_fork(&loop) == 0);
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, end_by_exit, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    assert(waitpid(pid, &status, 0) == pid);
    say("  child %d", WEXITSTATUS(status));
    say("  finish %s", code(finish(&loop)));
    say("  peer: %s", taken(peer, 100));
    close(peer);
}

int main(void) {
    for (child = 0; child < COUNT(CHILDREN); child++) play_fork();
    play_exit();
    return 0;
}

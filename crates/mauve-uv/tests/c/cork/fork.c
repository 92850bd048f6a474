/* Two writes in a callback, which then forks or exits: the peer receives each byte once. */
#include "cork/two_writes.h"

#include <sys/wait.h>

static void exit_immediately(void) {
    _exit(0);
}
static void exit_normally(void) {
    exit(0);
}
static void call_and_exit(void) {
    uv_sleep(1);
    uv_now(&loop);
    _exit(0);
}
static void fork_loop_and_exit(void) {
    assert(uv_loop_fork(&loop) == 0);
    _exit(0);
}
/* The child runs the loop: the write callbacks run there too. */
static void fork_loop_and_run(void) {
    assert(uv_loop_fork(&loop) == 0);
    uv_update_time(&loop);
}

static const struct {
    const char *name;
    void (*act)(void);
} CHILDREN[] = {
    {"_exit", exit_immediately},
    {"exit", exit_normally},
    {"calls of the library", call_and_exit},
    {"uv_loop_fork", fork_loop_and_exit},
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
    print("  child %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void run_fork_scenario(void) {
    print("%s", CHILDREN[child].name);
    completed = 0;
    assert(uv_loop_init(&loop) == 0);
    peer = connected_with_peer(&loop, &tcp);
    assert(uv_timer_init(&loop, &timer) == 0);
    assert(uv_timer_start(&timer, on_timer, 0, 0) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (is_child) _exit(completed);
    print("  writes completed %d", completed);
    print("  close_loop %s", code(close_loop(&loop)));
    /* Reads until the end of file, which needs the descriptors of the child closed too. */
    print("  peer: %s", received(peer, 100));
    close(peer);
}

/* A process that exits in the callback. */
static void write_and_exit(uv_timer_t *timer) {
    (void)timer;
    write_twice();
    exit(3);
}

static void run_exit_scenario(void) {
    int status;
    print("exit in the callback");
    assert(uv_loop_init(&loop) == 0);
    peer = connected_with_peer(&loop, &tcp);
    pid_t pid = fork();
    if (pid == 0) {
        assert(uv_loop_fork(&loop) == 0);
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, write_and_exit, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    assert(waitpid(pid, &status, 0) == pid);
    print("  child %d", WEXITSTATUS(status));
    print("  close_loop %s", code(close_loop(&loop)));
    print("  peer: %s", received(peer, 100));
    close(peer);
}

int main(void) {
    for (child = 0; child < COUNT(CHILDREN); child++) run_fork_scenario();
    run_exit_scenario();
    return 0;
}

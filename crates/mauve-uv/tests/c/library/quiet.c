/* The library does nothing before it is asked to: no thread, no descriptor, no signal handler. */
#include "say.h"

#include <dirent.h>
#include <signal.h>

static int entries(const char *path) {
    DIR *directory = opendir(path);
    int count = 0;
    while (readdir(directory) != NULL) count++;
    closedir(directory);
    return count - 2;
}

/* Which signals somebody handles or ignores. */
static void look(const char *when) {
    printf("%s: %d threads, %d descriptors, signals:", when, entries("/proc/self/task"),
           entries("/proc/self/fd") - 1);
    for (int number = 1; number < 32; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            printf(" %d", number);
    }
    say("");
}

static void nothing(uv_signal_t *signal, int number) {
    (void)signal;
    (void)number;
}

static void on_timer(uv_timer_t *timer) {
    uv_close((uv_handle_t *)timer, NULL);
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_signal_t signal;
    uv_fs_t request;

    /* What this process was started with. */
    int before = entries("/proc/self/fd");

    look("loaded");
    say("version %d", uv_version() > 0);
    look("asked for the version");
    uv_loop_init(&loop);
    say("threads with a loop %d", entries("/proc/self/task"));
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_fs_stat(NULL, &request, ".", NULL);
    uv_fs_req_cleanup(&request);
    say("threads after a timer and a synchronous request %d", entries("/proc/self/task"));
    uv_signal_init(&loop, &signal);
    uv_signal_start(&signal, nothing, SIGUSR1);
    struct sigaction action;
    sigaction(SIGUSR1, NULL, &action);
    say("handles the signal that was asked for %d", action.sa_handler != SIG_DFL);
    uv_close((uv_handle_t *)&signal, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("close %d", uv_loop_close(&loop));
    uv_library_shutdown();
    look("shut down");
    say("descriptors more than before %d", entries("/proc/self/fd") - before);
    return 0;
}

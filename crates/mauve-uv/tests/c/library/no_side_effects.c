/* Loading the library and using a loop start no thread, open no extra descriptor and install no
 * signal handler. */
#include "test.h"

#include <dirent.h>
#include <signal.h>

static int count_entries(const char *path) {
    DIR *directory = opendir(path);
    int count = 0;
    while (readdir(directory) != NULL) count++;
    closedir(directory);
    return count - 2;
}

/* Prints the threads, descriptors and signals that do not have the default disposition. */
static void print_process_state(const char *when) {
    printf("%s: %d threads, %d descriptors, signals:", when, count_entries("/proc/self/task"),
           count_entries("/proc/self/fd") - 1);
    for (int number = 1; number < 32; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            printf(" %d", number);
    }
    print("");
}

static void on_signal(uv_signal_t *signal, int number) {
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

    /* Descriptors that were open at the start. */
    int before = count_entries("/proc/self/fd");

    print_process_state("loaded");
    print("version %d", uv_version() > 0);
    print_process_state("after uv_version");
    uv_loop_init(&loop);
    print("threads with a loop %d", count_entries("/proc/self/task"));
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    uv_fs_stat(NULL, &request, ".", NULL);
    uv_fs_req_cleanup(&request);
    print("threads after a timer and a synchronous request %d", count_entries("/proc/self/task"));
    uv_signal_init(&loop, &signal);
    uv_signal_start(&signal, on_signal, SIGUSR1);
    struct sigaction action;
    sigaction(SIGUSR1, NULL, &action);
    print("signal handler installed %d", action.sa_handler != SIG_DFL);
    uv_close((uv_handle_t *)&signal, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %d", uv_loop_close(&loop));
    uv_library_shutdown();
    print_process_state("after uv_library_shutdown");
    print("additional descriptors %d", count_entries("/proc/self/fd") - before);
    return 0;
}

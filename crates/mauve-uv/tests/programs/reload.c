/* Loads the library named by the argument, uses it, and unloads it, several times. Each round must
 * leave no thread, descriptor or signal handler. Prints whether the library stays in memory. */

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { ROUNDS = 5 };

static int count_entries(const char *path) {
    DIR *directory = opendir(path);
    int count = 0;
    while (readdir(directory) != NULL) count++;
    closedir(directory);
    return count;
}

/* The functions that are looked up with dlsym. */
#define FUNCTIONS(XX) \
    XX(uv_loop_init) XX(uv_loop_close) XX(uv_run) XX(uv_close) XX(uv_timer_init) \
    XX(uv_timer_start) XX(uv_queue_work) XX(uv_fs_stat) XX(uv_fs_req_cleanup) XX(uv_signal_init) \
    XX(uv_signal_start) XX(uv_async_init) XX(uv_async_send) XX(uv_library_shutdown)

#define XX(name) static __typeof__(&name) name##_;
FUNCTIONS(XX)
#undef XX

static int calls;
static uv_async_t async;

static void on_work(uv_work_t *work) {
    (void)work;
    uv_async_send_(&async);
}

static void after_work(uv_work_t *work, int status) {
    (void)work;
    calls += status == 0;
}

static void on_async(uv_async_t *handle) {
    calls++;
    uv_close_((uv_handle_t *)handle, NULL);
}

static void on_timer(uv_timer_t *timer) {
    calls++;
    uv_close_((uv_handle_t *)timer, NULL);
}

static void on_stat(uv_fs_t *request) {
    calls += request->result == 0;
    uv_fs_req_cleanup_(request);
}

static void on_signal(uv_signal_t *signal, int number) {
    (void)number;
    calls++;
    uv_close_((uv_handle_t *)signal, NULL);
}

static void fail(const char *what, int round) {
    fprintf(stderr, "%s, in round %d\n", what, round);
    exit(1);
}

static void use_library(int round) {
    static uv_loop_t loop;
    static uv_timer_t timer;
    static uv_work_t work;
    static uv_fs_t request;
    static uv_signal_t signal;
    calls = 0;
    if (uv_loop_init_(&loop) != 0) fail("no loop", round);
    uv_timer_init_(&loop, &timer);
    uv_timer_start_(&timer, on_timer, 1, 0);
    uv_async_init_(&loop, &async, on_async);
    uv_queue_work_(&loop, &work, on_work, after_work);
    uv_fs_stat_(&loop, &request, "/", on_stat);
    uv_signal_init_(&loop, &signal);
    uv_signal_start_(&signal, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_run_(&loop, UV_RUN_DEFAULT);
    if (calls != 5) fail("not all callbacks have run", round);
    if (uv_loop_close_(&loop) != 0) fail("the loop is busy", round);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int threads = count_entries("/proc/self/task"), descriptors = count_entries("/proc/self/fd");
    for (int round = 1; round <= ROUNDS; round++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) fail(dlerror(), round);
#define XX(name) *(void **)&name##_ = dlsym(library, #name);
        FUNCTIONS(XX)
#undef XX
        if (count_entries("/proc/self/task") != threads)
            fail("loading has started a thread", round);
        use_library(round);
        uv_library_shutdown_();
        if (count_entries("/proc/self/task") != threads) fail("a thread is left", round);
        if (count_entries("/proc/self/fd") != descriptors) fail("a descriptor is left", round);
        struct sigaction action;
        sigaction(SIGUSR1, NULL, &action);
        if (action.sa_handler != SIG_DFL) fail("a signal handler is left", round);
        if (dlclose(library) != 0) fail(dlerror(), round);
        if (count_entries("/proc/self/task") != threads) fail("a thread is left at the end", round);
        if (count_entries("/proc/self/fd") != descriptors)
            fail("a descriptor is left at the end", round);
    }
    puts(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == NULL ? "unloaded" : "stays");
    return 0;
}

/* Signals interrupt requests: a synchronous read returns UV_EINTR, a write continues. */
#include "fs/temp_dir.h"

#include <signal.h>
#include <sys/time.h>

static int signals;
static int ends[2];

static void on_signal(int number) {
    (void)number;
    /* Makes the pipe readable. */
    if (++signals % 3 == 0) assert(write(ends[1], "x", 1) == 1);
}

static void drain(void *argument) {
    char bytes[4096];
    sigset_t all;
    (void)argument;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (size_t total = 0; total < 1000000;) {
        ssize_t length = read(ends[0], bytes, sizeof bytes);
        assert(length > 0);
        total += length;
        if (total % 65536 < sizeof bytes) uv_sleep(2);
    }
}

int main(void) {
    static char bytes[1000000];
    uv_buf_t buffers[2] = {{bytes, 10}, {bytes + 10, 10}}, all = uv_buf_init(bytes, sizeof bytes);
    struct sigaction action = {.sa_handler = on_signal};
    struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
    uv_thread_t thread;

    enter_temp_dir();
    assert(pipe(ends) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 3; i++)
        print("read: %s",
              result_name(uv_fs_read(NULL, &fs, ends[0], buffers, 1 + i % 2, -1, NULL)));
    setitimer(ITIMER_REAL, &never, NULL);

    signals = -1000000;
    assert(uv_thread_create(&thread, drain, NULL) == 0);
    setitimer(ITIMER_REAL, &often, NULL);
    print("write: %s", result_name(uv_fs_write(NULL, &fs, ends[1], &all, 1, -1, NULL)));
    setitimer(ITIMER_REAL, &never, NULL);
    uv_thread_join(&thread);
    print("interrupted: %d", signals > -1000000);
    return 0;
}

/* needs: 1.52 */
/* No descriptor is left: a child without pipes starts, and uv_loop_fork replaces the descriptors of the
 * loop in place. */
#include "../test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static uv_loop_t loop;

static void on_exit_of(uv_process_t *process, int64_t status, int signal) {
    EXPECT(status, 0);
    EXPECT(signal, 0);
    record_event("exit");
    uv_close((uv_handle_t *)process, NULL);
}

static void on_async(uv_async_t *async) {
    record_event("async");
    uv_close((uv_handle_t *)async, NULL);
    raise(SIGUSR1);
}

static void on_signal(uv_signal_t *signal, int number) {
    EXPECT(number, SIGUSR1);
    record_event("signal");
    uv_close((uv_handle_t *)signal, NULL);
}

static void spawn(const char *file, int wanted) {
    static uv_process_t process;
    char *arguments[] = {(char *)file, NULL};
    uv_process_options_t options = {.file = file, .args = arguments, .exit_cb = on_exit_of};
    EXPECT(uv_spawn(&loop, &process, &options), wanted);
    if (wanted != 0) uv_close((uv_handle_t *)&process, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

int main(void) {
    struct rlimit limit = {.rlim_cur = 64, .rlim_max = 64};
    uv_async_t async;
    uv_signal_t signal;
    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit), 0);
    while (fcntl(0, F_DUPFD_CLOEXEC, 0) >= 0) continue;

    spawn("/bin/true", 0);
    EXPECT_EVENTS("exit ");
    spawn("/no/such/file", UV_ENOENT);
    EXPECT_EVENTS("");

    EXPECT(uv_async_init(&loop, &async, on_async), 0);
    EXPECT(uv_signal_init(&loop, &signal), 0);
    EXPECT(uv_signal_start(&signal, on_signal, SIGUSR1), 0);
    pid_t child = fork();
    if (child == 0) {
        EXPECT(uv_loop_fork(&loop), 0);
        EXPECT(uv_async_send(&async), 0);
        EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
        EXPECT_EVENTS("async signal ");
        exit(0);
    }
    int status = -1;
    EXPECT(waitpid(child, &status, 0), child);
    EXPECT(status, 0);
    EXPECT(uv_async_send(&async), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT_EVENTS("async signal ");
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

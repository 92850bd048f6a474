/* needs: mauve */
/* uv_process_kill after uv_spawn has failed: there is no child. libuv would send the signal to the
 * process group of the program. */
#include "test.h"

#include <signal.h>

static volatile sig_atomic_t signals;

static void on_signal(int number) {
    (void)number;
    signals++;
}

int main(void) {
    uv_loop_t loop;
    uv_process_t process;
    uv_process_options_t options;
    char *arguments[] = {"missing", NULL};
    EXPECT(uv_loop_init(&loop), 0);
    memset(&options, 0, sizeof(options));
    options.file = "/missing/program";
    options.args = arguments;
    EXPECT(setpgid(0, 0), 0);
    signal(SIGUSR1, on_signal);
    EXPECT(uv_spawn(&loop, &process, &options), UV_ENOENT);
    EXPECT(uv_process_kill(&process, 0), UV_ESRCH);
    EXPECT(uv_process_kill(&process, SIGUSR1), UV_ESRCH);
    EXPECT(signals, 0);
    uv_close((uv_handle_t *)&process, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

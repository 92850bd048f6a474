/* A directory of PATH that is longer than a path can be is skipped, and the search goes on. */
#include "test.h"

#include <limits.h>

static void on_exit_(uv_process_t *process, int64_t status, int signal) {
    print("exit %d, signal %d", (int)status, signal);
    uv_close((uv_handle_t *)process, NULL);
}

static void spawn(uv_loop_t *loop, char *path) {
    uv_process_t process;
    uv_process_options_t options;
    char *arguments[] = {"true", NULL};
    char *environment[] = {path, NULL};
    memset(&options, 0, sizeof(options));
    options.file = "true";
    options.args = arguments;
    options.env = environment;
    options.exit_cb = on_exit_;
    int result = uv_spawn(loop, &process, &options);
    print("spawn %s", code(result));
    if (result != 0) uv_close((uv_handle_t *)&process, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
}

int main(void) {
    uv_loop_t loop;
    static char path[PATH_MAX + 100];
    uv_loop_init(&loop);
    for (int length = PATH_MAX - 2; length <= PATH_MAX + 2; length++) {
        strcpy(path, "PATH=");
        memset(path + 5, '/', length);
        strcpy(path + 5 + length, ":/usr/bin:/bin");
        print("a directory of PATH_MAX %+d bytes", length - PATH_MAX);
        spawn(&loop, path);
        strcpy(path + 5 + length, ":/missing");
        spawn(&loop, path);
    }
    print("loop close: %s", code(uv_loop_close(&loop)));
    return 0;
}

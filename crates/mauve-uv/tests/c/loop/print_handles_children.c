/* uv_print_all_handles: the internal signal handle is active while the loop has child processes. */
#include "test.h"

#include <signal.h>

static uv_loop_t loop;

static void print_flags(const char *title) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    uv_print_all_handles(&loop, stream);
    fclose(stream);
    print("%s", title);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        print("  %.14s|", line);
    free(text);
}

static void spawn(uv_process_t *process, char *file, char *argument) {
    uv_process_options_t options;
    char *arguments[] = {file, argument, NULL};
    memset(&options, 0, sizeof(options));
    options.file = file;
    options.args = arguments;
    print("spawn %s", code(uv_spawn(&loop, process, &options)));
}

int main(void) {
    uv_process_t first, second;
    uv_loop_init(&loop);
    print_flags("no child");

    spawn(&first, "/bin/sleep", "100");
    print_flags("one");
    uv_process_kill(&first, SIGKILL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print_flags("it has exited");
    uv_close((uv_handle_t *)&first, NULL);
    print_flags("it is closed");
    uv_run(&loop, UV_RUN_DEFAULT);

    spawn(&first, "/missing/program", NULL);
    print_flags("a failed spawn");
    uv_close((uv_handle_t *)&first, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    spawn(&first, "/bin/sleep", "100");
    uv_unref((uv_handle_t *)&first);
    spawn(&second, "/missing/program", NULL);
    uv_close((uv_handle_t *)&second, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print_flags("a running child, and a failed one that is closed");
    uv_process_kill(&first, SIGKILL);
    uv_close((uv_handle_t *)&first, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print_flags("all closed");
    print("loop close: %s", code(uv_loop_close(&loop)));
    return 0;
}

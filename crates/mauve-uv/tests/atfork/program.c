/* Spawns children through that library, and prints which fork handlers have run. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

void hooked_prepare(void);
int hooked_before(void);
int hooked_after(void);
int hooked_spawn(uv_loop_t *, uv_process_t *, const uv_process_options_t *);

static void on_child_exit(uv_process_t *process, int64_t status, int number) {
    printf("child: status %d, signal %d\n", (int)status, number);
    uv_close((uv_handle_t *)process, NULL);
}

int main(void) {
    static char *args[] = {"sh", "-c", "echo \"handler in the child: ${HANDLER:-none}\"", NULL};
    static char *missing[] = {"no-such-program-anywhere", NULL};
    uv_stdio_container_t stdio[2] = {{.flags = UV_IGNORE},
                                     {.flags = UV_INHERIT_FD, .data.fd = 1}};
    uv_process_options_t options = {.exit_cb = on_child_exit,
                                    .file = "sh",
                                    .args = args,
                                    .stdio = stdio,
                                    .stdio_count = 2};
    uv_process_t child;
    uv_loop_t *loop = uv_default_loop();

    hooked_prepare();
    int result = hooked_spawn(loop, &child, &options);
    /* Prints only after the child has exited, because both write to stdout. */
    uv_run(loop, UV_RUN_DEFAULT);
    printf("spawn: %d\n", result);
    printf("handlers: %d before, %d after\n", hooked_before(), hooked_after());

    options.file = missing[0];
    options.args = missing;
    result = hooked_spawn(loop, &child, &options);
    printf("missing program: %s\n", uv_err_name(result));
    uv_close((uv_handle_t *)&child, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    printf("handlers: %d before, %d after\n", hooked_before(), hooked_after());
    return 0;
}

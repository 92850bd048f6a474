/* needs: 1.52 */
/* A child has the descriptors of `stdio`, and not a second time those that they were duplicated
 * from. Otherwise the parent gets no end of file when the child closes its end of a pipe. */
#include "test.h"

#include <fcntl.h>
#include <sys/wait.h>

static uv_loop_t loop;
static char *program;

static void on_exit_(uv_process_t *process, int64_t status, int signal) {
    EXPECT(signal, 0);
    EXPECT(status, 0);
    uv_close((uv_handle_t *)process, NULL);
}

/* Checks which descriptors are open: for each pair of arguments a number, and whether it is open. */
static int child(int count, char **arguments) {
    for (int i = 0; i + 1 < count; i += 2)
        EXPECT(fcntl(atoi(arguments[i]), F_GETFD) != -1, atoi(arguments[i + 1]));
    return 0;
}

static void spawn(char **arguments, uv_stdio_container_t *stdio, int count) {
    uv_process_t process;
    uv_process_options_t options;
    memset(&options, 0, sizeof(options));
    options.file = program;
    options.args = arguments;
    options.exit_cb = on_exit_;
    options.stdio = stdio;
    options.stdio_count = count;
    EXPECT(uv_spawn(&loop, &process, &options), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
}

int main(int argc, char **argv) {
    if (argc > 1) return child(argc - 1, argv + 1);
    program = "/proc/self/exe";
    EXPECT(uv_loop_init(&loop), 0);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 40; fd < 43; fd++) EXPECT(dup2(null, fd), fd);
    uv_stdio_container_t stdio[45];
    for (int fd = 0; fd < 45; fd++) stdio[fd].flags = UV_IGNORE;
    stdio[2].flags = UV_INHERIT_FD;
    stdio[2].data.fd = 2;

    /* 40 and 41 are duplicated, the first one twice. 42 is inherited because it is not close-on-exec. */
    stdio[0].flags = stdio[1].flags = stdio[3].flags = UV_INHERIT_FD;
    stdio[0].data.fd = stdio[1].data.fd = 40;
    stdio[3].data.fd = 41;
    char *duplicated[] = {program, "0", "1", "1", "1", "3", "1", "40", "0", "41", "0", "42", "1", NULL};
    spawn(duplicated, stdio, 4);

    /* A number that `stdio` has an entry for stays open. */
    stdio[0].flags = stdio[1].flags = UV_IGNORE;
    stdio[44] = stdio[3];
    stdio[3].flags = UV_IGNORE;
    char *low[] = {program, "44", "1", "41", "1", NULL};
    spawn(low, stdio, 45);

    /* They stay open in the parent. */
    for (int fd = 40; fd < 43; fd++) EXPECT(fcntl(fd, F_GETFD), 0);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

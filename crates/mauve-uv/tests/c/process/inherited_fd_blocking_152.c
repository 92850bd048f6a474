/* needs: 1.52 */
/* Which inherited descriptors are made blocking in the child. One with a lower number than its
 * target keeps its mode. With another user or group, only the first three are made blocking. */
#include "child.h"

static int check_in_child(char **argv) {
    for (int fd = 0; argv[2][fd]; fd++) {
        int blocks = (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
        if (blocks != (argv[2][fd] == 'b')) return 10 + fd;
    }
    return 0;
}

static int status;

static void on_status(uv_process_t *process, int64_t exited, int number) {
    (void)number;
    status = (int)exited;
    uv_close((uv_handle_t *)process, NULL);
}

/* Spawns a child that inherits new non-blocking descriptors with these numbers. */
static int spawn_with(const int *sources, int flags, char *expected) {
    char *args[] = {"child", "child", expected, NULL};
    options.args = args;
    options.flags = (unsigned)flags;
    options.uid = getuid();
    options.gid = getgid();
    for (int i = 0; i < 5; i++) {
        int null = open("/dev/null", O_RDWR | O_NONBLOCK | O_CLOEXEC);
        EXPECT(dup3(null, sources[i], O_CLOEXEC), sources[i]);
        close(null);
        stdio[i].flags = UV_INHERIT_FD;
        stdio[i].data.fd = sources[i];
    }
    options.stdio_count = 5;
    EXPECT(uv_spawn(&loop, &child, &options), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    return status;
}

int main(int argc, char **argv) {
    if (argc > 2) return check_in_child(argv);
    static const int high[] = {100, 101, 102, 103, 104}, mixed[] = {100, 101, 1, 103, 2};
    prepare_child();
    options.file = "/proc/self/exe";
    options.exit_cb = on_status;
    EXPECT(spawn_with(high, 0, "bbbbb"), 0);
    EXPECT(spawn_with(mixed, 0, "bbnbn"), 0);
    EXPECT(spawn_with(high, UV_PROCESS_SETUID, "bbbnn"), 0);
    EXPECT(spawn_with(mixed, UV_PROCESS_SETGID, "bbbnn"), 0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}

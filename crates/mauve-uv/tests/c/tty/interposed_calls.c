/* Functions of the C library that open a terminal a second time: programs replace them. */
#include "../test.h"

#include <dlfcn.h>
#include <fcntl.h>

static int duplicated, queried;

int dup3(int fd, int other, int flags) {
    int (*original)(int, int, int) = dlsym(RTLD_NEXT, "dup3");
    duplicated++;
    return original(fd, other, flags);
}

/* The name depends on the C library and on the size of file offsets. */
static int query(const char *name, int fd, int command, void *argument) {
    int (*original)(int, int, ...) = dlsym(RTLD_NEXT, name);
    if (command == F_GETFL) queried = 1;
    return original(fd, command, argument);
}

int fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return query("fcntl", fd, command, argument);
}

int fcntl64(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return query("fcntl64", fd, command, argument);
}

int main(void) {
    uv_loop_t loop;
    uv_tty_t tty;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert(terminal >= 0);
    uv_loop_init(&loop);
    duplicated = queried = 0;
    print("init %s", code(uv_tty_init(&loop, &tty, terminal, 0)));
    print("fcntl %d, dup3 %d", queried, duplicated);
    uv_close((uv_handle_t *) &tty, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}

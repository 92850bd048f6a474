/* UV_INHERIT_FD and UV_IGNORE: swapped, repeated and ignored descriptors. Nothing else is
 * inherited. */
#include "child.h"

int main(void) {
    prepare_child();
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int other = open("/dev/zero", O_RDONLY | O_CLOEXEC);

    stdio[2].data.fd = 1;
    run_child("standard error to standard output", "echo '  out'; echo '  err' >&2");
    stdio[2].data.fd = 2;
    stdio[0].flags = UV_IGNORE;
    run_child("ignored standard input", "readlink /proc/self/fd/0; cat; echo '  read'");
    options.stdio_count = 6;
    stdio[3].flags = UV_INHERIT_FD;
    stdio[3].data.fd = other;
    stdio[4].flags = UV_INHERIT_FD;
    stdio[4].data.fd = file;
    stdio[5].flags = UV_IGNORE;
    print("numbers are swapped: %d", file == 3 || other > file);
    run_child("more than three",
              "readlink /proc/self/fd/3 /proc/self/fd/4; test -e /proc/self/fd/5 || echo '  none'");
    stdio[4].data.fd = other;
    run_child("the same descriptor twice", "readlink /proc/self/fd/3 /proc/self/fd/4");
    options.stdio_count = 0;
    run_child("stdio_count 0", "exit 5");
    close(file);
    close(other);
    print("close %s", code(close_loop(&loop)));
    return 0;
}

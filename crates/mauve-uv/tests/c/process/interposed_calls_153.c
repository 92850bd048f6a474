/* needs: 1.53 */
/* Children are started with the functions of the C library that libuv calls: `posix_spawn` once for each path,
 * and `execvp` in a child that changes its user. Programs replace them. */
#include "child.h"

#include <dlfcn.h>
#include <spawn.h>

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    static int (*original)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                           char *const[], char *const[]);
    short flags = 0;
    if (!original) original = dlsym(RTLD_NEXT, "posix_spawn");
    posix_spawnattr_getflags(attributes, &flags);
    print("  posix_spawn %s, flags %x, %s", path, flags, environment == environ ? "environ" : environment[0]);
    int result = original(pid, path, actions, attributes, arguments, environment);
    print("  -> %d", result);
    return result;
}

/* In a forked child, whose standard output is that of the program. */
int execvp(const char *file, char *const arguments[]) {
    int (*original)(const char *, char *const[]) = dlsym(RTLD_NEXT, "execvp");
    print("  execvp %s, %s", file, environ[0]);
    return original(file, arguments);
}

static char *path[] = {"PATH=/no/such/directory:/bin", NULL};

int main(void) {
    prepare_child();
    options.env = path;
    run_child("a name", "exit 3");
    options.file = "/bin/sh";
    run_child("a path", "exit 4");
    options.file = "no-such-program";
    run_child("a missing program", "");
    options.file = "/no/such/program";
    run_child("a missing path", "");
    options.file = "/bin/sh";
    options.cwd = "/tmp";
    run_child("a directory", "test $PWD = /tmp && exit 6");
    options.cwd = "/no/such/directory";
    run_child("a missing directory", "");
    options.cwd = NULL;
    options.flags = UV_PROCESS_DETACHED;
    run_child("detached", "kill -9 $$");
    options.flags = 0;
    options.env = NULL;
    run_child("the environment of the program", "exit 5");

    options.env = path;
    stdio[0].flags = UV_IGNORE;
    stdio[1].data.fd = 2;
    stdio[2].data.fd = 1;
    options.stdio_count = 5;
    stdio[3].flags = stdio[4].flags = UV_INHERIT_FD;
    stdio[3].data.fd = 1;
    stdio[4].data.fd = 0;
    run_child("moved descriptors", "test /proc/self/fd/2 -ef /proc/self/fd/3 -a ! -e /proc/self/fd/5 && exit 7");
    stdio[3].data.fd = 99;
    run_child("a closed descriptor", "");

    for (int fd = 0; fd < 3; fd++) {
        stdio[fd].flags = UV_INHERIT_FD;
        stdio[fd].data.fd = fd;
    }
    options.stdio_count = 3;
    options.file = "sh";
    options.flags = UV_PROCESS_SETUID | UV_PROCESS_SETGID;
    options.uid = getuid();
    options.gid = getgid();
    run_child("a user", "exit 8");
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}

/* needs: 1.53 */
/* Which signals a child ignores and blocks: none of the parent's. The two that glibc uses itself are
 * ignored, unless the child changes its user. */
#include "net.h"

#include <sys/syscall.h>

static uv_loop_t loop;

static void on_exit_(uv_process_t *process, int64_t status, int signal) {
    assert(status == 0 && signal == 0);
    uv_close(HANDLE(process), NULL);
}

static void spawn(const char *name, char *self, unsigned flags, const char *cwd) {
    uv_process_t process;
    char *arguments[] = {self, "child", NULL};
    uv_stdio_container_t stdio[2] = {{.flags = UV_IGNORE}, {.flags = UV_INHERIT_FD, .data.fd = 1}};
    uv_process_options_t options = {
        .file = self, .args = arguments, .flags = flags, .cwd = cwd, .exit_cb = on_exit_,
        .stdio = stdio, .stdio_count = 2, .uid = getuid(), .gid = getgid(),
    };
    print("%s", name);
    fflush(stdout);
    EXPECT(uv_spawn(&loop, &process, &options), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
}

static int child(void) {
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status)) {
        if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6)) fputs(line, stdout);
    }
    fclose(status);
    return 0;
}

int main(int count, char **arguments) {
    char self[4096];
    size_t length = sizeof self;
    sigset_t blocked;
    long action[4] = {0};
    (void)arguments;
    if (count > 1) return child();
    EXPECT(uv_exepath(self, &length), 0);
    /* The parent of this program may ignore them. The C library refuses to change them. */
    for (int number = 32; number < 34; number++) {
        EXPECT(syscall(SYS_rt_sigaction, number, action, NULL, 8), 0);
    }
    signal(SIGUSR1, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    sigaddset(&blocked, 40);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    uv_loop_init(&loop);
    spawn("plain", self, 0, NULL);
    spawn("detached", self, UV_PROCESS_DETACHED, NULL);
    spawn("in a directory", self, 0, "/");
    spawn("with a user", self, UV_PROCESS_SETUID, NULL);
    spawn("with a group", self, UV_PROCESS_SETGID, NULL);
    EXPECT(close_loop(&loop), 0);
    return 0;
}

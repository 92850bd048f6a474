/* Waits until other threads and children are done. */
#include "interp.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

static char state_at(int folder, const char *thread) {
    char path[40], text[512];
    snprintf(path, sizeof path, "%.20s/stat", thread);
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 'S';
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0) return 'S';
    text[length] = 0;
    char *end = strrchr(text, ')');
    return end ? end[2] : 'S';
}

/* Whether all other threads of this process sleep. */
static bool others_sleep(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) _exit(3);
    pid_t self = (pid_t)syscall(SYS_gettid);
    bool asleep = true;
    for (struct dirent *entry; asleep && (entry = readdir(tasks));) {
        pid_t thread = atoi(entry->d_name);
        if (thread == 0 || thread == self || thread == watchdog_thread) continue;
        asleep = state_at(dirfd(tasks), entry->d_name) == 'S';
    }
    closedir(tasks);
    return asleep;
}

/* Waits until all other threads sleep: a pool thread with a job is runnable until it is done. It may
 * sleep briefly on a lock, so the check is repeated. */
void drain_kernel(void) {
    if (lane >= 0) {
        settle_lane();
        return;
    }
    for (int quiet = 0, i = 0; quiet < 4 && i < 400; i++) {
        quiet = others_sleep() ? quiet + 1 : 0;
        struct timespec moment = {.tv_nsec = 60000};
        nanosleep(&moment, NULL);
    }
}

/* Waits for the exit of a child, without reaping it. */
void await_child(int pid) {
    siginfo_t info;
    atomic_fetch_add(&waiting, 1);
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
    atomic_fetch_sub(&waiting, 1);
}

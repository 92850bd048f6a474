/* The first request that may need a thread starts all threads of the pool, and returns when they
 * run: they inherit the signal mask and the affinity of that moment, and no limit that the program
 * sets later keeps one from starting. */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { SIZE = 3 };

static uv_barrier_t all_run;
static uv_loop_t one;
static uv_fs_t fs;
static char byte;
static int masked, on_all_cpus, cpus;

static int threads(void) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) count += task->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void on_work(uv_work_t *work) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    sigset_t mask;
    cpu_set_t set;

    (void)work;
    /* Ends only if each request has a thread of its own. */
    uv_barrier_wait(&all_run);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    sched_getaffinity(0, sizeof(set), &set);
    pthread_mutex_lock(&mutex);
    masked += sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGUSR2);
    on_all_cpus += CPU_COUNT(&set) == cpus;
    pthread_mutex_unlock(&mutex);
}

static void on_fs(uv_fs_t *req) { uv_fs_req_cleanup(req); }
static void on_random(uv_random_t *req, int status, void *buf, size_t length) {
    (void)req, (void)status, (void)buf, (void)length;
}
static void on_addrinfo(uv_getaddrinfo_t *req, int status, struct addrinfo *found) {
    (void)req, (void)status;
    uv_freeaddrinfo(found);
}

static void start_by_work(void) {
    static uv_work_t work;
    uv_barrier_init(&all_run, 1);
    uv_queue_work(&one, &work, on_work, NULL);
}
static void start_by_stat(void) { uv_fs_stat(&one, &fs, "/", on_fs); }
static void start_by_access(void) { uv_fs_access(&one, &fs, "/", 0, on_fs); }
static void start_by_read(void) {
    uv_buf_t buffer = uv_buf_init(&byte, 1);
    uv_fs_read(&one, &fs, open("/proc/self/exe", O_RDONLY), &buffer, 1, 0, on_fs);
}
static void start_by_getaddrinfo(void) {
    static uv_getaddrinfo_t req;
    static const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    uv_getaddrinfo(&one, &req, on_addrinfo, "127.0.0.1", NULL, &hints);
}
static void start_by_random(void) {
    static uv_random_t req;
    uv_random(&one, &req, &byte, 1, 0, on_random);
}
static void start_by_synchronous_stat(void) {
    uv_fs_stat(NULL, &fs, "/", NULL);
    uv_fs_req_cleanup(&fs);
}

static void change_everything(void) {
    struct rlimit none = {0, 0};
    sigset_t mask;
    cpu_set_t set, first;

    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sched_getaffinity(0, sizeof(set), &set);
    CPU_ZERO(&first);
    for (int cpu = 0; CPU_COUNT(&first) == 0; cpu++)
        if (CPU_ISSET(cpu, &set)) CPU_SET(cpu, &first);
    sched_setaffinity(0, sizeof(first), &first);
    setrlimit(RLIMIT_NPROC, &none);
    setenv("UV_THREADPOOL_SIZE", "1", 1);
}

static void print_start(const char *name, void (*start)(void)) {
    uv_work_t works[SIZE];
    sigset_t mask;
    cpu_set_t set;

    uv_loop_init(&one);
    setenv("UV_THREADPOOL_SIZE", "3", 1);
    sched_getaffinity(0, sizeof(set), &set);
    cpus = CPU_COUNT(&set);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    int before = threads();
    start();
    int after = threads();
    print("%s: %d threads start", name, after - before);
    uv_run(&one, UV_RUN_DEFAULT);
    if (after > before) {
        change_everything();
        masked = on_all_cpus = 0;
        uv_barrier_init(&all_run, SIZE);
        for (int i = 0; i < SIZE; i++) uv_queue_work(&one, &works[i], on_work, NULL);
        uv_run(&one, UV_RUN_DEFAULT);
        print("of %d threads, %d have the first mask, %d the first affinity", threads() - before,
              masked, on_all_cpus);
    }
    print("close: %s", code(uv_loop_close(&one)));
}

int main(void) {
    static const struct {
        const char *name;
        void (*start)(void);
    } starts[] = {{"uv_queue_work", start_by_work},   {"uv_fs_stat", start_by_stat},
                  {"uv_fs_access", start_by_access},  {"uv_fs_read", start_by_read},
                  {"uv_getaddrinfo", start_by_getaddrinfo}, {"uv_random", start_by_random},
                  {"synchronous uv_fs_stat", start_by_synchronous_stat}};

    /* The pool is created once per process. */
    for (size_t i = 0; i < COUNT(starts); i++) {
        pid_t pid = fork();
        if (pid == 0) {
            print_start(starts[i].name, starts[i].start);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    return 0;
}

/* errors: of processes, threads, locks, addresses and the system */
#include "errors.h"

static char text[256];
static size_t size;

/* For functions with a buffer and its size. */
#define WITH_SIZE(value, call) (size = (value), (call))

static void environment(void) {
    OK(uv_os_setenv("MAUVE_ERRORS", "a value"));
    FAILS(uv_os_getenv, UV_EINVAL, WITH_SIZE(0, uv_os_getenv("MAUVE_ERRORS", text, &size)));
    FAILS(uv_os_getenv, UV_EINVAL, WITH_SIZE(9, uv_os_getenv(NULL, text, &size)));
    FAILS(uv_os_getenv, UV_EINVAL, WITH_SIZE(9, uv_os_getenv("MAUVE_ERRORS", NULL, &size)));
    FAILS(uv_os_getenv, UV_ENOBUFS, WITH_SIZE(2, uv_os_getenv("MAUVE_ERRORS", text, &size)));
    FAILS(uv_os_getenv, UV_ENOENT, WITH_SIZE(9, uv_os_getenv("MAUVE_MISSING", text, &size)));
    FAILS(uv_os_setenv, UV_EINVAL, uv_os_setenv(NULL, "a"));
    FAILS(uv_os_setenv, UV_EINVAL, uv_os_setenv("A", NULL));
    FAILS(uv_os_setenv, UV_EINVAL, uv_os_setenv("", "a"));
    FAILS(uv_os_setenv, UV_EINVAL, uv_os_setenv("A=B", "a"));
    FAILS(uv_os_unsetenv, UV_EINVAL, uv_os_unsetenv(NULL));
    FAILS(uv_os_unsetenv, UV_EINVAL, uv_os_unsetenv(""));
    FAILS(uv_os_unsetenv, UV_EINVAL, uv_os_unsetenv("A=B"));
}

static void directories(void) {
    FAILS(uv_cwd, UV_EINVAL, WITH_SIZE(0, uv_cwd(text, &size)));
    FAILS(uv_cwd, UV_EINVAL, WITH_SIZE(9, uv_cwd(NULL, &size)));
    FAILS(uv_cwd, UV_ENOBUFS, WITH_SIZE(2, uv_cwd(text, &size)));
    OK(mkdir("gone", 0700));
    OK(uv_chdir("gone"));
    OK(rmdir("../gone"));
    FAILS(uv_cwd, UV_ENOENT, WITH_SIZE(sizeof text, uv_cwd(text, &size)));
    OK(uv_chdir(directory));
    FAILS(uv_chdir, UV_ENOENT, uv_chdir("missing"));
    close(open("regular", O_CREAT | O_RDWR, 0600));
    FAILS(uv_chdir, UV_ENOTDIR, uv_chdir("regular"));
    FAILS(uv_exepath, UV_EINVAL, WITH_SIZE(0, uv_exepath(text, &size)));
    FAILS(uv_exepath, UV_EINVAL, WITH_SIZE(9, uv_exepath(NULL, &size)));
    OK(uv_os_setenv("HOME", "/a/home"));
    OK(uv_os_setenv("TMPDIR", "/a/folder"));
    FAILS(uv_os_homedir, UV_EINVAL, WITH_SIZE(0, uv_os_homedir(text, &size)));
    FAILS(uv_os_homedir, UV_ENOBUFS, WITH_SIZE(2, uv_os_homedir(text, &size)));
    FAILS(uv_os_tmpdir, UV_EINVAL, WITH_SIZE(0, uv_os_tmpdir(text, &size)));
    FAILS(uv_os_tmpdir, UV_ENOBUFS, WITH_SIZE(2, uv_os_tmpdir(text, &size)));
    FAILS(uv_os_gethostname, UV_EINVAL, WITH_SIZE(0, uv_os_gethostname(text, &size)));
    FAILS(uv_os_gethostname, UV_ENOBUFS, WITH_SIZE(1, uv_os_gethostname(text, &size)));
}

static void processes(void) {
    static uv_process_t failed[5], ended;
    int priority;
    FAILS(uv_os_uname, UV_EINVAL, uv_os_uname(NULL));
    FAILS(uv_os_get_passwd, UV_EINVAL, uv_os_get_passwd(NULL));
    FAILS(uv_os_getpriority, UV_EINVAL, uv_os_getpriority(0, NULL));
    FAILS(uv_os_getpriority, UV_ESRCH, uv_os_getpriority(99999999, &priority));
    FAILS(uv_os_setpriority, UV_EINVAL, uv_os_setpriority(0, 20));
    FAILS(uv_os_setpriority, UV_EINVAL, uv_os_setpriority(0, -21));
    FAILS(uv_os_setpriority, UV_ESRCH, uv_os_setpriority(99999999, 19));
    FAILS(uv_set_process_title, UV_ENOBUFS, uv_set_process_title("title"));
    FAILS(uv_get_process_title, UV_ENOBUFS, uv_get_process_title(text, sizeof text));
    FAILS(uv_get_process_title, UV_EINVAL, uv_get_process_title(NULL, 9));
    FAILS(uv_get_process_title, UV_EINVAL, uv_get_process_title(text, 0));
    FAILS(uv_kill, UV_ESRCH, uv_kill(99999999, 0));
    FAILS(uv_kill, UV_EINVAL, uv_kill(getpid(), 9999));

    char *arguments[] = {"true", NULL};
    uv_process_options_t options = {.file = "/missing/program", .args = arguments};
    FAILS(uv_spawn, UV_ENOENT, uv_spawn(loop, &failed[0], &options));
    close(open("regular", O_CREAT | O_RDWR, 0600));
    options.file = "./regular";
    FAILS(uv_spawn, UV_EACCES, uv_spawn(loop, &failed[1], &options));
    options.file = "true";
    options.cwd = "/missing";
    FAILS(uv_spawn, UV_ENOENT, uv_spawn(loop, &failed[2], &options));
    options.cwd = NULL;
    uv_stdio_container_t stdio = {.flags = UV_INHERIT_FD, .data.fd = -1};
    options.stdio = &stdio;
    options.stdio_count = 1;
    FAILS(uv_spawn, UV_EINVAL, uv_spawn(loop, &failed[3], &options));
    static uv_tcp_t tcp;
    OK(uv_tcp_init(loop, &tcp));
    stdio = (uv_stdio_container_t){.flags = UV_INHERIT_STREAM, .data.stream = STREAM(&tcp)};
    FAILS(uv_spawn, UV_EINVAL, uv_spawn(loop, &failed[4], &options));
    options.stdio_count = 0;
    OK(uv_spawn(loop, &ended, &options));
    FAILS(uv_process_kill, UV_EINVAL, uv_process_kill(&ended, 9999));
    run();
    FAILS(uv_process_kill, UV_ESRCH, uv_process_kill(&ended, 0));
}

static void addresses(void) {
    struct sockaddr_in address = loopback(0);
    struct sockaddr_in6 address6;
    unsigned char bytes[16];
    FAILS(uv_ip4_addr, UV_EINVAL, uv_ip4_addr("1.2.3", 0, &address));
    FAILS(uv_ip4_addr, UV_EINVAL, uv_ip4_addr("01.2.3.4", 0, &address));
    FAILS(uv_ip6_addr, UV_EINVAL, uv_ip6_addr("name", 0, &address6));
    OK(uv_ip4_addr("127.0.0.1", 0, &address));
    OK(uv_ip6_addr("::1", 0, &address6));
    FAILS(uv_ip4_name, UV_ENOSPC, uv_ip4_name(&address, text, 2));
    FAILS(uv_ip6_name, UV_ENOSPC, uv_ip6_name(&address6, text, 2));
    FAILS(uv_ip_name, UV_ENOSPC, uv_ip_name(SOCKADDR(&address), text, 2));
    address.sin_family = AF_UNIX;
    FAILS(uv_ip_name, UV_EAFNOSUPPORT, uv_ip_name(SOCKADDR(&address), text, sizeof text));
    FAILS(uv_inet_ntop, UV_EAFNOSUPPORT, uv_inet_ntop(AF_UNIX, bytes, text, sizeof text));
    memset(bytes, 1, sizeof bytes);
    FAILS(uv_inet_ntop, UV_ENOSPC, uv_inet_ntop(AF_INET, bytes, text, 2));
    FAILS(uv_inet_pton, UV_EAFNOSUPPORT, uv_inet_pton(AF_UNIX, "127.0.0.1", bytes));
    FAILS(uv_inet_pton, UV_EINVAL, uv_inet_pton(AF_INET, NULL, bytes));
    FAILS(uv_inet_pton, UV_EINVAL, uv_inet_pton(AF_INET, "127.0.0.1", NULL));
    FAILS(uv_inet_pton, UV_EINVAL, uv_inet_pton(AF_INET, "name", bytes));
    FAILS(uv_if_indextoname, UV_EINVAL, WITH_SIZE(0, uv_if_indextoname(1, text, &size)));
    FAILS(uv_if_indextoname, UV_EINVAL, WITH_SIZE(9, uv_if_indextoname(1, NULL, &size)));
    FAILS(uv_if_indextoname, UV_ENOBUFS, WITH_SIZE(1, uv_if_indextoname(1, text, &size)));
    FAILS(uv_if_indextoname, UV_ENXIO, WITH_SIZE(64, uv_if_indextoname(999999, text, &size)));
    FAILS(uv_if_indextoiid, UV_EINVAL, WITH_SIZE(0, uv_if_indextoiid(1, text, &size)));
    FAILS(uv_if_indextoiid, UV_ENOBUFS, WITH_SIZE(1, uv_if_indextoiid(1, text, &size)));
    FAILS(uv_if_indextoiid, UV_ENXIO, WITH_SIZE(64, uv_if_indextoiid(999999, text, &size)));
}

static void locks(void) {
    uv_mutex_t mutex;
    uv_rwlock_t lock;
    uv_sem_t semaphore, unused;
    uv_cond_t condition;
    uv_barrier_t barrier;
    OK(uv_mutex_init(&mutex));
    uv_mutex_lock(&mutex);
    FAILS(uv_mutex_trylock, UV_EBUSY, uv_mutex_trylock(&mutex));
    OK(uv_cond_init(&condition));
    FAILS(uv_cond_timedwait, UV_ETIMEDOUT, uv_cond_timedwait(&condition, &mutex, 1000));
    OK(uv_rwlock_init(&lock));
    uv_rwlock_wrlock(&lock);
    FAILS(uv_rwlock_tryrdlock, UV_EBUSY, uv_rwlock_tryrdlock(&lock));
    FAILS(uv_rwlock_trywrlock, UV_EBUSY, uv_rwlock_trywrlock(&lock));
    OK(uv_sem_init(&semaphore, 0));
    FAILS(uv_sem_trywait, UV_EAGAIN, uv_sem_trywait(&semaphore));
    FAILS(uv_sem_init, UV_EINVAL, uv_sem_init(&unused, 0xffffffffu));
    FAILS(uv_barrier_init, UV_EINVAL, uv_barrier_init(&barrier, 0));
    uv_key_t keys[2000];
    int result = 0;
    for (size_t i = 0; i < COUNT(keys) && result == 0; i++) result = uv_key_create(&keys[i]);
    FAILS(uv_key_create, UV_EAGAIN, result);
}

static void other(void) {
    FAILS(uv_gettimeofday, UV_EINVAL, uv_gettimeofday(NULL));
    FAILS(uv_replace_allocator, UV_EINVAL, uv_replace_allocator(NULL, realloc, calloc, free));
    FAILS(uv_replace_allocator, UV_EINVAL, uv_replace_allocator(malloc, NULL, calloc, free));
    FAILS(uv_replace_allocator, UV_EINVAL, uv_replace_allocator(malloc, realloc, NULL, free));
    FAILS(uv_replace_allocator, UV_EINVAL, uv_replace_allocator(malloc, realloc, calloc, NULL));
}

int main(void) {
    begin();
    environment();
    directories();
    processes();
    addresses();
    locks();
    other();
    return end();
}

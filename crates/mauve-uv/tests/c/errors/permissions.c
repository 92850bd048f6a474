/* errors: of a user without privileges */
#include "errors.h"

static uv_fs_t request;

/* Runs a call with `request`, without a callback, and cleans up. */
#define NOW(call)                                                                                \
    ({                                                                                           \
        ssize_t now_result = (call);                                                             \
        uv_fs_req_cleanup(&request);                                                             \
        now_result;                                                                              \
    })

static void files(void) {
    static uv_fs_event_t event;
    int file = open("regular", O_CREAT | O_RDWR, 0000);
    OK(file);
    OK(mkdir("closed", 0000));
    OK(mkdir("fixed", 0700));
    close(open("fixed/file", O_CREAT | O_RDWR, 0600));
    OK(chmod("fixed", 0500));
    FAILS(uv_fs_open, UV_EACCES, NOW(uv_fs_open(NULL, &request, "regular", O_RDONLY, 0, NULL)));
    FAILS(uv_fs_unlink, UV_EACCES, NOW(uv_fs_unlink(NULL, &request, "fixed/file", NULL)));
    FAILS(uv_fs_mkdir, UV_EACCES, NOW(uv_fs_mkdir(NULL, &request, "fixed/new", 0700, NULL)));
    FAILS(uv_fs_mkdtemp, UV_EACCES, NOW(uv_fs_mkdtemp(NULL, &request, "fixed/XXXXXX", NULL)));
    FAILS(uv_fs_mkstemp, UV_EACCES, NOW(uv_fs_mkstemp(NULL, &request, "fixed/XXXXXX", NULL)));
    FAILS(uv_fs_opendir, UV_EACCES, NOW(uv_fs_opendir(NULL, &request, "closed", NULL)));
    FAILS(uv_fs_scandir, UV_EACCES, NOW(uv_fs_scandir(NULL, &request, "closed", 0, NULL)));
    FAILS(uv_fs_stat, UV_EACCES, NOW(uv_fs_stat(NULL, &request, "closed/file", NULL)));
    FAILS(uv_fs_lstat, UV_EACCES, NOW(uv_fs_lstat(NULL, &request, "closed/file", NULL)));
    FAILS(uv_fs_realpath, UV_EACCES, NOW(uv_fs_realpath(NULL, &request, "closed/file", NULL)));
    FAILS(uv_fs_copyfile, UV_EACCES,
          NOW(uv_fs_copyfile(NULL, &request, "fixed/file", "fixed/new", 0, NULL)));
    FAILS(uv_fs_chown, UV_EPERM, NOW(uv_fs_chown(NULL, &request, "regular", 0, -1, NULL)));
    FAILS(uv_fs_lchown, UV_EPERM, NOW(uv_fs_lchown(NULL, &request, "regular", 0, -1, NULL)));
    FAILS(uv_fs_fchown, UV_EPERM, NOW(uv_fs_fchown(NULL, &request, file, 0, -1, NULL)));
    OK(uv_fs_event_init(loop, &event));
    FAILS(uv_fs_event_start, UV_EACCES, uv_fs_event_start(&event, NULL, "closed", 0));
    FAILS(uv_chdir, UV_EACCES, uv_chdir("closed"));
}

/* The root directory belongs to another user. */
static void files_of_others(void) {
    int root = open("/", O_RDONLY);
    FAILS(uv_fs_chmod, UV_EPERM, NOW(uv_fs_chmod(NULL, &request, "/", 0755, NULL)));
    FAILS(uv_fs_fchmod, UV_EPERM, NOW(uv_fs_fchmod(NULL, &request, root, 0755, NULL)));
    FAILS(uv_fs_utime, UV_EPERM, NOW(uv_fs_utime(NULL, &request, "/", 1, 1, NULL)));
    FAILS(uv_fs_futime, UV_EPERM, NOW(uv_fs_futime(NULL, &request, root, 1, 1, NULL)));
    FAILS(uv_fs_lutime, UV_EPERM, NOW(uv_fs_lutime(NULL, &request, "/", 1, 1, NULL)));
}

/* The first process belongs to another user. */
static void processes_of_others(void) {
    FAILS(uv_kill, UV_EPERM, uv_kill(1, 0));
    FAILS(uv_os_setpriority, UV_EPERM, uv_os_setpriority(1, UV_PRIORITY_LOW));
}

/* Lowers the priority, which is always allowed, and raises it against the limit. */
static void priority(void) {
    struct rlimit none = {0, 0};
    OK(setrlimit(RLIMIT_NICE, &none));
    OK(uv_os_setpriority(0, UV_PRIORITY_LOW));
    FAILS(uv_os_setpriority, UV_EACCES, uv_os_setpriority(0, UV_PRIORITY_HIGHEST));
}

static void thread(void *argument) { (void)argument; }

static void processes(void) {
    static uv_process_t refused, limited, without_descriptors;
    static uv_pipe_t server, client, output;
    static uv_connect_t connect_request;
    char *arguments[] = {"true", NULL};
    uv_process_options_t options = {.file = "true", .args = arguments};
    options.flags = UV_PROCESS_SETUID;
    options.uid = 0;
    FAILS(uv_spawn, UV_EPERM, uv_spawn(loop, &refused, &options));
    options.flags = 0;

    OK(uv_pipe_init(loop, &server, 0));
    OK(uv_pipe_bind(&server, "socket"));
    OK(uv_listen(STREAM(&server), 1, on_connection));
    uv_unref(HANDLE(&server));
    OK(chmod("socket", 0000));
    OK(uv_pipe_init(loop, &client, 0));
    uv_pipe_connect(&connect_request, &client, "socket", on_connect);
    FAILS(uv_pipe_connect, UV_EACCES, AFTER_RUN(0));

    struct rlimit limit, none;
    OK(getrlimit(RLIMIT_NOFILE, &limit));
    none = limit;
    none.rlim_cur = 0;
    OK(uv_pipe_init(loop, &output, 0));
    uv_stdio_container_t stdio = {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = STREAM(&output)};
    options.stdio = &stdio;
    options.stdio_count = 1;
    OK(setrlimit(RLIMIT_NOFILE, &none));
    FAILS(uv_spawn, UV_EMFILE, uv_spawn(loop, &without_descriptors, &options));
    OK(setrlimit(RLIMIT_NOFILE, &limit));
    options.stdio_count = 0;

    /* Threads count as processes, and the user has one already. */
    uv_thread_t id;
    uv_thread_options_t no_options = {.flags = UV_THREAD_NO_FLAGS};
    OK(getrlimit(RLIMIT_NPROC, &limit));
    limit.rlim_cur = 0;
    OK(setrlimit(RLIMIT_NPROC, &limit));
    FAILS(uv_thread_create, UV_EAGAIN, uv_thread_create(&id, thread, NULL));
    FAILS(uv_thread_create_ex, UV_EAGAIN, uv_thread_create_ex(&id, &no_options, thread, NULL));
    FAILS(uv_spawn, UV_EAGAIN, uv_spawn(loop, &limited, &options));
}

int main(void) {
    struct stat root, first;
    /* Some containers have no other user. */
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 0;
    begin();
    files();
    if (stat("/", &root) == 0 && root.st_uid != geteuid()) files_of_others();
    if (stat("/proc/1", &first) == 0 && first.st_uid != geteuid()) processes_of_others();
    processes();
    priority();
    return end();
}

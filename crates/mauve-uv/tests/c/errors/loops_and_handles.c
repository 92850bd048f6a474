/* errors: of loops, timers, hooks, poll handles, signals and the pool */
#include "errors.h"

static void on_timer(uv_timer_t *timer) { (void)timer; }
static void on_idle(uv_idle_t *idle) { (void)idle; }
static void on_poll(uv_poll_t *poll, int status, int events) {
    (void)poll, (void)status, (void)events;
}
static void on_signal(uv_signal_t *handle, int number) { (void)handle, (void)number; }

static void loops(void) {
    uv_loop_t other;
    OK(uv_loop_init(&other));
    uv_timer_t timer;
    OK(uv_timer_init(&other, &timer));
    FAILS(uv_loop_close, UV_EBUSY, uv_loop_close(&other));
    FAILS(uv_loop_configure, UV_EINVAL, uv_loop_configure(&other, UV_LOOP_BLOCK_SIGNAL, SIGINT));
    FAILS(uv_loop_configure, UV_ENOSYS, uv_loop_configure(&other, (uv_loop_option)99));
    close_loop(&other);
}

static void timers_and_hooks(void) {
    static uv_timer_t timer;
    OK(uv_timer_init(loop, &timer));
    FAILS(uv_timer_again, UV_EINVAL, uv_timer_again(&timer));
    FAILS(uv_timer_start, UV_EINVAL, uv_timer_start(&timer, NULL, 1, 0));
    uv_close(HANDLE(&timer), NULL);
    FAILS(uv_timer_start, UV_EINVAL, uv_timer_start(&timer, on_timer, 1, 0));

    static uv_idle_t idle;
    static uv_prepare_t prepare;
    static uv_check_t check;
    OK(uv_idle_init(loop, &idle));
    OK(uv_prepare_init(loop, &prepare));
    OK(uv_check_init(loop, &check));
    FAILS(uv_idle_start, UV_EINVAL, uv_idle_start(&idle, NULL));
    FAILS(uv_prepare_start, UV_EINVAL, uv_prepare_start(&prepare, NULL));
    FAILS(uv_check_start, UV_EINVAL, uv_check_start(&check, NULL));
    OK(uv_idle_start(&idle, on_idle));
    print("started again without a callback: %s", code(uv_idle_start(&idle, NULL)));
}

static void any_handle(void) {
    static uv_timer_t timer;
    static uv_tcp_t tcp, closing;
    uv_os_fd_t fd;
    int size = 0;
    OK(uv_timer_init(loop, &timer));
    OK(uv_tcp_init(loop, &tcp));
    OK(uv_tcp_init_ex(loop, &closing, AF_INET));
    uv_close(HANDLE(&closing), NULL);
    FAILS(uv_fileno, UV_EINVAL, uv_fileno(HANDLE(&timer), &fd));
    FAILS(uv_fileno, UV_EBADF, uv_fileno(HANDLE(&tcp), &fd));
    FAILS(uv_fileno, UV_EBADF, uv_fileno(HANDLE(&closing), &fd));
    FAILS(uv_send_buffer_size, UV_ENOTSUP, uv_send_buffer_size(HANDLE(&timer), &size));
    FAILS(uv_send_buffer_size, UV_EBADF, uv_send_buffer_size(HANDLE(&tcp), &size));
    FAILS(uv_send_buffer_size, UV_EINVAL, uv_send_buffer_size(HANDLE(&tcp), NULL));
    FAILS(uv_send_buffer_size, UV_EINVAL, uv_send_buffer_size(NULL, &size));
    FAILS(uv_recv_buffer_size, UV_ENOTSUP, uv_recv_buffer_size(HANDLE(&timer), &size));
    FAILS(uv_recv_buffer_size, UV_EBADF, uv_recv_buffer_size(HANDLE(&tcp), &size));
    FAILS(uv_recv_buffer_size, UV_EINVAL, uv_recv_buffer_size(HANDLE(&tcp), NULL));
    FAILS(uv_recv_buffer_size, UV_EINVAL, uv_recv_buffer_size(NULL, &size));
}

static void polling(void) {
    static uv_poll_t poll, first, second;
    int ends[2], closed = closed_descriptor();
    FAILS(uv_poll_init, UV_EBADF, uv_poll_init(loop, &poll, closed));
    FAILS(uv_poll_init_socket, UV_EBADF, uv_poll_init_socket(loop, &poll, closed));
    int file = open("regular", O_CREAT | O_RDWR, 0600);
    FAILS(uv_poll_init, UV_EPERM, uv_poll_init(loop, &poll, file));
    FAILS(uv_poll_init_socket, UV_EPERM, uv_poll_init_socket(loop, &poll, file));
    OK(pipe(ends));
    OK(uv_poll_init(loop, &first, ends[0]));
    OK(uv_poll_start(&first, UV_READABLE, on_poll));
    FAILS(uv_poll_init, UV_EEXIST, uv_poll_init(loop, &second, ends[0]));
    FAILS(uv_poll_init_socket, UV_EEXIST, uv_poll_init_socket(loop, &second, ends[0]));
    OK(uv_poll_stop(&first));
    uv_close(HANDLE(&first), NULL);
    close(ends[0]);
    close(ends[1]);
}

static void signals(void) {
    static uv_signal_t handle;
    OK(uv_signal_init(loop, &handle));
    FAILS(uv_signal_start, UV_EINVAL, uv_signal_start(&handle, on_signal, 0));
    FAILS(uv_signal_start, UV_EINVAL, uv_signal_start(&handle, on_signal, 9999));
    FAILS(uv_signal_start, UV_EINVAL, uv_signal_start(&handle, on_signal, SIGKILL));
    FAILS(uv_signal_start, UV_EINVAL, uv_signal_start(&handle, on_signal, SIGSTOP));
    FAILS(uv_signal_start_oneshot, UV_EINVAL, uv_signal_start_oneshot(&handle, on_signal, 0));
    FAILS(uv_signal_start_oneshot, UV_EINVAL, uv_signal_start_oneshot(&handle, on_signal, SIGKILL));
}

static uv_sem_t release;

static void wait_for_release(uv_work_t *work) {
    (void)work;
    uv_sem_wait(&release);
}
static void after_work(uv_work_t *work, int status) {
    (void)work;
    got = status;
}
static void after_wait(uv_work_t *work, int status) { (void)work, (void)status; }
static void on_random(uv_random_t *random, int status, void *buffer, size_t length) {
    (void)random, (void)buffer, (void)length;
    got = status;
}
static void on_names(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
    (void)request, (void)host, (void)service;
    got = status;
}
static void on_addresses(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
    (void)request, (void)list;
    got = status;
}

static void pool(void) {
    static uv_work_t busy[4], work;
    static uv_random_t random;
    static uv_connect_t connect;
    static uv_getaddrinfo_t lookup;
    static uv_getnameinfo_t reverse;
    static char bytes[4];
    FAILS(uv_queue_work, UV_EINVAL, uv_queue_work(loop, &work, NULL, after_work));
    FAILS(uv_random, UV_EINVAL, uv_random(NULL, NULL, bytes, sizeof bytes, 1, NULL));
    FAILS(uv_random, UV_E2BIG, uv_random(NULL, NULL, bytes, (size_t)1 << 31, 0, NULL));
    connect.type = UV_CONNECT;
    FAILS(uv_cancel, UV_EINVAL, uv_cancel((uv_req_t *)&connect));

    OK(uv_sem_init(&release, 0));
    for (int i = 0; i < 4; i++) OK(uv_queue_work(loop, &busy[i], wait_for_release, after_wait));
    OK(uv_queue_work(loop, &work, wait_for_release, after_work));
    OK(uv_random(loop, &random, bytes, sizeof bytes, 0, on_random));
    struct sockaddr_in address = loopback(80);
    OK(uv_getaddrinfo(loop, &lookup, on_addresses, "127.0.0.1", NULL, NULL));
    OK(uv_getnameinfo(loop, &reverse, on_names, SOCKADDR(&address), NI_NUMERICHOST));
    /* The pool may not have begun its first jobs yet: a job that waits cannot be busy. */
    OK(uv_cancel((uv_req_t *)&work));
    FAILS(uv_queue_work, UV_ECANCELED, (uv_run(loop, UV_RUN_ONCE), got));
    OK(uv_cancel((uv_req_t *)&random));
    FAILS(uv_random, UV_ECANCELED, (uv_run(loop, UV_RUN_ONCE), got));
    OK(uv_cancel((uv_req_t *)&lookup));
    FAILS(uv_getaddrinfo, UV_EAI_CANCELED, (uv_run(loop, UV_RUN_ONCE), got));
    OK(uv_cancel((uv_req_t *)&reverse));
    FAILS(uv_getnameinfo, UV_EAI_CANCELED, (uv_run(loop, UV_RUN_ONCE), got));
    for (int i = 0; i < 4; i++) uv_sem_post(&release);
    run();
    FAILS(uv_cancel, UV_EBUSY, uv_cancel((uv_req_t *)&busy[0]));
}

static void names(void) {
    static uv_getaddrinfo_t lookup;
    static uv_getnameinfo_t reverse;
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    FAILS(uv_getaddrinfo, UV_EINVAL, uv_getaddrinfo(loop, NULL, NULL, "127.0.0.1", NULL, NULL));
    FAILS(uv_getaddrinfo, UV_EINVAL, uv_getaddrinfo(loop, &lookup, NULL, NULL, NULL, NULL));
    FAILS(uv_getaddrinfo, UV_EINVAL, uv_getaddrinfo(loop, &lookup, NULL, "", NULL, NULL));
    FAILS(uv_getaddrinfo, UV_EINVAL, uv_getaddrinfo(loop, &lookup, NULL, "\xff", NULL, NULL));
    char name[400];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    FAILS(uv_getaddrinfo, UV_EINVAL, uv_getaddrinfo(loop, &lookup, NULL, name, NULL, NULL));
    FAILS(uv_getaddrinfo, UV_EAI_NONAME, uv_getaddrinfo(loop, &lookup, NULL, "name", NULL, &hints));
    hints.ai_flags = 0x40000000;
    FAILS(uv_getaddrinfo, UV_EAI_BADFLAGS, uv_getaddrinfo(loop, &lookup, NULL, "::1", NULL, &hints));
    hints.ai_flags = AI_NUMERICHOST;
    hints.ai_family = AF_UNIX;
    FAILS(uv_getaddrinfo, UV_EAI_FAMILY, uv_getaddrinfo(loop, &lookup, NULL, "::1", NULL, &hints));
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = 77;
    FAILS(uv_getaddrinfo, UV_EAI_SOCKTYPE, uv_getaddrinfo(loop, &lookup, NULL, "::1", NULL, &hints));
    hints.ai_socktype = SOCK_RAW;
    FAILS(uv_getaddrinfo, UV_EAI_SERVICE, uv_getaddrinfo(loop, &lookup, NULL, "::1", "http", &hints));
    struct sockaddr_in address = loopback(80);
    FAILS(uv_getnameinfo, UV_EINVAL, uv_getnameinfo(loop, NULL, NULL, SOCKADDR(&address), 0));
    FAILS(uv_getnameinfo, UV_EINVAL, uv_getnameinfo(loop, &reverse, NULL, NULL, 0));
    address.sin_family = AF_UNIX;
    FAILS(uv_getnameinfo, UV_EINVAL, uv_getnameinfo(loop, &reverse, NULL, SOCKADDR(&address), 0));
}

int main(void) {
    begin();
    loops();
    timers_and_hooks();
    any_handle();
    close_loop(loop);
    loop = uv_default_loop();
    polling();
    signals();
    pool();
    names();
    return end();
}

/* Another thread calls into the loop while its own thread waits in the poll phase. Each call takes
 * effect when it does on libuv: at once if it wakes the loop, else after the next event. */
#include "test.h"
#include <sys/socket.h>
#include <fcntl.h>

static uv_loop_t loop;
static uv_async_t wake;
static uv_sem_t waiting;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_mutex_t lock;
static volatile int called, woken;

/* The program's lock: released before the wait and taken again after it. */
static void on_prepare(uv_prepare_t *p) { (void)p; uv_mutex_unlock(&lock); uv_sem_post(&waiting); }
static void on_check(uv_check_t *c) { (void)c; uv_mutex_lock(&lock); }

static void on_wake(uv_async_t *a) { (void)a; woken = 1; }
static void note(void) { called = woken ? 2 : 1; }

static uv_timer_t timer;
static uv_async_t other;
static uv_poll_t poller;
static uv_idle_t idle;
static uv_work_t work;
static uv_fs_t request;
static uv_getaddrinfo_t resolve;
static uv_udp_t udp;
static uv_tcp_t tcp;
static int pair[2];
static char bytes[16];

static void on_timer(uv_timer_t *t) { (void)t; note(); }
static void on_async(uv_async_t *a) { (void)a; note(); }
static void on_poll(uv_poll_t *p, int status, int events) {
    char c;
    (void)status; (void)events;
    if (read(pair[0], &c, 1) == 1) note();
    uv_poll_stop(p);
}
static void on_idle(uv_idle_t *i) { note(); uv_idle_stop(i); }
static void on_work(uv_work_t *w) { (void)w; }
static void after_work(uv_work_t *w, int status) { (void)w; (void)status; note(); }
static void on_fs(uv_fs_t *r) { note(); printf("result %d\n", (int)r->result); uv_fs_req_cleanup(r); }
static void on_resolved(uv_getaddrinfo_t *r, int status, struct addrinfo *a) {
    (void)r; (void)status; uv_freeaddrinfo(a); note();
}
static void on_close(uv_handle_t *h) { (void)h; note(); }

static void start_timer(void) { uv_timer_init(&loop, &timer); EXPECT(uv_timer_start(&timer, on_timer, 1, 0), 0); }
static void close_timer(void) { uv_close((uv_handle_t *)&timer, on_close); }
static void send_new_async(void) { uv_async_init(&loop, &other, on_async); uv_async_send(&other); }
static void close_async(void) { uv_close((uv_handle_t *)&other, on_close); }
static void start_poll(void) {
    EXPECT(uv_poll_init(&loop, &poller, pair[0]), 0);
    EXPECT(uv_poll_start(&poller, UV_READABLE, on_poll), 0);
    EXPECT(write(pair[1], "x", 1), 1);
}
static void close_poll(void) { uv_close((uv_handle_t *)&poller, on_close); }
static void start_idle(void) { uv_idle_init(&loop, &idle); uv_idle_start(&idle, on_idle); }
static void close_idle(void) { uv_close((uv_handle_t *)&idle, on_close); }
static void queue_work(void) { uv_queue_work(&loop, &work, on_work, after_work); }
static void stat_file(void) { uv_fs_stat(&loop, &request, "/", on_fs); }
static void read_file(void) {
    uv_buf_t buf = uv_buf_init(bytes, sizeof bytes);
    uv_fs_read(&loop, &request, pair[1] + 1000000, &buf, 1, 0, on_fs);
}
static int file;
static void read_real_file(void) {
    uv_buf_t buf = uv_buf_init(bytes, 4);
    uv_fs_read(&loop, &request, file, &buf, 1, 0, on_fs);
}
static void resolve_name(void) { uv_getaddrinfo(&loop, &resolve, on_resolved, "127.0.0.1", NULL, NULL); }
static void stop_loop(void) { uv_stop(&loop); called = -1; }
static void bind_and_close(void) {
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_udp_init(&loop, &udp);
    EXPECT(uv_udp_bind(&udp, (struct sockaddr *)&address, 0), 0);
    uv_tcp_init(&loop, &tcp);
    EXPECT(uv_tcp_bind(&tcp, (struct sockaddr *)&address, 0), 0);
    uv_close((uv_handle_t *)&tcp, NULL);
    uv_close((uv_handle_t *)&udp, on_close);
}

static void (*const calls[])(void) = {
    start_timer, close_timer, send_new_async, close_async, start_poll, close_poll, start_idle,
    close_idle, queue_work, stat_file, read_file, read_real_file, resolve_name, bind_and_close, stop_loop,
};
static const char *const names[] = {
    "start_timer", "close_timer", "send_new_async", "close_async", "start_poll", "close_poll", "start_idle",
    "close_idle", "queue_work", "stat_file", "read_file", "read_real_file", "resolve_name", "bind_and_close", "stop_loop",
};

static const int is_request[] = {0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0};

static void caller(void *argument) {
    size_t index = *(size_t *)argument;
    uv_sem_wait(&waiting);
    uv_sleep(100);
    uv_mutex_lock(&lock);
    calls[index]();
    uv_mutex_unlock(&lock);
    /* Threads of the pool may take their time. */
    for (int i = 0; i < (is_request[index] ? 1000 : 20) && !called; i++) uv_sleep(10);
    /* From here on, the callback comes in an iteration that this notification has caused. */
    uv_mutex_lock(&lock);
    uv_mutex_unlock(&lock);
    uv_async_send(&wake);
}

int main(void) {
    EXPECT(uv_loop_init(&loop), 0);
    uv_mutex_init(&lock);
    uv_async_init(&loop, &wake, on_wake);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    file = uv_fs_open(NULL, &request, "/etc/passwd", O_RDONLY, 0, NULL);
    uv_fs_req_cleanup(&request);
    for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
        uv_thread_t thread;
        uv_sem_init(&waiting, 0);
        called = woken = 0;
        /* The first iterations register what the previous round has left. */
        uv_run(&loop, UV_RUN_NOWAIT);
        uv_run(&loop, UV_RUN_NOWAIT);
        uv_prepare_start(&prepare, on_prepare);
        uv_check_start(&check, on_check);
        uv_mutex_lock(&lock);
        uv_thread_create(&thread, caller, &index);
        int runs = 0;
        while (!woken || called == 0) { uv_run(&loop, UV_RUN_ONCE); if (++runs > 20) break; }
        uv_mutex_unlock(&lock);
        uv_thread_join(&thread);
        uv_prepare_stop(&prepare);
        uv_check_stop(&check);
        uv_sem_destroy(&waiting);
        printf("%s: %s\n", names[index], called == 1 ? "before" : called == 2 ? "after" : "no callback");
        fflush(stdout);
    }
    return 0;
}

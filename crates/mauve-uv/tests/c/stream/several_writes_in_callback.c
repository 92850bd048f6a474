/* Several writes in one callback are sent in order before any later call has an effect. */
#include "net.h"

#include <sys/ioctl.h>
#include <sys/wait.h>

enum { WRITES = 4 };

typedef struct {
    const char *name;
    void (*act)(void);
} scenario;

static uv_loop_t loop;
static uv_tcp_t tcp, other;
static int peer, other_peer, callbacks;
static uv_write_t writes[WRITES], another_write;
static const scenario *current;

/* Number of bytes that have arrived. Retries, because a busy system may deliver them later. */
static int arrived(int fd, int wanted) {
    int count = 0;
    for (int i = 0; i < 500 && count < wanted; i++) {
        if (i > 0) usleep(1000);
        assert(ioctl(fd, FIONREAD, &count) == 0);
    }
    return count;
}

static void on_write(uv_write_t *request, int status) {
    print("  callback %d: %s, queue %zu", (int)(request - writes), code(status),
          request->handle->write_queue_size);
    callbacks++;
}

static void on_another_write(uv_write_t *request, int status) {
    print("  callback of another write: %s, queue %zu", code(status),
          request->handle->write_queue_size);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    print("  shut down: %s", code(status));
    free(request);
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    print("  closed");
}

static void on_thread(void *argument) {
    (void)argument;
}

static void get_queue_size(void) {
    print("  queue %zu, field %zu", uv_stream_get_write_queue_size(STREAM(&tcp)),
          tcp.write_queue_size);
}

static void read_field(void) {
    print("  field %zu, active %d", tcp.write_queue_size, uv_is_active(HANDLE(&tcp)));
}

static void try_write(void) {
    uv_buf_t bytes = uv_buf_init("try", 3);
    print("  try %d", uv_try_write(STREAM(&tcp), &bytes, 1));
}

static void write_other_stream(void) {
    uv_buf_t bytes = uv_buf_init("elsewhere", 9);
    print("  write %s",
          code(uv_write(&another_write, STREAM(&other), &bytes, 1, on_another_write)));
    print("  other stream %d", arrived(other_peer, 9));
}

static void shut_down(void) {
    print("  shutdown %s",
          code(uv_shutdown(malloc(sizeof(uv_shutdown_t)), STREAM(&tcp), on_shutdown)));
}

static void close_stream(void) {
    uv_close(HANDLE(&tcp), on_close);
}

static void reset_stream(void) {
    print("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
}

static void write_to_descriptor(void) {
    uv_os_fd_t fd;
    print("  fileno %s", code(uv_fileno(HANDLE(&tcp), &fd)));
    assert(write(fd, "raw", 3) == 3);
}

static void set_blocking(void) {
    print("  blocking %s", code(uv_stream_set_blocking(STREAM(&tcp), 1)));
    uv_stream_set_blocking(STREAM(&tcp), 0);
}

static void sleep_briefly(void) {
    uv_sleep(1);
}

static void wait_for_semaphore(void) {
    uv_sem_t semaphore;
    uv_sem_init(&semaphore, 1);
    uv_sem_wait(&semaphore);
    uv_sem_destroy(&semaphore);
}

static void wait_for_barrier(void) {
    uv_barrier_t barrier;
    uv_barrier_init(&barrier, 1);
    uv_barrier_wait(&barrier);
    uv_barrier_destroy(&barrier);
}

static void wait_for_condition(void) {
    uv_mutex_t mutex;
    uv_cond_t condition;
    uv_mutex_init(&mutex);
    uv_cond_init(&condition);
    uv_mutex_lock(&mutex);
    print("  wait %s", code(uv_cond_timedwait(&condition, &mutex, 1000)));
    uv_mutex_unlock(&mutex);
    uv_cond_destroy(&condition);
    uv_mutex_destroy(&mutex);
}

static void lock_for_writing(void) {
    uv_rwlock_t lock;
    uv_rwlock_init(&lock);
    uv_rwlock_wrlock(&lock);
    uv_rwlock_wrunlock(&lock);
    uv_rwlock_destroy(&lock);
}

static void join(void) {
    uv_thread_t thread;
    uv_thread_create(&thread, on_thread, NULL);
    uv_thread_join(&thread);
}

static void stat_file(void) {
    uv_fs_t request;
    print("  stat %s", code(uv_fs_stat(&loop, &request, "/", NULL)));
    uv_fs_req_cleanup(&request);
}

static void kill_self(void) {
    print("  kill %s", code(uv_kill(getpid(), 0)));
}

static void write_large(void) {
    uv_buf_t bytes = uv_buf_init(read_buffer, sizeof read_buffer);
    print("  write %s", code(uv_write(&another_write, STREAM(&tcp), &bytes, 1, on_another_write)));
}

static void do_nothing(void) {}

static const scenario SCENARIOS[] = {
    {"nothing", do_nothing},
    {"field", read_field},
    {"queue size", get_queue_size},
    {"try_write", try_write},
    {"another stream", write_other_stream},
    {"large write", write_large},
    {"shutdown", shut_down},
    {"close", close_stream},
    {"close_reset", reset_stream},
    {"fileno", write_to_descriptor},
    {"set_blocking", set_blocking},
    {"sleep", sleep_briefly},
    {"semaphore", wait_for_semaphore},
    {"barrier", wait_for_barrier},
    {"condition", wait_for_condition},
    {"rwlock", lock_for_writing},
    {"join", join},
    {"file", stat_file},
    {"kill", kill_self},
};

/* Whether the writes must be sent before the action returns: not if it makes no call, and not if it
 * resets the connection. */
static int must_be_sent(const scenario *scenario) {
    return scenario->act != do_nothing && scenario->act != read_field &&
           scenario->act != reset_stream;
}

static void write_several(void) {
    static const char *const TEXTS[WRITES] = {"one", "two", "three", "four"};
    for (int i = 0; i < WRITES; i++) {
        uv_buf_t bytes = uv_buf_init((char *)TEXTS[i], strlen(TEXTS[i]));
        print("  write %s, queue %zu",
              code(uv_write(&writes[i], STREAM(&tcp), &bytes, 1, on_write)),
              tcp.write_queue_size);
    }
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    write_several();
    current->act();
    if (must_be_sent(current)) {
        print("  sent: %s", arrived(peer, 15) >= 15 ? "all" : "not all");
    }
}

/* Prints what the peer receives until the stream is closed. */
static void drain(int fd) {
    ssize_t count;
    size_t total = 0;
    char first[64] = "";
    while ((count = read(fd, read_buffer, sizeof read_buffer)) > 0) {
        if (total < 40)
            snprintf(first + strlen(first), 41 - total, "%.*s", (int)count, read_buffer);
        total += count;
    }
    print("  peer: %.40s, %zu bytes, then %s", first, total, count == 0 ? "EOF" : "an error");
}

static void run_scenario(const scenario *scenario) {
    uv_timer_t timer;
    current = scenario;
    callbacks = 0;
    print("%s", scenario->name);
    uv_loop_init(&loop);
    peer = tcp_with_peer(&loop, &tcp);
    other_peer = tcp_with_peer(&loop, &other);
    memset(read_buffer, 'm', sizeof read_buffer);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  callbacks %d, field %zu", callbacks, tcp.write_queue_size);
    print("  close %s", code(close_loop(&loop)));
    if (scenario->act != reset_stream) drain(peer);
    close(peer);
    close(other_peer);
}

/* Actions of a child that exits in the callback. */
static void exit_in_callback(void) {
    exit(7);
}

static void fork_and_return(void) {
    pid_t pid = fork();
    if (pid == 0) {
        uv_loop_fork(&loop);
        return;
    }
    waitpid(pid, NULL, 0);
    exit(7);
}

static void run_in_child(const char *name, void (*act)(void)) {
    const scenario scenario = {name, act};
    int status, ends[2];
    uv_timer_t timer;
    print("%s", name);
    tcp_sockets(ends);
    pid_t pid = fork();
    if (pid == 0) {
        assert(freopen("/dev/null", "w", stdout) != NULL);
        current = &scenario;
        uv_loop_init(&loop);
        uv_tcp_init(&loop, &tcp);
        assert(uv_tcp_open(&tcp, ends[0]) == 0);
        peer = ends[1];
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, on_timer, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        _exit(callbacks);
    }
    close(ends[0]);
    waitpid(pid, &status, 0);
    print("  status %d", WEXITSTATUS(status));
    drain(ends[1]);
    close(ends[1]);
}

/* Many small writes in one callback, more than the socket buffer holds. */
enum { MANY = 512, EACH = 8192 };

static uv_write_t many[MANY];
static char chunk[EACH];
static size_t received;

static void on_one_of_many(uv_write_t *request, int status) {
    assert(status == 0 && request == &many[callbacks]);
    callbacks++;
}

static void write_many(uv_timer_t *timer) {
    (void)timer;
    for (int i = 0; i < MANY; i++) {
        uv_buf_t bytes = uv_buf_init(chunk, EACH);
        assert(uv_write(&many[i], STREAM(&tcp), &bytes, 1, on_one_of_many) == 0);
    }
}

static void on_prepare(uv_prepare_t *prepare) {
    print("  queued %s, field %s", uv_stream_get_write_queue_size(STREAM(&tcp)) > 0 ? "yes" : "no",
          tcp.write_queue_size == uv_stream_get_write_queue_size(STREAM(&tcp)) ? "same" : "different");
    uv_prepare_stop(prepare);
}

static void on_drain(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    assert(count >= 0);
    received += count;
    if (received == (size_t)MANY * EACH) uv_close(HANDLE(stream), NULL);
}

static void run_slow_peer(void) {
    uv_timer_t timer;
    uv_prepare_t prepare;
    uv_tcp_t reader;
    print("a slow peer");
    callbacks = 0;
    uv_loop_init(&loop);
    peer = tcp_with_peer(&loop, &tcp);
    uv_tcp_init(&loop, &reader);
    uv_tcp_open(&reader, peer);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, write_many, 0, 0);
    uv_prepare_init(&loop, &prepare);
    while (uv_is_active(HANDLE(&timer))) uv_run(&loop, UV_RUN_NOWAIT);
    print("  field %s", tcp.write_queue_size > 0 ? "above 0" : "0");
    uv_prepare_start(&prepare, on_prepare);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_read_start(STREAM(&reader), on_alloc, on_drain);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  callbacks %d, received %zu, field %zu", callbacks, received, tcp.write_queue_size);
    print("  close %s", code(close_loop(&loop)));
}

int main(void) {
    for (size_t i = 0; i < COUNT(SCENARIOS); i++) run_scenario(&SCENARIOS[i]);
    run_slow_peer();
    run_in_child("exit", exit_in_callback);
    run_in_child("fork and exit", fork_and_return);
    return 0;
}

/* Several writes in one callback: whoever looks finds them sent, in order, whatever the program does
 * next. */
#include "net.h"

#include <sys/ioctl.h>
#include <sys/wait.h>

enum { WRITES = 4 };

typedef struct {
    const char *name;
    void (*act)(void);
} scene;

static uv_loop_t loop;
static uv_tcp_t tcp, other;
static int peer, other_peer, told;
static uv_write_t writes[WRITES], further;
static const scene *current;

/* How much has arrived, of so much that is expected: a busy system may deliver it a little later. */
static int arrived(int fd, int wanted) {
    int count = 0;
    for (int i = 0; i < 500 && count < wanted; i++) {
        if (i > 0) usleep(1000);
        assert(ioctl(fd, FIONREAD, &count) == 0);
    }
    return count;
}

static void on_write(uv_write_t *request, int status) {
    say("  told of %d: %s, queue %zu", (int)(request - writes), code(status),
        request->handle->write_queue_size);
    told++;
}

static void on_further(uv_write_t *request, int status) {
    say("  told of the further one: %s, queue %zu", code(status),
        request->handle->write_queue_size);
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    say("  shut down: %s", code(status));
    free(request);
}

static void on_close(uv_handle_t *handle) {
    (void)handle;
    say("  closed");
}

static void nothing(void *argument) {
    (void)argument;
}

static void ask(void) {
    say("  queue %zu, field %zu", uv_stream_get_write_queue_size(STREAM(&tcp)),
        tcp.write_queue_size);
}

static void look_at_field(void) {
    say("  field %zu, active %d", tcp.write_queue_size, uv_is_active(HANDLE(&tcp)));
}

static void try_to_write(void) {
    uv_buf_t bytes = uv_buf_init("try", 3);
    say("  try %d", uv_try_write(STREAM(&tcp), &bytes, 1));
}

static void write_elsewhere(void) {
    uv_buf_t bytes = uv_buf_init("elsewhere", 9);
    say("  write %s", code(uv_write(&further, STREAM(&other), &bytes, 1, on_further)));
    say("  elsewhere %d", arrived(other_peer, 9));
}

static void shut_down(void) {
    say("  shutdown %s", code(uv_shutdown(malloc(sizeof(uv_shutdown_t)), STREAM(&tcp), on_shutdown)));
}

static void close_it(void) {
    uv_close(HANDLE(&tcp), on_close);
}

static void reset_it(void) {
    say("  reset %s", code(uv_tcp_close_reset(&tcp, on_close)));
}

static void ask_for_descriptor(void) {
    uv_os_fd_t fd;
    say("  fileno %s", code(uv_fileno(HANDLE(&tcp), &fd)));
    assert(write(fd, "raw", 3) == 3);
}

static void block(void) {
    say("  blocking %s", code(uv_stream_set_blocking(STREAM(&tcp), 1)));
    uv_stream_set_blocking(STREAM(&tcp), 0);
}

static void sleep_a_little(void) {
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
    say("  wait %s", code(uv_cond_timedwait(&condition, &mutex, 1000)));
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
    uv_thread_create(&thread, nothing, NULL);
    uv_thread_join(&thread);
}

static void touch_a_file(void) {
    uv_fs_t request;
    say("  stat %s", code(uv_fs_stat(&loop, &request, "/", NULL)));
    uv_fs_req_cleanup(&request);
}

static void signal_somebody(void) {
    say("  kill %s", code(uv_kill(getpid(), 0)));
}

static void write_more(void) {
    uv_buf_t bytes = uv_buf_init(room, sizeof room);
    say("  write %s", code(uv_write(&further, STREAM(&tcp), &bytes, 1, on_further)));
}

static void return_at_once(void) {}

static const scene SCENES[] = {
    {"nothing", return_at_once},
    {"field", look_at_field},
    {"queue size", ask},
    {"try_write", try_to_write},
    {"another stream", write_elsewhere},
    {"much", write_more},
    {"shutdown", shut_down},
    {"close", close_it},
    {"close_reset", reset_it},
    {"fileno", ask_for_descriptor},
    {"set_blocking", block},
    {"sleep", sleep_a_little},
    {"semaphore", wait_for_semaphore},
    {"barrier", wait_for_barrier},
    {"condition", wait_for_condition},
    {"rwlock", lock_for_writing},
    {"join", join},
    {"file", touch_a_file},
    {"kill", signal_somebody},
};

/* Those that end what holds the bytes need not be looked at before the callback returns; the first
 * two must not be. */
static int has_to_be_sent(const scene *scene) {
    return scene->act != return_at_once && scene->act != look_at_field && scene->act != reset_it;
}

static void write_several(void) {
    static const char *const WORDS[WRITES] = {"one", "two", "three", "four"};
    for (int i = 0; i < WRITES; i++) {
        uv_buf_t bytes = uv_buf_init((char *)WORDS[i], strlen(WORDS[i]));
        say("  write %s, queue %zu", code(uv_write(&writes[i], STREAM(&tcp), &bytes, 1, on_write)),
            tcp.write_queue_size);
    }
}

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    write_several();
    current->act();
    if (has_to_be_sent(current)) {
        say("  sent by then: %s", arrived(peer, 15) >= 15 ? "all" : "not all");
    }
}

/* What the peer gets until the stream is closed. */
static void drain(int fd) {
    ssize_t count;
    size_t total = 0;
    char first[64] = "";
    while ((count = read(fd, room, sizeof room)) > 0) {
        if (total < 40) snprintf(first + strlen(first), 41 - total, "%.*s", (int)count, room);
        total += count;
    }
    say("  peer: %.40s, %zu bytes, then %s", first, total, count == 0 ? "the end" : "an error");
}

static void play(const scene *scene) {
    uv_timer_t timer;
    current = scene;
    told = 0;
    say("%s", scene->name);
    uv_loop_init(&loop);
    peer = tcp_with_peer(&loop, &tcp);
    other_peer = tcp_with_peer(&loop, &other);
    memset(room, 'm', sizeof room);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  told %d, field %zu", told, tcp.write_queue_size);
    say("  close %s", code(finish(&loop)));
    if (scene->act != reset_it) drain(peer);
    close(peer);
    close(other_peer);
}

/* In a child that ends, in this way, in the callback. */
static void leave(void) {
    exit(7);
}


static void fork_and_go_on(void) {
    pid_t pid = fork();
    if (pid == 0) {
        uv_loop_fork(&loop);
        return;
    }
    waitpid(pid, NULL, 0);
    exit(7);
}

static void play_in_child(const char *name, void (*act)(void)) {
    const scene scene = {name, act};
    int status, ends[2];
    uv_timer_t timer;
    say("%s", name);
    tcp_sockets(ends);
    pid_t pid = fork();
    if (pid == 0) {
        assert(freopen("/dev/null", "w", stdout) != NULL);
        current = &scene;
        uv_loop_init(&loop);
        uv_tcp_init(&loop, &tcp);
        assert(uv_tcp_open(&tcp, ends[0]) == 0);
        peer = ends[1];
        uv_timer_init(&loop, &timer);
        uv_timer_start(&timer, on_timer, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        _exit(told);
    }
    close(ends[0]);
    waitpid(pid, &status, 0);
    say("  status %d", WEXITSTATUS(status));
    drain(ends[1]);
    close(ends[1]);
}

/* More in one callback than the system takes, though each write is small. */
enum { MANY = 512, EACH = 8192 };

static uv_write_t many[MANY];
static char chunk[EACH];
static size_t got;

static void on_one_of_many(uv_write_t *request, int status) {
    assert(status == 0 && request == &many[told]);
    told++;
}

static void on_much(uv_timer_t *timer) {
    (void)timer;
    for (int i = 0; i < MANY; i++) {
        uv_buf_t bytes = uv_buf_init(chunk, EACH);
        assert(uv_write(&many[i], STREAM(&tcp), &bytes, 1, on_one_of_many) == 0);
    }
}

static void on_prepare(uv_prepare_t *prepare) {
    say("  waiting %s, field %s", uv_stream_get_write_queue_size(STREAM(&tcp)) > 0 ? "yes" : "no",
        tcp.write_queue_size == uv_stream_get_write_queue_size(STREAM(&tcp)) ? "right" : "wrong");
    uv_prepare_stop(prepare);
}

static void on_drain(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    assert(count >= 0);
    got += count;
    if (got == (size_t)MANY * EACH) uv_close(HANDLE(stream), NULL);
}

static void play_slow(void) {
    uv_timer_t timer;
    uv_prepare_t prepare;
    uv_tcp_t reader;
    say("a slow peer");
    told = 0;
    uv_loop_init(&loop);
    peer = tcp_with_peer(&loop, &tcp);
    uv_tcp_init(&loop, &reader);
    uv_tcp_open(&reader, peer);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_much, 0, 0);
    uv_prepare_init(&loop, &prepare);
    while (uv_is_active(HANDLE(&timer))) uv_run(&loop, UV_RUN_NOWAIT);
    say("  field %s", tcp.write_queue_size > 0 ? "above 0" : "0");
    uv_prepare_start(&prepare, on_prepare);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_read_start(STREAM(&reader), on_alloc, on_drain);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  told %d, got %zu, field %zu", told, got, tcp.write_queue_size);
    say("  close %s", code(finish(&loop)));
}

int main(void) {
    for (size_t i = 0; i < COUNT(SCENES); i++) play(&SCENES[i]);
    play_slow();
    play_in_child("exit", leave);
    play_in_child("fork and exit", fork_and_go_on);
    return 0;
}

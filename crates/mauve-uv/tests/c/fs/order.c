/* Requests of one loop on a pool of one thread: random sequences of them, made in callbacks. Each
 * takes effect before the next one does, so every result is determined, and their order. */
#include "fs/folder.h"


enum { FILES = 4, REQUESTS = 120, LENGTH = 700 };

typedef struct {
    union { uv_fs_t fs; uv_work_t work; uv_getnameinfo_t name; uv_random_t random; } as;
    int number, kind, fd, offset;
    char bytes[2 * LENGTH];
    ssize_t result;
} request;

static request requests[REQUESTS];
static uv_timer_t timer;
static uint64_t seed;
static int made, ended, fds[FILES];

static uint32_t chance(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static const char *name(int file) {
    static const char *names[FILES] = {"a", "b", "c", "d"};
    return names[file];
}

static uint32_t sum(const char *bytes, ssize_t length) {
    uint32_t sum = 0;
    for (ssize_t i = 0; i < length; i++) sum = sum * 31 + (unsigned char)bytes[i];
    return sum;
}

static void make_some(void);

static void end(request *one, ssize_t result, uint32_t value) {
    assert(!inside);
    ended++;
    say("%d: kind %d, %s, %u", one->number, one->kind, outcome(result), value);
    make_some();
}

static void on_fs(uv_fs_t *fs) {
    request *one = (request *)fs;
    uint32_t value = 0;
    if (one->kind <= 3 && fs->result > 0) value = sum(one->bytes, fs->result);
    if (fs->result == 0 && (fs->fs_type == UV_FS_FSTAT || fs->fs_type == UV_FS_STAT))
        value = (uint32_t)fs->statbuf.st_size;
    ssize_t result = fs->result;
    /* The number is the system's choice. */
    if (fs->fs_type == UV_FS_OPEN && result >= 0) result = close((int)result) + 1;
    uv_fs_req_cleanup(fs);
    end(one, result, value);
}

static void on_worker(uv_work_t *work) {
    request *one = (request *)work;
    if (one->kind == 14) one->result = pread(one->fd, one->bytes, LENGTH, one->offset);
    if (one->kind == 15) one->result = pwrite(one->fd, one->bytes, LENGTH, one->offset);
    if (one->kind == 16) {
        int fd = open("d", O_CREAT | O_RDWR, 0600);
        one->result = dup2(fd, one->fd);
        close(fd);
    }
    if (one->result < 0) one->result = -errno;
}

static void after_worker(uv_work_t *work, int status) {
    request *one = (request *)work;
    end(one, status ? status : one->result, one->kind == 14 ? sum(one->bytes, one->result) : 0);
}

static void on_random(uv_random_t *random, int status, void *bytes, size_t length) {
    (void)bytes;
    end((request *)random, status, (uint32_t)length);
}

static void make(void) {
    request *one = &requests[made];
    int file = (int)chance(FILES), to = (int)chance(FILES);
    memset(one, 0xee, sizeof *one);
    one->number = made++;
    one->kind = (int)chance(18);
    one->fd = fds[file];
    one->offset = (int)chance(2000);
    memset(one->bytes, 'a' + (int)chance(26), sizeof one->bytes);
    uv_buf_t buffers[2] = {uv_buf_init(one->bytes, 1 + chance(LENGTH)),
                           uv_buf_init(one->bytes + LENGTH, LENGTH)};
    uv_fs_t *fs = &one->as.fs;
    int result = 0;
    switch (one->kind) {
    case 0: case 1: result = uv_fs_read(&loop, fs, one->fd, buffers, 1, one->offset, on_fs); break;
    case 2: result = uv_fs_read(&loop, fs, one->fd, buffers, 1, -1, on_fs); break;
    case 3:
        buffers[0].len = LENGTH;
        result = uv_fs_read(&loop, fs, one->fd, buffers, 2, one->offset, on_fs);
        break;
    case 4: case 5: result = uv_fs_write(&loop, fs, one->fd, buffers, 1, one->offset, on_fs); break;
    case 6: result = uv_fs_write(&loop, fs, one->fd, buffers, 2, -1, on_fs); break;
    case 7: result = uv_fs_ftruncate(&loop, fs, one->fd, one->offset, on_fs); break;
    case 8: result = uv_fs_fstat(&loop, fs, one->fd, on_fs); break;
    case 9: result = uv_fs_stat(&loop, fs, name(file), on_fs); break;
    case 10: result = uv_fs_rename(&loop, fs, name(file), name(to), on_fs); break;
    case 11: result = uv_fs_unlink(&loop, fs, name(file), on_fs); break;
    case 12: result = uv_fs_close(&loop, fs, one->fd, on_fs); break;
    case 13: result = uv_fs_open(&loop, fs, name(file), O_CREAT | O_RDWR, 0600, on_fs); break;
    case 14: case 15: case 16:
        result = uv_queue_work(&loop, &one->as.work, on_worker, after_worker);
        break;
    case 17: result = uv_random(&loop, &one->as.random, one->bytes, 8, 0, on_random); break;
    }
    assert(result == 0);
}

static void make_some(void) {
    int count = (int)chance(4) == 0 ? (int)chance(8) : (int)chance(2);
    if (ended == made && count == 0) count = 1;
    inside = 1;
    while (count-- > 0 && made < REQUESTS) make();
    inside = 0;
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    make_some();
}

static void run(uint64_t of, uv_run_mode mode) {
    say("seed %d", (int)of);
    seed = of, made = ended = 0;
    for (int i = 0; i < FILES; i++) {
        char text[1500];
        memset(text, 'A' + i, sizeof text);
        int fd = open(name(i), O_CREAT | O_TRUNC | O_RDWR, 0600);
        assert(fd >= 0 && pwrite(fd, text, sizeof text, 0) == sizeof text);
        /* Far from the numbers that the library uses. */
        fds[i] = 100 + i;
        assert(dup2(fd, fds[i]) == fds[i] && close(fd) == 0);
    }
    assert(uv_timer_start(&timer, on_timer, 0, 0) == 0);
    while (uv_run(&loop, mode)) {}
    assert(made == REQUESTS && ended == REQUESTS);
}

int main(int argc, char **argv) {
    int from = argc > 1 ? atoi(argv[1]) : 1, to = argc > 2 ? atoi(argv[2]) : 30;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    enter_folder();
    uv_timer_init(&loop, &timer);
    for (int i = from; i <= to; i++) run((uint64_t)i, i % 3 ? UV_RUN_DEFAULT : UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

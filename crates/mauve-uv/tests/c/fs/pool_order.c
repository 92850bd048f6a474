/* Random file system, work and random requests of one loop on a pool of one thread, submitted in
 * callbacks. They run in submission order, so all results and their order are determined. */
#include "fs/temp_dir.h"


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
static int submitted, finished, fds[FILES];

static uint32_t random_below(uint32_t below) {
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

static void submit_some(void);

static void on_finished(request *self, ssize_t result, uint32_t value) {
    assert(!in_call);
    finished++;
    print("%d: kind %d, %s, %u", self->number, self->kind, result_name(result), value);
    submit_some();
}

static void on_fs(uv_fs_t *fs) {
    request *self = (request *)fs;
    uint32_t value = 0;
    if (self->kind <= 3 && fs->result > 0) value = sum(self->bytes, fs->result);
    if (fs->result == 0 && (fs->fs_type == UV_FS_FSTAT || fs->fs_type == UV_FS_STAT))
        value = (uint32_t)fs->statbuf.st_size;
    ssize_t result = fs->result;
    /* The descriptor number is arbitrary. */
    if (fs->fs_type == UV_FS_OPEN && result >= 0) result = close((int)result) + 1;
    uv_fs_req_cleanup(fs);
    on_finished(self, result, value);
}

static void on_worker(uv_work_t *work) {
    request *self = (request *)work;
    if (self->kind == 14) self->result = pread(self->fd, self->bytes, LENGTH, self->offset);
    if (self->kind == 15) self->result = pwrite(self->fd, self->bytes, LENGTH, self->offset);
    if (self->kind == 16) {
        int fd = open("d", O_CREAT | O_RDWR, 0600);
        self->result = dup2(fd, self->fd);
        close(fd);
    }
    if (self->result < 0) self->result = -errno;
}

static void after_worker(uv_work_t *work, int status) {
    request *self = (request *)work;
    on_finished(self, status ? status : self->result,
                self->kind == 14 ? sum(self->bytes, self->result) : 0);
}

static void on_random(uv_random_t *random, int status, void *bytes, size_t length) {
    (void)bytes;
    on_finished((request *)random, status, (uint32_t)length);
}

static void submit(void) {
    request *self = &requests[submitted];
    int file = (int)random_below(FILES), to = (int)random_below(FILES);
    memset(self, 0xee, sizeof *self);
    self->number = submitted++;
    self->kind = (int)random_below(18);
    self->fd = fds[file];
    self->offset = (int)random_below(2000);
    memset(self->bytes, 'a' + (int)random_below(26), sizeof self->bytes);
    uv_buf_t buffers[2] = {uv_buf_init(self->bytes, 1 + random_below(LENGTH)),
                           uv_buf_init(self->bytes + LENGTH, LENGTH)};
    uv_fs_t *fs = &self->as.fs;
    int result = 0;
    switch (self->kind) {
    case 0: case 1: result = uv_fs_read(&loop, fs, self->fd, buffers, 1, self->offset,
                                        on_fs); break;
    case 2: result = uv_fs_read(&loop, fs, self->fd, buffers, 1, -1, on_fs); break;
    case 3:
        buffers[0].len = LENGTH;
        result = uv_fs_read(&loop, fs, self->fd, buffers, 2, self->offset, on_fs);
        break;
    case 4: case 5: result = uv_fs_write(&loop, fs, self->fd, buffers, 1, self->offset,
                                         on_fs); break;
    case 6: result = uv_fs_write(&loop, fs, self->fd, buffers, 2, -1, on_fs); break;
    case 7: result = uv_fs_ftruncate(&loop, fs, self->fd, self->offset, on_fs); break;
    case 8: result = uv_fs_fstat(&loop, fs, self->fd, on_fs); break;
    case 9: result = uv_fs_stat(&loop, fs, name(file), on_fs); break;
    case 10: result = uv_fs_rename(&loop, fs, name(file), name(to), on_fs); break;
    case 11: result = uv_fs_unlink(&loop, fs, name(file), on_fs); break;
    case 12: result = uv_fs_close(&loop, fs, self->fd, on_fs); break;
    case 13: result = uv_fs_open(&loop, fs, name(file), O_CREAT | O_RDWR, 0600, on_fs); break;
    case 14: case 15: case 16:
        result = uv_queue_work(&loop, &self->as.work, on_worker, after_worker);
        break;
    case 17: result = uv_random(&loop, &self->as.random, self->bytes, 8, 0, on_random); break;
    }
    assert(result == 0);
}

static void submit_some(void) {
    int count = (int)random_below(4) == 0 ? (int)random_below(8) : (int)random_below(2);
    if (finished == submitted && count == 0) count = 1;
    in_call = 1;
    while (count-- > 0 && submitted < REQUESTS) submit();
    in_call = 0;
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    submit_some();
}

static void run(uint64_t of, uv_run_mode mode) {
    print("seed %d", (int)of);
    seed = of, submitted = finished = 0;
    for (int i = 0; i < FILES; i++) {
        char text[1500];
        memset(text, 'A' + i, sizeof text);
        int fd = open(name(i), O_CREAT | O_TRUNC | O_RDWR, 0600);
        assert(fd >= 0 && pwrite(fd, text, sizeof text, 0) == sizeof text);
        /* Numbers that the library does not use. */
        fds[i] = 100 + i;
        assert(dup2(fd, fds[i]) == fds[i] && close(fd) == 0);
    }
    assert(uv_timer_start(&timer, on_timer, 0, 0) == 0);
    while (uv_run(&loop, mode)) {}
    assert(submitted == REQUESTS && finished == REQUESTS);
}

int main(int argc, char **argv) {
    int from = argc > 1 ? atoi(argv[1]) : 1, to = argc > 2 ? atoi(argv[2]) : 30;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    enter_temp_dir();
    uv_timer_init(&loop, &timer);
    for (int i = from; i <= to; i++) run((uint64_t)i, i % 3 ? UV_RUN_DEFAULT : UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

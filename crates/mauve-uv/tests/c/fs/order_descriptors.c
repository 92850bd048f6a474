/* Requests of one callback on one descriptor, with one thread: read, close and open again; read and
 * write; write and read; read and truncate; what a job of uv_queue_work does between them. */
#include "fs/folder.h"

enum { ROUNDS = 200, READS = 6 };

static uv_timer_t timer;
static uv_fs_t reads[READS], second, third;
static uv_work_t work;
static char bytes[READS][8];
static int fd, opened, ended, rounds, tried;
static const char *what;

static void on_end(uv_fs_t *fs) {
    if (fs->fs_type == UV_FS_OPEN) opened = (int)fs->result;
    assert(fs->result >= 0);
    uv_fs_req_cleanup(fs);
}

static void on_read(uv_fs_t *fs) {
    static char text[9];
    memcpy(text, bytes[fs - reads], 8);
    if (rounds == 0 || strcmp(text, "old text") != 0 || fs->result != 8)
        say("%s, round %d, read %d: %s, %s", what, rounds, (int)(fs - reads), outcome(fs->result), text);
    uv_fs_req_cleanup(fs);
    ended++;
}

static void begin_reads(void) {
    memset(bytes, '-', sizeof bytes);
    for (int i = 0; i < READS; i++) {
        uv_buf_t buffer = uv_buf_init(bytes[i], 8);
        assert(uv_fs_read(&loop, &reads[i], fd, &buffer, 1, 0, on_read) == 0);
    }
}

static void replace(void) {
    uv_buf_t buffer = uv_buf_init("new text", 8);
    assert(uv_fs_write(&loop, &second, fd, &buffer, 1, 0, on_end) == 0);
}

static void read_close_open(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    assert(uv_fs_close(&loop, &second, fd, on_end) == 0);
    assert(uv_fs_open(&loop, &third, "other", O_RDONLY, 0, on_end) == 0);
}

static void read_write(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    replace();
}

static void read_truncate(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    assert(uv_fs_ftruncate(&loop, &second, fd, 0, on_end) == 0);
}

static void read_unlink(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    assert(uv_fs_copyfile(&loop, &second, "other", "file", 0, on_end) == 0);
}

static void overwrite(uv_work_t *unused) {
    (void)unused;
    assert(pwrite(fd, "new text", 8, 0) == 8);
}

static void after_work(uv_work_t *unused, int status) {
    (void)unused;
    assert(status == 0);
}

static void read_work(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    assert(uv_queue_work(&loop, &work, overwrite, after_work) == 0);
}

static void each_round(const char *name, uv_timer_cb begin) {
    what = name;
    for (rounds = 0; rounds < ROUNDS; rounds++) {
        put("file", "old text", 0600);
        put("other", "another file", 0600);
        fd = open("file", O_RDWR);
        opened = -1, ended = 0;
        /* Now and then the pages are not in memory. */
        if (rounds % 4 == 3) fsync(fd), posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        uv_timer_start(&timer, begin, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        assert(ended == READS);
        if (opened >= 0) close(opened);
        else close(fd);
        tried++;
    }
}

int main(void) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    enter_folder();
    uv_timer_init(&loop, &timer);
    each_round("read, close, open", read_close_open);
    each_round("read, write", read_write);
    each_round("read, truncate", read_truncate);
    each_round("read, copy over it", read_unlink);
    each_round("read, work", read_work);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("%d rounds, close: %s", tried, code(uv_loop_close(&loop)));
    return 0;
}

/* Requests of one callback on one descriptor, with one pool thread: reads followed by close and
 * open, write, truncate, copy or work. The reads return the old contents. */
#include "fs/temp_dir.h"

enum { ROUNDS = 200, READS = 6 };

static uv_timer_t timer;
static uv_fs_t reads[READS], second, third;
static uv_work_t work;
static char bytes[READS][8];
static int fd, opened, finished, rounds, total_rounds;
static const char *scenario;

static void on_finished(uv_fs_t *fs) {
    if (fs->fs_type == UV_FS_OPEN) opened = (int)fs->result;
    assert(fs->result >= 0);
    uv_fs_req_cleanup(fs);
}

static void on_read(uv_fs_t *fs) {
    static char text[9];
    memcpy(text, bytes[fs - reads], 8);
    if (rounds == 0 || strcmp(text, "old text") != 0 || fs->result != 8)
        print("%s, round %d, read %d: %s, %s", scenario, rounds, (int)(fs - reads),
              result_name(fs->result), text);
    uv_fs_req_cleanup(fs);
    finished++;
}

static void begin_reads(void) {
    memset(bytes, '-', sizeof bytes);
    for (int i = 0; i < READS; i++) {
        uv_buf_t buffer = uv_buf_init(bytes[i], 8);
        assert(uv_fs_read(&loop, &reads[i], fd, &buffer, 1, 0, on_read) == 0);
    }
}

static void overwrite_by_request(void) {
    uv_buf_t buffer = uv_buf_init("new text", 8);
    assert(uv_fs_write(&loop, &second, fd, &buffer, 1, 0, on_finished) == 0);
}

static void read_close_open(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    assert(uv_fs_close(&loop, &second, fd, on_finished) == 0);
    assert(uv_fs_open(&loop, &third, "other", O_RDONLY, 0, on_finished) == 0);
}

static void read_write(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    overwrite_by_request();
}

static void read_truncate(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    assert(uv_fs_ftruncate(&loop, &second, fd, 0, on_finished) == 0);
}

static void read_unlink(uv_timer_t *handle) {
    (void)handle;
    begin_reads();
    assert(uv_fs_copyfile(&loop, &second, "other", "file", 0, on_finished) == 0);
}

static void overwrite_by_work(uv_work_t *unused) {
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
    assert(uv_queue_work(&loop, &work, overwrite_by_work, after_work) == 0);
}

static void run_rounds(const char *name, uv_timer_cb begin) {
    scenario = name;
    for (rounds = 0; rounds < ROUNDS; rounds++) {
        write_file("file", "old text", 0600);
        write_file("other", "another file", 0600);
        fd = open("file", O_RDWR);
        opened = -1, finished = 0;
        /* In every fourth round the file is not in the page cache. */
        if (rounds % 4 == 3) fsync(fd), posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        uv_timer_start(&timer, begin, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        assert(finished == READS);
        if (opened >= 0) close(opened);
        else close(fd);
        total_rounds++;
    }
}

int main(void) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    enter_temp_dir();
    uv_timer_init(&loop, &timer);
    run_rounds("read, close, open", read_close_open);
    run_rounds("read, write", read_write);
    run_rounds("read, truncate", read_truncate);
    run_rounds("read, copy over it", read_unlink);
    run_rounds("read, work", read_work);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("%d rounds, close: %s", total_rounds, code(uv_loop_close(&loop)));
    return 0;
}

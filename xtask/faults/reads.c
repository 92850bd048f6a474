/* Many reads in one callback, which are batched, followed by a write and a close. */
#include "workload.h"

enum { READS = 48, PAGE = 4096, REPETITIONS = 3 };

typedef struct {
    uv_fs_t fs;
    char bytes[PAGE];
} reading;

static uv_loop_t loop;
static reading readings[READS];
static uv_timer_t timer;
static uv_fs_t writing, closing;
static char contents[READS * PAGE];
static uv_file file, other;
static int repetitions, pending;

static void on_timer(uv_timer_t *handle);

static void next_pass(void) {
    if (--pending > 0) return;
    if (++repetitions < REPETITIONS) uv_timer_start(&timer, on_timer, 0, 0);
    else end_handle(&timer);
}

static void on_read(uv_fs_t *fs) {
    reading *one = (reading *)fs;
    int which = one - readings;
    reported("read", fs->result);
    if (fs->result >= 0 && fs->result != PAGE) lost("bytes of a read");
    if (fs->result == PAGE && memcmp(one->bytes, contents + which * PAGE, PAGE) != 0) {
        lost("the right bytes of a read");
    }
    uv_fs_req_cleanup(fs);
    next_pass();
}

static void on_write(uv_fs_t *fs) {
    reported("write", fs->result);
    uv_fs_req_cleanup(fs);
    next_pass();
}

static void on_close(uv_fs_t *fs) {
    reported("fs_close", fs->result);
    uv_fs_req_cleanup(fs);
    next_pass();
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    pending = 1;
    for (int i = 0; i < READS; i++) {
        uv_buf_t buffer = uv_buf_init(readings[i].bytes, PAGE);
        int result = uv_fs_read(&loop, &readings[i].fs, file, &buffer, 1, i * PAGE, on_read);
        pending += started("read", result);
    }
    uv_buf_t text = uv_buf_init("text", 4);
    pending += started("write", uv_fs_write(&loop, &writing, other, &text, 1, 0, on_write));
    if (repetitions == REPETITIONS - 1) {
        pending += started("fs_close", uv_fs_close(&loop, &closing, file, on_close));
    }
    next_pass();
}

int main(void) {
    for (size_t i = 0; i < sizeof contents; i++) contents[i] = (char)(i / 7 + i / PAGE);
    /* With one thread, requests run in order, so the close comes last. */
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    make_folder();
    other = open(in_folder("other"), O_CREAT | O_RDWR, 0600);
    file = open(in_folder("file"), O_CREAT | O_RDWR, 0600);
    assert(other >= 0 && file >= 0 && write(file, contents, sizeof contents) == sizeof contents);
    set_injection(1);
    if (init_loop(&loop)) {
        check("timer_init", uv_timer_init(&loop, &timer));
        check("timer_start", uv_timer_start(&timer, on_timer, 0, 0));
        finish_loop(&loop);
        complete("repetitions", repetitions == REPETITIONS);
    }
    int code = exit_code();
    remove_folder();
    return code;
}

/* Two loops share a pool of one thread. Reads that one loop submits before it notifies the other
 * run before the write that the other then submits. */
#include "fs/temp_dir.h"

enum { ROUNDS = 200 };

static uv_loop_t other;
static uv_async_t notify_other, stop_other;
static uv_sem_t submitted, written;
static uv_fs_t reads[5], write_one;
static uv_timer_t timer;
static char bytes[5][8], replacement[] = "new text";
static int fd, finished, rounds;

static void on_write(uv_fs_t *fs) {
    assert(fs->result == 8);
    uv_fs_req_cleanup(fs);
    uv_sem_post(&written);
}

static void on_notified(uv_async_t *handle) {
    uv_buf_t buffer = uv_buf_init(replacement, 8);
    assert(uv_fs_write(handle->loop, &write_one, fd, &buffer, 1, 0, on_write) == 0);
    uv_sem_post(&submitted);
}

static void close_both(uv_async_t *handle) {
    uv_close((uv_handle_t *)handle, NULL);
    uv_close((uv_handle_t *)&notify_other, NULL);
}

static void run_other(void *unused) {
    (void)unused;
    uv_run(&other, UV_RUN_DEFAULT);
}

static void on_read(uv_fs_t *fs) {
    if (fs->result != 8 || memcmp(bytes[fs - reads], "old text", 8) != 0)
        print("round %d, read %d: %s, %.8s", rounds, (int)(fs - reads), result_name(fs->result),
              bytes[fs - reads]);
    uv_fs_req_cleanup(fs);
    finished++;
}

static void read_and_notify(uv_timer_t *handle) {
    assert(pwrite(fd, "old text", 8, 0) == 8);
    for (int i = 0; i < 5; i++) {
        uv_buf_t buffer = uv_buf_init(bytes[i], 8);
        assert(uv_fs_read(handle->loop, &reads[i], fd, &buffer, 1, 0, on_read) == 0);
    }
    uv_async_send(&notify_other);
    uv_sem_wait(&submitted);
    /* The write completes while this callback runs, so the reads have run before. */
    uv_sem_wait(&written);
    if (++rounds == ROUNDS) uv_timer_stop(handle);
}

int main(void) {
    uv_thread_t thread;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    enter_temp_dir();
    fd = open("file", O_CREAT | O_RDWR, 0600);
    assert(uv_sem_init(&submitted, 0) == 0 && uv_sem_init(&written, 0) == 0);
    assert(uv_loop_init(&other) == 0);
    uv_async_init(&other, &notify_other, on_notified);
    uv_async_init(&other, &stop_other, close_both);
    uv_thread_create(&thread, run_other, NULL);
    uv_timer_init(&loop, &timer);
    /* The reads of a round complete before the next one starts. */
    while (rounds < ROUNDS) {
        uv_timer_start(&timer, read_and_notify, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        assert(finished == 5 * rounds);
    }
    uv_async_send(&stop_other);
    uv_thread_join(&thread);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("%d reads, close: %s, %s", finished, code(uv_loop_close(&loop)),
          code(uv_loop_close(&other)));
    return 0;
}

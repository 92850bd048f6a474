/* Two loops share a pool of one thread. A request that one loop makes, and then tells the other
 * thread about, takes effect before what the other loop requests. */
#include "fs/folder.h"

enum { ROUNDS = 200 };

static uv_loop_t other;
static uv_async_t tell_other, end_other;
static uv_sem_t submitted, written;
static uv_fs_t reads[5], write_one;
static uv_timer_t timer;
static char bytes[5][8], replacement[] = "new text";
static int fd, ended, rounds;

static void on_write(uv_fs_t *fs) {
    assert(fs->result == 8);
    uv_fs_req_cleanup(fs);
    uv_sem_post(&written);
}

static void on_told(uv_async_t *handle) {
    uv_buf_t buffer = uv_buf_init(replacement, 8);
    assert(uv_fs_write(handle->loop, &write_one, fd, &buffer, 1, 0, on_write) == 0);
    uv_sem_post(&submitted);
}

static void close_both(uv_async_t *handle) {
    uv_close((uv_handle_t *)handle, NULL);
    uv_close((uv_handle_t *)&tell_other, NULL);
}

static void run_other(void *unused) {
    (void)unused;
    uv_run(&other, UV_RUN_DEFAULT);
}

static void on_read(uv_fs_t *fs) {
    if (fs->result != 8 || memcmp(bytes[fs - reads], "old text", 8) != 0)
        say("round %d, read %d: %s, %.8s", rounds, (int)(fs - reads), outcome(fs->result),
            bytes[fs - reads]);
    uv_fs_req_cleanup(fs);
    ended++;
}

static void read_and_tell(uv_timer_t *handle) {
    assert(pwrite(fd, "old text", 8, 0) == 8);
    for (int i = 0; i < 5; i++) {
        uv_buf_t buffer = uv_buf_init(bytes[i], 8);
        assert(uv_fs_read(handle->loop, &reads[i], fd, &buffer, 1, 0, on_read) == 0);
    }
    uv_async_send(&tell_other);
    uv_sem_wait(&submitted);
    /* The write ends while this callback still runs: the reads have gone before it. */
    uv_sem_wait(&written);
    if (++rounds == ROUNDS) uv_timer_stop(handle);
}

int main(void) {
    uv_thread_t thread;
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    enter_folder();
    fd = open("file", O_CREAT | O_RDWR, 0600);
    assert(uv_sem_init(&submitted, 0) == 0 && uv_sem_init(&written, 0) == 0);
    assert(uv_loop_init(&other) == 0);
    uv_async_init(&other, &tell_other, on_told);
    uv_async_init(&other, &end_other, close_both);
    uv_thread_create(&thread, run_other, NULL);
    uv_timer_init(&loop, &timer);
    /* Each round's reads end before the next one begins. */
    while (rounds < ROUNDS) {
        uv_timer_start(&timer, read_and_tell, 0, 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        assert(ended == 5 * rounds);
    }
    uv_async_send(&end_other);
    uv_thread_join(&thread);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("%d reads, close: %s, %s", ended, code(uv_loop_close(&loop)), code(uv_loop_close(&other)));
    return 0;
}

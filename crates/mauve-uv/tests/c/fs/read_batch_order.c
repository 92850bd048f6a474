/* needs: mauve */
/* Reads of one turn: told in order, never inside the call, and taken back while they wait. */
#include "fs/read_batch.h"

static uv_fs_t stats;
static int stats_told;

static void on_stat(uv_fs_t *fs) {
    /* Asked for between the reads 15 and 16. */
    assert(told == 16 && fs->result == 0);
    stats_told++;
    uv_fs_req_cleanup(fs);
}

static void read_and_ask(uv_timer_t *timer) {
    int whole = count;
    count = 16;
    begin_reads(timer);
    assert(uv_fs_fstat(&loop, &stats, readings[0].fd, on_stat) == 0);
    count = whole;
    inside = 1;
    for (int i = 16; i < count; i++) {
        reading *one = &readings[i];
        assert(uv_fs_read(&loop, &one->fs, one->fd, &one->buffer, 1, one->offset, on_read) == 0);
    }
    inside = 0;
    assert(uv_loop_alive(&loop) && uv_backend_timeout(&loop) == 0);
}

static void read_and_cancel(uv_timer_t *timer) {
    begin_reads(timer);
    for (int i = 0; i < count; i += 3) {
        assert(uv_cancel((uv_req_t *)&readings[i].fs) == 0);
        assert(uv_cancel((uv_req_t *)&readings[i].fs) == 0);
    }
    assert(told == 0 && uv_loop_close(&loop) == UV_EBUSY);
}

static void read_and_close(uv_timer_t *timer) {
    begin_reads(timer);
    close(readings[0].fd);
}

static void read_and_stop(uv_timer_t *timer) {
    begin_reads(timer);
    uv_stop(&loop);
}

int main(void) {
    enter_folder();
    int fd = make_file("file", 0);
    for (int i = 0; i < DEPTH; i++) want(fd, i * PAGE, PAGE);

    read_with(begin_reads);
    assert(all_right() && in_order);
    assert(uv_cancel((uv_req_t *)&readings[0].fs) == UV_EBUSY);

    read_with(read_and_ask);
    assert(all_right() && in_order && stats_told == 1);

    for (int i = 0; i < count; i++) memset(readings[i].buffer.base, 'x', PAGE);
    read_with(read_and_cancel);
    for (int i = 0; i < count; i++) {
        assert(i % 3 == 0 ? readings[i].result == UV_ECANCELED : is_right(&readings[i]));
        /* The memory of a read that was taken back was the program's all the time. */
        assert(i % 3 != 0 || readings[i].buffer.base[PAGE - 1] == 'x');
    }

    /* A run that is stopped leaves them to the next one. */
    told = 0, count = 5;
    uv_timer_init(&loop, &turn);
    uv_timer_start(&turn, read_and_stop, 0, 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) != 0 && told <= count);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert(told == count && all_right());
    uv_close((uv_handle_t *)&turn, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    /* Without its file, a read that is still to be made fails, and does nothing else. */
    read_with(read_and_close);
    for (int i = 0; i < count; i++) assert(readings[i].result == UV_EBADF || is_right(&readings[i]));
    forget_reads();
    assert(uv_loop_close(&loop) == 0);
    return 0;
}

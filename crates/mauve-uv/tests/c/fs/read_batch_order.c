/* needs: mauve */
/* Reads of one callback complete in order, never inside the call, and can be cancelled while
 * queued. */
#include "fs/read_batch.h"

static uv_fs_t stat_request;
static int stat_completed;

static void on_stat(uv_fs_t *fs) {
    /* Submitted between the reads 15 and 16. */
    assert(completed == 16 && fs->result == 0);
    stat_completed++;
    uv_fs_req_cleanup(fs);
}

static void read_and_stat(uv_timer_t *timer) {
    int total = count;
    count = 16;
    submit_reads(timer);
    assert(uv_fs_fstat(&loop, &stat_request, requests[0].fd, on_stat) == 0);
    count = total;
    in_call = 1;
    for (int i = 16; i < count; i++) {
        read_request *self = &requests[i];
        assert(uv_fs_read(&loop, &self->fs, self->fd, &self->buffer, 1, self->offset,
                          on_read) == 0);
    }
    in_call = 0;
    assert(uv_loop_alive(&loop) && uv_backend_timeout(&loop) == 0);
}

static void read_and_cancel(uv_timer_t *timer) {
    submit_reads(timer);
    for (int i = 0; i < count; i += 3) {
        assert(uv_cancel((uv_req_t *)&requests[i].fs) == 0);
        assert(uv_cancel((uv_req_t *)&requests[i].fs) == 0);
    }
    assert(completed == 0 && uv_loop_close(&loop) == UV_EBUSY);
}

static void read_and_close(uv_timer_t *timer) {
    submit_reads(timer);
    close(requests[0].fd);
}

static void read_and_stop(uv_timer_t *timer) {
    submit_reads(timer);
    uv_stop(&loop);
}

int main(void) {
    enter_temp_dir();
    int fd = make_file("file", 0);
    for (int i = 0; i < DEPTH; i++) add_read(fd, i * PAGE, PAGE);

    run_reads(submit_reads);
    assert(all_correct() && in_order);
    assert(uv_cancel((uv_req_t *)&requests[0].fs) == UV_EBUSY);

    run_reads(read_and_stat);
    assert(all_correct() && in_order && stat_completed == 1);

    for (int i = 0; i < count; i++) memset(requests[i].buffer.base, 'x', PAGE);
    run_reads(read_and_cancel);
    for (int i = 0; i < count; i++) {
        assert(i % 3 == 0 ? requests[i].result == UV_ECANCELED : is_correct(&requests[i]));
        /* A cancelled read does not touch its buffer. */
        assert(i % 3 != 0 || requests[i].buffer.base[PAGE - 1] == 'x');
    }

    /* After uv_stop the reads complete in the next run. */
    completed = 0, count = 5;
    uv_timer_init(&loop, &starter);
    uv_timer_start(&starter, read_and_stop, 0, 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) != 0 && completed <= count);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert(completed == count && all_correct());
    uv_close((uv_handle_t *)&starter, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);

    /* A read whose descriptor is closed before it starts fails with EBADF. */
    run_reads(read_and_close);
    for (int i = 0; i < count; i++)
        assert(requests[i].result == UV_EBADF || is_correct(&requests[i]));
    free_reads();
    assert(uv_loop_close(&loop) == 0);
    return 0;
}

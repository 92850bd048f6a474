/* uv_cancel of requests that are still queued: each callback gets UV_ECANCELED. */
#include "fs/temp_dir.h"

static uv_sem_t block;
static uv_fs_t requests[40];
static int finished;

static void wait_on_pool(uv_work_t *work) {
    (void)work;
    uv_sem_wait(&block);
}

static void after_wait(uv_work_t *work, int status) {
    (void)work;
    print("work: %s", code(status));
}

static void on_cancelled(uv_fs_t *request) {
    print("%d: %s, ptr %d, path %s", (int)(request - requests), result_name(request->result),
          request->ptr != NULL, request->path ? request->path : "null");
    uv_fs_req_cleanup(request);
    finished++;
}

int main(void) {
    uv_work_t work;
    char byte;
    uv_buf_t buffer = uv_buf_init(&byte, 1), many[9];

    setenv("UV_THREADPOOL_SIZE", "1", 1);
    enter_temp_dir();
    write_file("file", "text", 0644);
    int fd = open("file", O_RDWR);
    for (size_t i = 0; i < COUNT(many); i++) many[i] = buffer;
    uv_sem_init(&block, 0);
    uv_queue_work(&loop, &work, wait_on_pool, after_wait);

    uv_fs_t *r = requests;
    uv_fs_open(&loop, r++, "file", O_RDONLY, 0, on_cancelled);
    uv_fs_close(&loop, r++, fd, on_cancelled);
    uv_fs_read(&loop, r++, fd, &buffer, 1, 0, on_cancelled);
    uv_fs_read(&loop, r++, fd, many, COUNT(many), 0, on_cancelled);
    uv_fs_write(&loop, r++, fd, &buffer, 1, 0, on_cancelled);
    uv_fs_write(&loop, r++, fd, many, COUNT(many), -1, on_cancelled);
    uv_fs_stat(&loop, r++, "file", on_cancelled);
    uv_fs_fstat(&loop, r++, fd, on_cancelled);
    uv_fs_lstat(&loop, r++, "file", on_cancelled);
    uv_fs_unlink(&loop, r++, "file", on_cancelled);
    uv_fs_rename(&loop, r++, "file", "moved", on_cancelled);
    uv_fs_copyfile(&loop, r++, "file", "copy", 0, on_cancelled);
    uv_fs_mkdir(&loop, r++, "made", 0755, on_cancelled);
    uv_fs_scandir(&loop, r++, ".", 0, on_cancelled);
    uv_fs_readlink(&loop, r++, "file", on_cancelled);
    uv_fs_realpath(&loop, r++, "file", on_cancelled);
    uv_fs_opendir(&loop, r++, ".", on_cancelled);
    uv_fs_utime(&loop, r++, "file", 1, 1, on_cancelled);
    uv_fs_ftruncate(&loop, r++, fd, 0, on_cancelled);
    uv_fs_sendfile(&loop, r++, fd, fd, 0, 1, on_cancelled);
    int count = (int)(r - requests);
    for (int i = 0; i < count; i++)
        print("cancel %d: %s", i, code(uv_cancel((uv_req_t *)&requests[i])));
    print("twice: %s", code(uv_cancel((uv_req_t *)&requests[count - 1])));
    while (finished < count) uv_run(&loop, UV_RUN_ONCE);
    uv_sem_post(&block);
    uv_run(&loop, UV_RUN_DEFAULT);
    print_file("file");
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

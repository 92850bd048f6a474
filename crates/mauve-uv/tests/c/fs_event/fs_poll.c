/* uv_fs_poll_t: creation, change and removal of a file, and closing during the first stat. */
#include "watch_dir.h"

static uv_loop_t loop;
static uv_fs_poll_t poll;
static int step;

static void on_poll(uv_fs_poll_t *handle, int status, const uv_stat_t *before, const uv_stat_t *now) {
    print("  %s, %d then %d bytes", code(status), (int)before->st_size, (int)now->st_size);
    switch (step++) {
    case 0: write_file("file", "x"); break;
    case 1: write_file("file", "yz"); break;
    case 2: unlink("file"); break;
    default:
        print("stop %s", code(uv_fs_poll_stop(handle)));
        uv_close((uv_handle_t *)handle, NULL);
    }
}

int main(void) {
    enter_watch_dir();
    uv_loop_init(&loop);
    uv_fs_poll_init(&loop, &poll);
    print("stop %s", code(uv_fs_poll_stop(&poll)));
    print("start %s", code(uv_fs_poll_start(&poll, on_poll, "file", 20)));
    print("active %d, again %s", uv_is_active((uv_handle_t *)&poll),
          code(uv_fs_poll_start(&poll, NULL, "other", 1)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("closed at once");
    uv_fs_poll_init(&loop, &poll);
    uv_fs_poll_start(&poll, on_poll, "file", 20);
    uv_close((uv_handle_t *)&poll, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}

/* needs: mauve */
/* The inotify queue overflows: the callback gets UV_ENOBUFS. */
#include "watch_dir.h"

static int overflows;

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    if (status == 0) return;
    EXPECT(status, UV_ENOBUFS);
    EXPECT(name == NULL && what == 0, 1);
    overflows++;
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;
    int limit = 0;
    FILE *file = fopen("/proc/sys/fs/inotify/max_queued_events", "r");

    assert(file != NULL && fscanf(file, "%d", &limit) == 1);
    fclose(file);
    if (limit > 100000) return 0;
    enter_watch_dir();
    write_file("a", "x");
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    EXPECT(uv_fs_event_start(&event, on_event, ".", 0), 0);
    /* The kernel merges equal consecutive events, so these differ. */
    for (int i = 0; i <= limit / 2; i++) {
        rename("a", "b");
        rename("b", "a");
    }
    run_until_quiet(&loop);
    EXPECT(overflows, 1);
    EXPECT(close_loop(&loop), 0);
    return 0;
}

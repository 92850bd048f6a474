/* needs: mauve */
/* More at once than the kernel remembers: the callback hears of the loss. */
#include "files.h"

static int lost;

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    if (status == 0) return;
    EXPECT(status, UV_ENOBUFS);
    EXPECT(name == NULL && what == 0, 1);
    lost++;
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;
    int limit = 0;
    FILE *file = fopen("/proc/sys/fs/inotify/max_queued_events", "r");

    assert(file != NULL && fscanf(file, "%d", &limit) == 1);
    fclose(file);
    if (limit > 100000) return 0;
    make_place();
    write_file("a", "x");
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    EXPECT(uv_fs_event_start(&event, on_event, ".", 0), 0);
    /* Equal events in a row are one, so these are not equal. */
    for (int i = 0; i <= limit / 2; i++) {
        rename("a", "b");
        rename("b", "a");
    }
    settle(&loop);
    EXPECT(lost, 1);
    EXPECT(finish(&loop), 0);
    return 0;
}

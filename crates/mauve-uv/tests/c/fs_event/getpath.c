/* uv_fs_event_getpath and uv_fs_poll_getpath, with buffers of several sizes. */
#include "watch_dir.h"

static uv_loop_t loop;
static char buffer[64];

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event, (void)name, (void)what, (void)status;
}

static void on_poll(uv_fs_poll_t *poll, int status, const uv_stat_t *before, const uv_stat_t *now) {
    (void)poll, (void)status, (void)before, (void)now;
}

int main(void) {
    uv_fs_event_t event;
    uv_fs_poll_t poll;
    size_t size;

    enter_watch_dir();
    write_file("file", "x");
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    uv_fs_poll_init(&loop, &poll);
    size = sizeof buffer;
    print("not started: %s, %s", code(uv_fs_event_getpath(&event, buffer, &size)),
          code(uv_fs_poll_getpath(&poll, buffer, &size)));
    uv_fs_event_start(&event, on_event, "./file", 0);
    uv_fs_poll_start(&poll, on_poll, "./file", 100);
    size = 3;
    print("short: %s", code(uv_fs_event_getpath(&event, buffer, &size)));
    print("needed: %d", (int)size);
    size = 6;
    print("almost: %s", code(uv_fs_poll_getpath(&poll, buffer, &size)));
    print("needed: %d", (int)size);
    print("enough: %s", code(uv_fs_event_getpath(&event, buffer, &size)));
    print("\"%s\", %d", buffer, (int)size);
    size = sizeof buffer;
    print("more: %s", code(uv_fs_poll_getpath(&poll, buffer, &size)));
    print("\"%s\", %d", buffer, (int)size);
    print("close %s", code(close_loop(&loop)));
    return 0;
}

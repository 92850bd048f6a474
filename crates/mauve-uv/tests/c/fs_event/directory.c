/* Events of a watched directory: several handles, one of which is stopped in its callback. */
#include "watch_dir.h"

static uv_fs_event_t events[3];

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    int which = (int)(event - events);
    print("  handle %d: %s %s%s, %s", which, name ? name : "null", what & UV_RENAME ? "rename" : "",
          what & UV_CHANGE ? "change" : "", code(status));
    if (which == 2) uv_fs_event_stop(event);
}

int main(void) {
    uv_loop_t loop;

    enter_watch_dir();
    mkdir("watched", 0755);
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(events); i++) {
        print("init %s", code(uv_fs_event_init(&loop, &events[i])));
        print("start %s", code(uv_fs_event_start(&events[i], on_event, "watched", 0)));
    }
    print("start again %s", code(uv_fs_event_start(&events[0], on_event, "watched", 0)));
    print("make");
    write_file("watched/file", "x");
    run_until_quiet(&loop);
    print("append");
    write_file("watched/file", "x");
    run_until_quiet(&loop);
    print("change mode");
    chmod("watched/file", 0600);
    run_until_quiet(&loop);
    print("move");
    rename("watched/file", "watched/other");
    run_until_quiet(&loop);
    print("make a directory");
    mkdir("watched/inner", 0755);
    write_file("watched/inner/ignored", "x");
    run_until_quiet(&loop);
    print("move away");
    rename("watched/other", "elsewhere");
    run_until_quiet(&loop);
    print("remove everything");
    unlink("watched/inner/ignored");
    rmdir("watched/inner");
    rmdir("watched");
    run_until_quiet(&loop);
    print("active %d", uv_is_active((uv_handle_t *)&events[0]));
    print("close %s", code(close_loop(&loop)));
    return 0;
}

/* What is heard of a directory: by two handles, and by one that is stopped in a callback. */
#include "files.h"

static uv_fs_event_t events[3];

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    int which = (int)(event - events);
    say("  handle %d: %s %s%s, %s", which, name ? name : "nothing", what & UV_RENAME ? "rename" : "",
        what & UV_CHANGE ? "change" : "", code(status));
    if (which == 2) uv_fs_event_stop(event);
}

int main(void) {
    uv_loop_t loop;

    make_place();
    mkdir("watched", 0755);
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(events); i++) {
        say("init %s", code(uv_fs_event_init(&loop, &events[i])));
        say("start %s", code(uv_fs_event_start(&events[i], on_event, "watched", 0)));
    }
    say("start again %s", code(uv_fs_event_start(&events[0], on_event, "watched", 0)));
    say("make");
    write_file("watched/file", "x");
    settle(&loop);
    say("append");
    write_file("watched/file", "x");
    settle(&loop);
    say("change mode");
    chmod("watched/file", 0600);
    settle(&loop);
    say("move");
    rename("watched/file", "watched/other");
    settle(&loop);
    say("make a directory");
    mkdir("watched/inner", 0755);
    write_file("watched/inner/unheard", "x");
    settle(&loop);
    say("move away");
    rename("watched/other", "elsewhere");
    settle(&loop);
    say("remove everything");
    unlink("watched/inner/unheard");
    rmdir("watched/inner");
    rmdir("watched");
    settle(&loop);
    say("active %d", uv_is_active((uv_handle_t *)&events[0]));
    say("close %s", code(finish(&loop)));
    return 0;
}

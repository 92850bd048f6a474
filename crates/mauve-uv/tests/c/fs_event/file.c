/* What is heard of a file: changes, replacement by another, and its end. */
#include "files.h"

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    say("  %s %s%s, %s", name ? name : "nothing", what & UV_RENAME ? "rename" : "",
        what & UV_CHANGE ? "change" : "", code(status));
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;

    make_place();
    mkdir("inner", 0755);
    write_file("inner/file", "x");
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    say("missing %s, active %d", code(uv_fs_event_start(&event, on_event, "missing", 0)),
        uv_is_active((uv_handle_t *)&event));
    say("start %s", code(uv_fs_event_start(&event, on_event, "inner/file", 0)));
    write_file("inner/file", "y");
    settle(&loop);
    say("touch");
    utimensat(AT_FDCWD, "inner/file", NULL, 0);
    settle(&loop);
    say("replace");
    write_file("inner/new", "z");
    rename("inner/new", "inner/file");
    settle(&loop);
    say("the new one is not watched");
    write_file("inner/file", "y");
    settle(&loop);
    say("stop %s", code(uv_fs_event_stop(&event)));
    say("start %s", code(uv_fs_event_start(&event, on_event, "inner/file", 0)));
    unlink("inner/file");
    settle(&loop);
    say("active %d", uv_is_active((uv_handle_t *)&event));
    say("close %s", code(finish(&loop)));
    return 0;
}

/* Events of a watched file: changes, replacement by another file, removal. */
#include "watch_dir.h"

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    print("  %s %s%s, %s", name ? name : "null", what & UV_RENAME ? "rename" : "",
          what & UV_CHANGE ? "change" : "", code(status));
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;

    enter_watch_dir();
    mkdir("inner", 0755);
    write_file("inner/file", "x");
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    print("missing %s, active %d", code(uv_fs_event_start(&event, on_event, "missing", 0)),
          uv_is_active((uv_handle_t *)&event));
    print("start %s", code(uv_fs_event_start(&event, on_event, "inner/file", 0)));
    write_file("inner/file", "y");
    run_until_quiet(&loop);
    print("touch");
    utimensat(AT_FDCWD, "inner/file", NULL, 0);
    run_until_quiet(&loop);
    print("replace");
    write_file("inner/new", "z");
    rename("inner/new", "inner/file");
    run_until_quiet(&loop);
    print("the new file is not watched");
    write_file("inner/file", "y");
    run_until_quiet(&loop);
    print("stop %s", code(uv_fs_event_stop(&event)));
    print("start %s", code(uv_fs_event_start(&event, on_event, "inner/file", 0)));
    unlink("inner/file");
    run_until_quiet(&loop);
    print("active %d", uv_is_active((uv_handle_t *)&event));
    print("close %s", code(close_loop(&loop)));
    return 0;
}

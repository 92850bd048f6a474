/* An event of the watched path itself has the text after the last slash of the path as its name. */
#include "watch_dir.h"

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    print("  '%s' %s%s, %s", name ? name : "null", what & UV_RENAME ? "rename" : "",
          what & UV_CHANGE ? "change" : "", code(status));
    uv_fs_event_stop(event);
}

int main(void) {
    static const char *const paths[] = {".", "watched", "watched/", "./watched", "watched/.",
                                        "watched/.."};
    uv_loop_t loop;

    enter_watch_dir();
    mkdir("watched", 0755);
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(paths); i++) {
        uv_fs_event_t event;
        uv_fs_event_init(&loop, &event);
        print("%s: %s", paths[i], code(uv_fs_event_start(&event, on_event, paths[i], 0)));
        chmod(paths[i], 0700);
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_close((uv_handle_t *)&event, NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        chmod(paths[i], 0755);
    }
    return uv_loop_close(&loop);
}

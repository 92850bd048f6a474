/* needs: mauve */
/* UV_FS_EVENT_RECURSIVE follows directories that are created, moved in, moved inside and moved
 * out. */
#include "watch_dir.h"

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    EXPECT(status, 0);
    EXPECT(what == UV_RENAME || what == UV_CHANGE, 1);
    if (strstr(event_log, name) == NULL) record_event(name);
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;

    enter_watch_dir();
    mkdir("root", 0755);
    mkdir("root/old", 0755);
    mkdir("root/old/deep", 0755);
    mkdir("outside", 0755);
    write_file("outside/child", "x");
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    EXPECT(uv_fs_event_start(&event, on_event, "root", UV_FS_EVENT_RECURSIVE), 0);

    write_file("root/old/deep/file", "x");
    run_until_quiet(&loop);
    EXPECT_EVENTS("old/deep/file ");
    /* All of this happens before the loop runs. */
    mkdir("root/a", 0755);
    mkdir("root/a/b", 0755);
    write_file("root/a/b/c", "x");
    run_until_quiet(&loop);
    EXPECT(strstr(event_log, "a/b/c") != NULL, 1);
    event_log[0] = 0;
    rename("root/old", "root/a/new");
    write_file("root/a/new/deep/file", "y");
    run_until_quiet(&loop);
    EXPECT(strstr(event_log, "a/new/deep/file") != NULL, 1);
    event_log[0] = 0;
    rename("outside", "root/in");
    run_until_quiet(&loop);
    EXPECT(strstr(event_log, "in/child") != NULL, 1);
    rename("root/in", "out");
    run_until_quiet(&loop);
    event_log[0] = 0;
    write_file("out/child", "y");
    run_until_quiet(&loop);
    EXPECT_EVENTS("");
    EXPECT(close_loop(&loop), 0);
    return 0;
}

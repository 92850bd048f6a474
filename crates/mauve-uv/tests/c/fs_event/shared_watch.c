/* Handles that watch the same inode share the path of the first one, even after it is stopped. A
 * change of the attributes of a directory is both a rename and a change. */
#include "watch_dir.h"

static uv_loop_t loop;
static uv_fs_event_t events[4];

static int start_in_callback = -1;

static void start(int index, const char *path);

static void on_event(uv_fs_event_t *handle, const char *name, int change, int status) {
    print("  handle %d: %s %d %s", (int)(handle - events), name, change, code(status));
    int index = start_in_callback;
    start_in_callback = -1;
    if (index >= 0) start(index, "second");
}

static void start(int index, const char *path) {
    char found[64];
    size_t size = sizeof found;
    int result = uv_fs_event_start(&events[index], on_event, path, 0);
    int has = uv_fs_event_getpath(&events[index], found, &size) == 0;
    print("start %d at %s: %s, path %s", index, path, code(result), has ? found : "none");
}

int main(void) {
    enter_watch_dir();
    write_file("first", "x");
    assert(link("first", "second") == 0);
    mkdir("directory", 0755);
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(events); i++) uv_fs_event_init(&loop, &events[i]);

    print("two names of a file");
    start(0, "first");
    start(1, "second");
    start(2, "./first");
    write_file("second", "y");
    run_until_quiet(&loop);
    print("the first one is stopped");
    uv_fs_event_stop(&events[0]);
    start(3, "directory/../second");
    write_file("second", "z");
    run_until_quiet(&loop);
    print("a handle is started in a callback: it runs before those not called yet");
    start_in_callback = 0;
    write_file("second", "z");
    assert(chmod("second", 0600) == 0);
    run_until_quiet(&loop);
    print("all handles are stopped");
    uv_fs_event_stop(&events[0]);
    for (int i = 1; i < 4; i++) uv_fs_event_stop(&events[i]);
    start(1, "second");
    write_file("first", "z");
    run_until_quiet(&loop);

    print("a file that is replaced");
    write_file("new", "n");
    assert(rename("new", "second") == 0);
    run_until_quiet(&loop);
    start(2, "second");
    write_file("second", "o");
    run_until_quiet(&loop);
    unlink("first");
    run_until_quiet(&loop);

    print("attributes of a directory");
    start(0, "directory");
    start(3, ".");
    assert(chmod("directory", 0700) == 0);
    run_until_quiet(&loop);
    print("attributes of a file");
    assert(chmod("second", 0600) == 0);
    run_until_quiet(&loop);
    print("close %s", code(close_loop(&loop)));
    return 0;
}

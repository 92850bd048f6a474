/* needs: mauve */
/* A large tree is watched, and no longer: another watch of the loop neither loses anything nor hears
 * of the many watches that end. */
#include "files.h"

static int events, failures;

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    (void)what;
    if (status != 0) {
        failures++;
    } else if (strcmp(name, "mark") == 0) {
        events++;
    }
}

static void on_tree(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    (void)name;
    (void)what;
    if (status != 0) failures++;
}

static int limit_of(const char *path) {
    int limit = 0;
    FILE *file = fopen(path, "r");
    assert(file != NULL && fscanf(file, "%d", &limit) == 1);
    fclose(file);
    return limit;
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t small, large;
    char name[64];
    int directories = limit_of("/proc/sys/fs/inotify/max_queued_events") + 1000;

    /* Elsewhere there may be room for fewer, or for too many to make here. */
    if (directories > 40000) return 0;
    if (directories > limit_of("/proc/sys/fs/inotify/max_user_watches") / 2) return 0;
    /* In memory if that is possible: a slow disk takes a minute for so many. */
    if (!make_place_in("/dev/shm")) make_place();
    assert(mkdir("small", 0755) == 0);
    assert(mkdir("large", 0755) == 0);
    for (int i = 0; i < directories; i++) {
        if (i % 100 == 0) {
            snprintf(name, sizeof name, "large/%d", i / 100);
            assert(mkdir(name, 0755) == 0);
        }
        snprintf(name, sizeof name, "large/%d/%d", i / 100, i % 100);
        assert(mkdir(name, 0755) == 0);
    }
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &small);
    uv_fs_event_init(&loop, &large);
    EXPECT(uv_fs_event_start(&small, on_event, "small", 0), 0);
    int started = uv_fs_event_start(&large, on_tree, "large", UV_FS_EVENT_RECURSIVE);
    /* Other programs of the same user may have taken the watches. */
    if (started == UV_ENOSPC) return 0;
    EXPECT(started, 0);
    write_file("small/mark", "x");
    EXPECT(uv_fs_event_stop(&large), 0);
    settle(&loop);
    EXPECT(events > 0, 1);
    EXPECT(failures, 0);
    EXPECT(finish(&loop), 0);
    return 0;
}

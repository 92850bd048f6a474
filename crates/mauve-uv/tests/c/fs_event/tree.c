/* needs: mauve */
/* A whole tree: directories that are made, moved in, around and out are followed. */
#include "files.h"

static void on_event(uv_fs_event_t *event, const char *name, int what, int status) {
    (void)event;
    EXPECT(status, 0);
    EXPECT(what == UV_RENAME || what == UV_CHANGE, 1);
    if (strstr(story, name) == NULL) tell(name);
}

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;

    make_place();
    mkdir("root", 0755);
    mkdir("root/old", 0755);
    mkdir("root/old/deep", 0755);
    mkdir("outside", 0755);
    write_file("outside/passenger", "x");
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    EXPECT(uv_fs_event_start(&event, on_event, "root", UV_FS_EVENT_RECURSIVE), 0);

    write_file("root/old/deep/file", "x");
    settle(&loop);
    EXPECT_STORY("old/deep/file ");
    /* All of it before the loop can look. */
    mkdir("root/a", 0755);
    mkdir("root/a/b", 0755);
    write_file("root/a/b/c", "x");
    settle(&loop);
    EXPECT(strstr(story, "a/b/c") != NULL, 1);
    story[0] = 0;
    rename("root/old", "root/a/new");
    write_file("root/a/new/deep/file", "y");
    settle(&loop);
    EXPECT(strstr(story, "a/new/deep/file") != NULL, 1);
    story[0] = 0;
    rename("outside", "root/in");
    settle(&loop);
    EXPECT(strstr(story, "in/passenger") != NULL, 1);
    rename("root/in", "out");
    settle(&loop);
    story[0] = 0;
    write_file("out/passenger", "y");
    settle(&loop);
    EXPECT_STORY("");
    EXPECT(finish(&loop), 0);
    return 0;
}

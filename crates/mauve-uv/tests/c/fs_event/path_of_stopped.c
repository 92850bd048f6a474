/* The path of a handle that watches nothing: an error, and no length. */
#include "../say.h"

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;
    uv_fs_poll_t poll;
    char path[64];
    size_t size = sizeof path;
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    int result = uv_fs_event_getpath(&event, path, &size);
    say("event: %s, size %d", code(result), (int)size);
    size = sizeof path;
    uv_fs_poll_init(&loop, &poll);
    result = uv_fs_poll_getpath(&poll, path, &size);
    say("poll: %s, size %d", code(result), (int)size);
    say("end: %s", code(finish(&loop)));
    return 0;
}

/* uv_fs_event_getpath and uv_fs_poll_getpath of a handle that is not started: an error, and the
 * size is 0. */
#include "../test.h"

int main(void) {
    uv_loop_t loop;
    uv_fs_event_t event;
    uv_fs_poll_t poll;
    char path[64];
    size_t size = sizeof path;
    uv_loop_init(&loop);
    uv_fs_event_init(&loop, &event);
    int result = uv_fs_event_getpath(&event, path, &size);
    print("event: %s, size %d", code(result), (int)size);
    size = sizeof path;
    uv_fs_poll_init(&loop, &poll);
    result = uv_fs_poll_getpath(&poll, path, &size);
    print("poll: %s, size %d", code(result), (int)size);
    print("close: %s", code(close_loop(&loop)));
    return 0;
}

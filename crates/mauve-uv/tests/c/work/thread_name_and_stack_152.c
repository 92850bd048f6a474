/* needs: 1.52 */
/* Name and stack size of the pool threads. */
#include "test.h"

static void on_work(uv_work_t *work) {
    pthread_attr_t attributes;
    size_t size = 0;
    char name[32] = "";

    (void)work;
    pthread_getname_np(pthread_self(), name, sizeof name);
    record_event(name);
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &size);
    EXPECT(size, 8 << 20);
    pthread_attr_destroy(&attributes);
}

int main(void) {
    uv_loop_t loop;
    uv_work_t work;

    uv_loop_init(&loop);
    EXPECT(uv_queue_work(&loop, &work, on_work, NULL), 0);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT_EVENTS("libuv-worker ");
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

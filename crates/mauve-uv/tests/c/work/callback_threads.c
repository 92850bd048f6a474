/* Work runs on a pool thread; the after-work callback runs on the thread of the loop. */
#include "test.h"

static pthread_t main_thread;
static int on_other_thread;

static void on_work(uv_work_t *work) {
    on_other_thread = !pthread_equal(pthread_self(), main_thread);
    *(int *)work->data = 42;
}

static void after_work(uv_work_t *work, int status) {
    print("after: %s, result %d, on another thread %d, callback on this thread %d", code(status),
          *(int *)work->data,
          on_other_thread, pthread_equal(pthread_self(), main_thread));
    print("type %s, loop alive %d", uv_req_type_name(work->type), uv_loop_alive(work->loop));
}

int main(void) {
    uv_loop_t loop;
    uv_work_t work;
    int result = 0;

    main_thread = pthread_self();
    uv_loop_init(&loop);
    memset(&work, 0xa5, sizeof work);
    work.data = &result;
    print("null work callback %s", code(uv_queue_work(&loop, &work, NULL, after_work)));
    print("alive %d", uv_loop_alive(&loop));
    print("queue %s", code(uv_queue_work(&loop, &work, on_work, after_work)));
    print("data %d %d, loop %d", work.data == &result,
          uv_req_get_data((uv_req_t *)&work) == &result, work.loop == &loop);
    print("type %d", uv_req_get_type((uv_req_t *)&work) == UV_WORK);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    result = 0;
    print("null after-work callback %s", code(uv_queue_work(&loop, &work, on_work, NULL)));
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("result %d", result);
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}

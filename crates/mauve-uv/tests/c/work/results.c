/* Work runs on other threads; its end is told on the loop's. */
#include "say.h"

static pthread_t main_thread;
static int elsewhere;

static void on_work(uv_work_t *work) {
    elsewhere = !pthread_equal(pthread_self(), main_thread);
    *(int *)work->data = 42;
}

static void after_work(uv_work_t *work, int status) {
    say("after: %s, result %d, ran elsewhere %d, told here %d", code(status), *(int *)work->data,
        elsewhere, pthread_equal(pthread_self(), main_thread));
    say("type %s, loop alive %d", uv_req_type_name(work->type), uv_loop_alive(work->loop));
}

int main(void) {
    uv_loop_t loop;
    uv_work_t work;
    int result = 0;

    main_thread = pthread_self();
    uv_loop_init(&loop);
    memset(&work, 0xa5, sizeof work);
    work.data = &result;
    say("no work %s", code(uv_queue_work(&loop, &work, NULL, after_work)));
    say("alive %d", uv_loop_alive(&loop));
    say("queue %s", code(uv_queue_work(&loop, &work, on_work, after_work)));
    say("data %d %d, loop %d", work.data == &result,
        uv_req_get_data((uv_req_t *)&work) == &result, work.loop == &loop);
    say("type %d", uv_req_get_type((uv_req_t *)&work) == UV_WORK);
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    result = 0;
    say("nobody to tell %s", code(uv_queue_work(&loop, &work, on_work, NULL)));
    say("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("result %d", result);
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}

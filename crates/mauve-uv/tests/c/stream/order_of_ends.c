/* A peer's end that stands behind its last bytes is told before what an answer to these causes. */
#include "net.h"

static uv_loop_t loop;
static uv_tcp_t server, taken, client;
static uv_connect_t connecting;
static uv_write_t question, answer;
static uv_shutdown_t end;
static uv_timer_t timer;

static void on_written(uv_write_t *request, int status) {
    say("%s written %s", request == &question ? "question" : "answer", code(status));
}

static void on_shutdown(uv_shutdown_t *request, int status) {
    (void)request;
    say("shutdown %s", code(status));
}

static void on_question(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("server reads %s", length_or_code(count));
    if (count < 0) {
        uv_close(HANDLE(stream), NULL);
        return;
    }
    uv_buf_t bytes = uv_buf_init("answer", 6);
    uv_write(&answer, stream, &bytes, 1, on_written);
}

static void on_answer(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("client reads %s", length_or_code(count));
    if (count < 0) uv_close(HANDLE(stream), NULL);
}

/* The question and the end are both there when the server begins to read. */
static void on_timer(uv_timer_t *handle) {
    uv_read_start(STREAM(&taken), on_alloc, on_question);
    uv_close(HANDLE(handle), NULL);
}

static void on_connection(uv_stream_t *stream, int status) {
    assert(status == 0);
    uv_tcp_init(&loop, &taken);
    assert(uv_accept(stream, STREAM(&taken)) == 0);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 20, 0);
    uv_close(HANDLE(stream), NULL);
}

static void on_connect(uv_connect_t *request, int status) {
    uv_buf_t bytes = uv_buf_init("question", 8);
    assert(status == 0);
    uv_write(&question, request->handle, &bytes, 1, on_written);
    uv_shutdown(&end, request->handle, on_shutdown);
    uv_read_start(request->handle, on_alloc, on_answer);
}

int main(void) {
    uv_loop_init(&loop);
    struct sockaddr_in address = serve(&loop, &server, on_connection);
    uv_tcp_init(&loop, &client);
    assert(uv_tcp_connect(&connecting, &client, SOCKADDR(&address), on_connect) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("close %s", code(finish(&loop)));
    return 0;
}

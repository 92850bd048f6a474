/* Uses work, TCP and a timer, and prints one line with the version of the library. */

#include <stdio.h>
#include <string.h>
#include <uv.h>

static uv_loop_t *loop;
static uv_tcp_t server, client, peer;
static uv_timer_t timer;
static char text[64];

static void on_work(uv_work_t *work) {
    work->data = (void *)"work";
}

static void on_timer(uv_timer_t *handle) {
    printf(", timer\n");
    uv_close((uv_handle_t *)handle, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
    (void)handle;
    (void)size;
    *buf = uv_buf_init(text, sizeof text - 1);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
    if (nread > 0) printf(", %.*s", (int)nread, buf->base);
    if (nread >= 0) return;
    uv_close((uv_handle_t *)stream, NULL);
    uv_close((uv_handle_t *)&server, NULL);
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
}

static void on_connection(uv_stream_t *stream, int status) {
    if (status != 0) return;
    uv_tcp_init(loop, &peer);
    uv_accept(stream, (uv_stream_t *)&peer);
    uv_read_start((uv_stream_t *)&peer, on_alloc, on_read);
}

static void on_connect(uv_connect_t *request, int status) {
    uv_buf_t hello = uv_buf_init((char *)"hello over tcp", 14);
    if (status == 0) uv_try_write(request->handle, &hello, 1);
    uv_close((uv_handle_t *)request->handle, NULL);
}

static void after_work(uv_work_t *work, int status) {
    static uv_connect_t request;
    struct sockaddr_in address;
    int length = sizeof address;
    if (status != 0) return;
    printf("%s: %s", uv_version_string(), (char *)work->data);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(loop, &server);
    uv_tcp_bind(&server, (struct sockaddr *)&address, 0);
    uv_listen((uv_stream_t *)&server, 1, on_connection);
    uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length);
    uv_tcp_init(loop, &client);
    uv_tcp_connect(&request, &client, (struct sockaddr *)&address, on_connect);
}

int main(void) {
    static uv_work_t work;
    loop = uv_default_loop();
    uv_queue_work(loop, &work, on_work, after_work);
    uv_run(loop, UV_RUN_DEFAULT);
    return uv_loop_close(loop);
}

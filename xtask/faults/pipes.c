/* Pipes: a named socket, a socket pair that passes a TCP handle, and a plain pipe. */
#include "workload.h"

static uv_loop_t loop;
static uv_pipe_t server, client, peer, sender, receiver, reader, writer;
static uv_tcp_t passed, arrived;
static uv_connect_t connect_request;
static uv_write_t greeting, passing, piped;
static char got[64], got_piped[64];
static int has_arrived;

static void on_write(uv_write_t *write, int status) {
    (void)write;
    reported("write", status);
}

static void send_text(uv_write_t *request, uv_pipe_t *pipe, char *text) {
    uv_buf_t bytes = uv_buf_init(text, strlen(text));
    started("write", uv_write(request, STREAM(pipe), &bytes, 1, on_write));
}

static void on_peer_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count > 0) strncat(got, buffer->base, count);
    if (count < 0 && (count != UV_EOF || strcmp(got, "greeting") != 0)) record_error("read", count);
    if (count >= 0 && strcmp(got, "greeting") != 0) return;
    end_handle(stream);
    end_handle(&server);
    end_handle(&client);
}

static void on_connection(uv_stream_t *stream, int status) {
    if (check("connection", status) != 0) return;
    if (check("pipe_init", uv_pipe_init(&loop, &peer, 0)) != 0) return;
    if (check("accept", uv_accept(stream, STREAM(&peer))) != 0) return end_handle(&peer);
    check("read_start", uv_read_start(STREAM(&peer), on_alloc, on_peer_read));
}

static void on_connect(uv_connect_t *connect, int status) {
    (void)connect;
    reported("connect", status);
    if (status == 0) send_text(&greeting, &client, "greeting");
}

static void named(void) {
    if (check("pipe_init", uv_pipe_init(&loop, &server, 0)) != 0) return;
    if (check("pipe_init", uv_pipe_init(&loop, &client, 0)) != 0) return;
    if (check("bind", uv_pipe_bind(&server, in_folder("socket"))) != 0) return;
    if (check("listen", uv_listen(STREAM(&server), 8, on_connection)) != 0) return;
    operation_named("connect")->started++;
    uv_pipe_connect(&connect_request, &client, in_folder("socket"), on_connect);
}

static void on_passed(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    if (count < 0) {
        record_error("receiver's read", count);
        return end_handle(stream);
    }
    if (count == 0) return;
    int pending = uv_pipe_pending_count((uv_pipe_t *)stream);
    complete("a passed handle", pending == 1);
    if (pending > 0 && check("tcp_init", uv_tcp_init(&loop, &arrived)) == 0) {
        has_arrived = check("accept", uv_accept(stream, STREAM(&arrived))) == 0;
        end_handle(&arrived);
    }
    end_handle(&passed);
    end_handle(&sender);
    end_handle(&receiver);
}

static void pass(void) {
    uv_os_sock_t ends[2];
    struct sockaddr_in address;
    uv_buf_t byte = uv_buf_init("p", 1);
    uv_ip4_addr("127.0.0.1", 0, &address);
    if (check("tcp_init", uv_tcp_init(&loop, &passed)) != 0) return;
    if (check("tcp_bind", uv_tcp_bind(&passed, SOCKADDR(&address), 0)) != 0) return;
    if (check("pipe_init", uv_pipe_init(&loop, &sender, 1)) != 0) return;
    if (check("pipe_init", uv_pipe_init(&loop, &receiver, 1)) != 0) return;
    int flags = UV_NONBLOCK_PIPE;
    if (check("socketpair", uv_socketpair(SOCK_STREAM, 0, ends, flags, flags)) != 0) return;
    if (check("pipe_open", uv_pipe_open(&sender, ends[0])) != 0) return;
    if (check("pipe_open", uv_pipe_open(&receiver, ends[1])) != 0) return;
    check("read_start", uv_read_start(STREAM(&receiver), on_alloc, on_passed));
    int result = uv_write2(&passing, STREAM(&sender), &byte, 1, STREAM(&passed), on_write);
    started("write", result);
}

static void on_piped(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count > 0) strncat(got_piped, buffer->base, count);
    if (count < 0) record_error("reader's read", count);
    if (count >= 0 && strcmp(got_piped, "piped") != 0) return;
    end_handle(stream);
    end_handle(&writer);
}

static void plain(void) {
    uv_file ends[2];
    if (check("pipe_init", uv_pipe_init(&loop, &reader, 0)) != 0) return;
    if (check("pipe_init", uv_pipe_init(&loop, &writer, 0)) != 0) return;
    if (check("pipe", uv_pipe(ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE)) != 0) return;
    if (check("pipe_open", uv_pipe_open(&reader, ends[0])) != 0) return;
    if (check("pipe_open", uv_pipe_open(&writer, ends[1])) != 0) return;
    check("read_start", uv_read_start(STREAM(&reader), on_alloc, on_piped));
    send_text(&piped, &writer, "piped");
}

int main(void) {
    make_folder();
    set_injection(1);
    if (init_loop(&loop)) {
        named();
        pass();
        plain();
        finish_loop(&loop);
        complete("a greeting", strcmp(got, "greeting") == 0);
        complete("a handle", has_arrived);
        complete("bytes of a pipe", strcmp(got_piped, "piped") == 0);
    }
    int code = exit_code();
    remove_folder();
    return code;
}

/* Handles used for something else than what they are in the middle of. */
#include "net.h"

static uv_loop_t loop;
static uv_connect_t connect_;

static void on_connect(uv_connect_t *request, int status) {
    say("  connect %s", code(status));
    state("  ", request->handle);
}

static void on_first(uv_stream_t *stream, int status) {
    uv_tcp_t *peer = malloc(sizeof *peer);
    say("  first %s", code(status));
    uv_tcp_init(&loop, peer);
    say("  accept %s", code(uv_accept(stream, STREAM(peer))));
    uv_close(HANDLE(peer), (uv_close_cb)free);
}

static void on_second(uv_stream_t *stream, int status) {
    say("  second");
    on_first(stream, status);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    say("  read %s", length_or_code(count));
    uv_read_stop(stream);
}

static void turn(void) {
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_tcp_t server, tcp;
    uv_write_t write;
    uv_shutdown_t shut;
    uv_buf_t buffer = uv_buf_init("x", 1);

    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    struct sockaddr_in address = serve(&loop, &server, on_first);

    say("a listening one");
    say("  read_start %s", code(uv_read_start(STREAM(&server), on_alloc, on_read)));
    say("  write %s", code(uv_write(&write, STREAM(&server), &buffer, 1, NULL)));
    say("  try_write %s", code(uv_try_write(STREAM(&server), &buffer, 1)));
    say("  shutdown %s", code(uv_shutdown(&shut, STREAM(&server), NULL)));
    state("  state", &server);

    say("listening again, with another callback");
    say("  listen %s", code(uv_listen(STREAM(&server), 5, on_second)));
    int client = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(client, SOCKADDR(&address), sizeof address) == 0);
    turn();
    close(client);

    say("a connected one");
    int peer = tcp_with_peer(&loop, &tcp);
    say("  connect %s", code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    turn();
    say("  listen %s", code(uv_listen(STREAM(&tcp), 1, on_first)));
    say("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    say("  accept %s", code(uv_accept(STREAM(&tcp), STREAM(&tcp))));
    state("  state", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    close(peer);
    turn();

    say("an unconnected socket");
    uv_tcp_init_ex(&loop, &tcp, AF_INET);
    say("  read_start %s", code(uv_read_start(STREAM(&tcp), on_alloc, on_read)));
    say("  write %s", code(uv_write(&write, STREAM(&tcp), &buffer, 1, NULL)));
    say("  shutdown %s", code(uv_shutdown(&shut, STREAM(&tcp), NULL)));
    say("  connect %s", code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    turn();
    say("  connect again %s", code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    turn();
    uv_close(HANDLE(&tcp), NULL);
    turn();

    say("a listening socket that was opened");
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in own = loopback(0);
    socklen_t length = sizeof own;
    assert(bind(listener, SOCKADDR(&own), sizeof own) == 0);
    assert(listen(listener, 5) == 0);
    getsockname(listener, (struct sockaddr *)&own, &length);
    uv_tcp_init(&loop, &tcp);
    say("  open %s", code(uv_tcp_open(&tcp, listener)));
    say("  listen %s", code(uv_listen(STREAM(&tcp), 5, on_first)));
    state("  state", &tcp);
    client = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(client, SOCKADDR(&own), sizeof own) == 0);
    turn();
    close(client);

    say("a pipe made of a TCP socket");
    int ends[2];
    uv_pipe_t pipe_;
    tcp_sockets(ends);
    uv_pipe_init(&loop, &pipe_, 0);
    say("  open %s", code(uv_pipe_open(&pipe_, ends[0])));
    state("  state", &pipe_);
    say("  try_write %d", uv_try_write(STREAM(&pipe_), &buffer, 1));
    close(ends[1]);
    say("finish %s", code(finish(&loop)));
    return 0;
}

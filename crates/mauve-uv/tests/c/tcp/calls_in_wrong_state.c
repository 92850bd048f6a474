/* Calls that do not fit the state of a handle: reading a listener, connecting a connected socket,
 * and so on. */
#include "net.h"

static uv_loop_t loop;
static uv_connect_t connect_;

static void on_connect(uv_connect_t *request, int status) {
    print("  connect %s", code(status));
    print_stream_state("  ", request->handle);
}

static void on_first(uv_stream_t *stream, int status) {
    uv_tcp_t *peer = malloc(sizeof *peer);
    print("  first %s", code(status));
    uv_tcp_init(&loop, peer);
    print("  accept %s", code(uv_accept(stream, STREAM(peer))));
    uv_close(HANDLE(peer), (uv_close_cb)free);
}

static void on_second(uv_stream_t *stream, int status) {
    print("  second");
    on_first(stream, status);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  read %s", length_or_code(count));
    uv_read_stop(stream);
}

static void run_nowait(void) {
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
}

int main(void) {
    uv_tcp_t server, tcp;
    uv_write_t write;
    uv_shutdown_t shutdown_request;
    uv_buf_t buffer = uv_buf_init("x", 1);

    signal(SIGPIPE, SIG_IGN);
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_first);

    print("listening");
    print("  read_start %s", code(uv_read_start(STREAM(&server), on_alloc, on_read)));
    print("  write %s", code(uv_write(&write, STREAM(&server), &buffer, 1, NULL)));
    print("  try_write %s", code(uv_try_write(STREAM(&server), &buffer, 1)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_request, STREAM(&server), NULL)));
    print_stream_state("  state", &server);

    print("listening again, with another callback");
    print("  listen %s", code(uv_listen(STREAM(&server), 5, on_second)));
    int client = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(client, SOCKADDR(&address), sizeof address) == 0);
    run_nowait();
    close(client);

    print("connected");
    int peer = tcp_with_peer(&loop, &tcp);
    print("  connect %s", code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    run_nowait();
    print("  listen %s", code(uv_listen(STREAM(&tcp), 1, on_first)));
    print("  bind %s", code(uv_tcp_bind(&tcp, SOCKADDR(&address), 0)));
    print("  accept %s", code(uv_accept(STREAM(&tcp), STREAM(&tcp))));
    print_stream_state("  state", &tcp);
    uv_close(HANDLE(&tcp), NULL);
    close(peer);
    run_nowait();

    print("an unconnected socket");
    uv_tcp_init_ex(&loop, &tcp, AF_INET);
    print("  read_start %s", code(uv_read_start(STREAM(&tcp), on_alloc, on_read)));
    print("  write %s", code(uv_write(&write, STREAM(&tcp), &buffer, 1, NULL)));
    print("  shutdown %s", code(uv_shutdown(&shutdown_request, STREAM(&tcp), NULL)));
    print("  connect %s", code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    run_nowait();
    print("  connect again %s",
          code(uv_tcp_connect(&connect_, &tcp, SOCKADDR(&address), on_connect)));
    run_nowait();
    uv_close(HANDLE(&tcp), NULL);
    run_nowait();

    print("a listening socket that was opened");
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in listener_address = loopback(0);
    socklen_t length = sizeof listener_address;
    assert(bind(listener, SOCKADDR(&listener_address), sizeof listener_address) == 0);
    assert(listen(listener, 5) == 0);
    getsockname(listener, (struct sockaddr *)&listener_address, &length);
    uv_tcp_init(&loop, &tcp);
    print("  open %s", code(uv_tcp_open(&tcp, listener)));
    print("  listen %s", code(uv_listen(STREAM(&tcp), 5, on_first)));
    print_stream_state("  state", &tcp);
    client = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(client, SOCKADDR(&listener_address), sizeof listener_address) == 0);
    run_nowait();
    close(client);

    print("a pipe made of a TCP socket");
    int ends[2];
    uv_pipe_t pipe_;
    tcp_sockets(ends);
    uv_pipe_init(&loop, &pipe_, 0);
    print("  open %s", code(uv_pipe_open(&pipe_, ends[0])));
    print_stream_state("  state", &pipe_);
    print("  try_write %d", uv_try_write(STREAM(&pipe_), &buffer, 1));
    close(ends[1]);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}

/* errors: of streams, TCP, pipes and terminals */
#include "errors.h"

static uv_buf_t byte;
static uv_write_t write_request, second_write;
static uv_shutdown_t shutdown_request, second_shutdown;
static uv_connect_t connect_request, second_connect;

static void listening(void) {
    static uv_tcp_t closing, first, second, client;
    static uv_pipe_t unbound, refused;
    OK(uv_tcp_init(loop, &closing));
    uv_close(HANDLE(&closing), NULL);
    FAILS(uv_listen, UV_EINVAL, uv_listen(STREAM(&closing), 1, on_connection));
    OK(uv_pipe_init(loop, &unbound, 0));
    FAILS(uv_listen, UV_EINVAL, uv_listen(STREAM(&unbound), 1, on_connection));

    struct sockaddr_in address = listen_on_loopback(loop, &first, on_connection);
    OK(uv_tcp_init(loop, &second));
    OK(uv_tcp_bind(&second, SOCKADDR(&address), 0));
    struct sockaddr_storage name;
    int length = sizeof name;
    FAILS(uv_tcp_getsockname, UV_EADDRINUSE,
          uv_tcp_getsockname(&second, (struct sockaddr *)&name, &length));
    FAILS(uv_listen, UV_EADDRINUSE, uv_listen(STREAM(&second), 1, on_connection));

    OK(uv_tcp_init(loop, &client));
    FAILS(uv_accept, UV_EAGAIN, uv_accept(STREAM(&first), STREAM(&client)));
    OK(uv_pipe_init(loop, &refused, 0));
    FAILS(uv_accept, UV_EAGAIN, uv_accept(STREAM(&refused), STREAM(&client)));
}

static uv_tcp_t open_client;

static void accept_twice(uv_stream_t *server, int status) {
    (void)status;
    got = uv_accept(server, STREAM(&open_client));
    uv_close(HANDLE(server), NULL);
}

static void accepting(void) {
    static uv_tcp_t server, peer;
    struct sockaddr_in address = listen_on_loopback(loop, &server, accept_twice);
    OK(uv_tcp_init_ex(loop, &open_client, AF_INET));
    OK(uv_tcp_init(loop, &peer));
    OK(uv_tcp_connect(&connect_request, &peer, SOCKADDR(&address), NULL));
    uv_run(loop, UV_RUN_NOWAIT);
    while (!uv_is_closing(HANDLE(&server))) uv_run(loop, UV_RUN_ONCE);
    FAILS(uv_accept, UV_EBUSY, got);
}

static void reading(void) {
    static uv_tcp_t unconnected, closing, stream, reset;
    static uv_pipe_t writing;
    int ends[2];
    OK(uv_tcp_init(loop, &unconnected));
    OK(uv_tcp_init(loop, &closing));
    uv_close(HANDLE(&closing), NULL);
    FAILS(uv_read_start, UV_EINVAL, uv_read_start(STREAM(&unconnected), NULL, on_read));
    FAILS(uv_read_start, UV_EINVAL, uv_read_start(STREAM(&unconnected), on_alloc, NULL));
    FAILS(uv_read_start, UV_EINVAL, uv_read_start(STREAM(&closing), on_alloc, on_read));
    FAILS(uv_read_start, UV_ENOTCONN, uv_read_start(STREAM(&unconnected), on_alloc, on_read));
    OK(pipe(ends));
    OK(uv_pipe_init(loop, &writing, 0));
    OK(uv_pipe_open(&writing, ends[1]));
    FAILS(uv_read_start, UV_ENOTCONN, uv_read_start(STREAM(&writing), on_alloc, on_read));
    close(ends[0]);

    int peer = tcp_with_peer(loop, &stream);
    OK(uv_read_start(STREAM(&stream), no_buffer, on_read));
    FAILS(uv_read_start, UV_EALREADY, uv_read_start(STREAM(&stream), on_alloc, on_read));
    OK(write(peer, "x", 1));
    FAILS(uv_read_start, UV_ENOBUFS, AFTER_RUN(0));
    OK(read(peer, NULL, 0));
    close(peer);
    FAILS(uv_read_start, UV_EOF, AFTER_RUN(uv_read_start(STREAM(&stream), on_alloc, on_read)));
    uv_close(HANDLE(&stream), NULL);

    peer = tcp_with_peer(loop, &reset);
    reset_connection(peer);
    FAILS(uv_read_start, UV_ECONNRESET, AFTER_RUN(uv_read_start(STREAM(&reset), on_alloc, on_read)));
    uv_close(HANDLE(&reset), NULL);
}

static void writing(void) {
    static uv_tcp_t unopened, stream, refused;
    static uv_pipe_t reading, broken, full, closed;
    int ends[2];
    OK(uv_tcp_init(loop, &unopened));
    FAILS(uv_write, UV_EBADF, uv_write(&write_request, STREAM(&unopened), &byte, 1, NULL));
    FAILS(uv_try_write, UV_EBADF, uv_try_write(STREAM(&unopened), &byte, 1));
    FAILS(uv_stream_set_blocking, UV_EBADF, uv_stream_set_blocking(STREAM(&unopened), 1));
    FAILS(uv_shutdown, UV_ENOTCONN, uv_shutdown(&shutdown_request, STREAM(&unopened), NULL));

    OK(pipe(ends));
    OK(uv_pipe_init(loop, &reading, 0));
    OK(uv_pipe_open(&reading, ends[0]));
    FAILS(uv_write, UV_EPIPE, uv_write(&write_request, STREAM(&reading), &byte, 1, NULL));
    FAILS(uv_try_write, UV_EPIPE, uv_try_write(STREAM(&reading), &byte, 1));
    uv_close(HANDLE(&reading), NULL);
    OK(uv_pipe_init(loop, &broken, 0));
    OK(uv_pipe_open(&broken, ends[1]));
    run();
    FAILS(uv_try_write, UV_EPIPE, uv_try_write(STREAM(&broken), &byte, 1));
    FAILS(uv_write, UV_EPIPE,
          AFTER_RUN(uv_write(&write_request, STREAM(&broken), &byte, 1, on_write)));
    uv_close(HANDLE(&broken), NULL);

    int peer = tcp_with_peer(loop, &stream);
    OK(uv_shutdown(&shutdown_request, STREAM(&stream), NULL));
    FAILS(uv_shutdown, UV_ENOTCONN, uv_shutdown(&second_shutdown, STREAM(&stream), NULL));
    FAILS(uv_write, UV_EPIPE, uv_write(&write_request, STREAM(&stream), &byte, 1, NULL));
    run();
    uv_close(HANDLE(&stream), NULL);
    FAILS(uv_shutdown, UV_ENOTCONN, uv_shutdown(&second_shutdown, STREAM(&stream), NULL));
    close(peer);

    /* The peer does not read: the kernel takes some bytes and then no more. */
    peer = pipe_with_peer(loop, &full);
    static char many[1 << 20];
    uv_buf_t large = uv_buf_init(many, sizeof many);
    OK(uv_write(&write_request, STREAM(&full), &large, 1, on_write));
    FAILS(uv_try_write, UV_EAGAIN, uv_try_write(STREAM(&full), &byte, 1));
    OK(uv_shutdown(&shutdown_request, STREAM(&full), on_shutdown));
    uv_close(HANDLE(&full), NULL);
    FAILS(uv_shutdown, UV_ECANCELED, AFTER_RUN(0));
    close(peer);
    peer = pipe_with_peer(loop, &closed);
    OK(uv_write(&write_request, STREAM(&closed), &large, 1, on_write));
    uv_close(HANDLE(&closed), NULL);
    FAILS(uv_write, UV_ECANCELED, AFTER_RUN(0));
    close(peer);

    static uv_tcp_t reset;
    reset_connection(tcp_with_peer(loop, &reset));
    FAILS(uv_write, UV_ECONNRESET,
          AFTER_RUN(uv_write(&write_request, STREAM(&reset), &byte, 1, on_write)));

    struct sockaddr_in nowhere = unused_address();
    OK(uv_tcp_init(loop, &refused));
    OK(uv_tcp_connect(&connect_request, &refused, SOCKADDR(&nowhere), NULL));
    FAILS(uv_try_write, UV_EAGAIN, uv_try_write(STREAM(&refused), &byte, 1));
    FAILS(uv_write, UV_ECANCELED,
          AFTER_RUN(uv_write(&write_request, STREAM(&refused), &byte, 1, on_write)));
}

static void passing_handles(void) {
    static uv_pipe_t plain, unopened, ipc, queued;
    static uv_tcp_t tcp, sent;
    OK(uv_tcp_init(loop, &tcp));
    OK(uv_tcp_init_ex(loop, &sent, AF_INET));
    int peer = pipe_with_peer(loop, &plain);
    FAILS(uv_write2, UV_EINVAL,
          uv_write2(&write_request, STREAM(&plain), &byte, 1, STREAM(&sent), NULL));
    OK(uv_pipe_init(loop, &unopened, 1));
    FAILS(uv_write2, UV_EBADF,
          uv_write2(&write_request, STREAM(&unopened), &byte, 1, STREAM(&sent), NULL));
    int ends[2];
    local_sockets(ends);
    OK(uv_pipe_init(loop, &ipc, 1));
    OK(uv_pipe_open(&ipc, ends[0]));
    FAILS(uv_write2, UV_EBADF, uv_write2(&write_request, STREAM(&ipc), &byte, 1, STREAM(&tcp), NULL));
    FAILS(uv_try_write2, UV_EBADF, uv_try_write2(STREAM(&unopened), &byte, 1, STREAM(&sent)));
    OK(uv_shutdown(&shutdown_request, STREAM(&ipc), NULL));
    FAILS(uv_write2, UV_EPIPE, uv_write2(&write_request, STREAM(&ipc), &byte, 1, STREAM(&sent), NULL));
    run();
    uv_close(HANDLE(&ipc), NULL);
    close(ends[1]);

    local_sockets(ends);
    OK(uv_pipe_init(loop, &queued, 1));
    OK(uv_pipe_open(&queued, ends[0]));
    static char many[1 << 20];
    uv_buf_t large = uv_buf_init(many, sizeof many);
    OK(uv_write(&second_write, STREAM(&queued), &large, 1, NULL));
    OK(uv_write2(&write_request, STREAM(&queued), &byte, 1, STREAM(&sent), on_write));
    FAILS(uv_try_write2, UV_EAGAIN, uv_try_write2(STREAM(&queued), &byte, 1, STREAM(&sent)));
    uv_close(HANDLE(&queued), NULL);
    FAILS(uv_write2, UV_ECANCELED, AFTER_RUN(0));
    close(ends[1]);
    close(peer);
}

static void tcp(void) {
    static uv_tcp_t other, open_tcp, watcher, bound, foreign, unbound, ipv6;
    static uv_tcp_t first, connecting, refused, closed, resetting;
    FAILS(uv_tcp_init_ex, UV_EINVAL, uv_tcp_init_ex(loop, &other, AF_UNIX));
    FAILS(uv_tcp_init_ex, UV_EINVAL, uv_tcp_init_ex(loop, &other, AF_INET | 1 << 8));

    OK(uv_tcp_init_ex(loop, &open_tcp, AF_INET));
    int fd = socket(AF_INET, SOCK_STREAM, 0), peer = tcp_with_peer(loop, &watcher);
    FAILS(uv_tcp_open, UV_EBUSY, uv_tcp_open(&open_tcp, fd));
    close(fd);
    OK(uv_read_start(STREAM(&watcher), on_alloc, on_read));
    OK(uv_fileno(HANDLE(&watcher), &fd));
    OK(uv_tcp_init(loop, &other));
    FAILS(uv_tcp_open, UV_EEXIST, uv_tcp_open(&other, fd));
    FAILS(uv_tcp_open, UV_EBADF, uv_tcp_open(&other, closed_descriptor()));
    uv_close(HANDLE(&watcher), NULL);
    close(peer);
    FAILS(uv_tcp_keepalive, UV_EINVAL, uv_tcp_keepalive(&open_tcp, 1, 0));

    struct sockaddr_in address = loopback(0), wrong = {.sin_family = AF_UNIX};
    struct sockaddr_in6 address6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    OK(uv_ip4_addr("192.0.2.1", 0, &wrong));
    OK(uv_tcp_init(loop, &bound));
    OK(uv_tcp_init(loop, &foreign));
    OK(uv_tcp_init_ex(loop, &ipv6, AF_INET));
    FAILS(uv_tcp_bind, UV_ENOPROTOOPT, uv_tcp_bind(&ipv6, SOCKADDR(&address6), 0));
    FAILS(uv_tcp_bind, UV_EADDRNOTAVAIL, uv_tcp_bind(&foreign, SOCKADDR(&wrong), 0));
    wrong.sin_family = AF_UNIX;
    FAILS(uv_tcp_bind, UV_EINVAL, uv_tcp_bind(&bound, SOCKADDR(&wrong), 0));
    FAILS(uv_tcp_bind, UV_EINVAL, uv_tcp_bind(&bound, SOCKADDR(&address), UV_TCP_IPV6ONLY));
    OK(uv_tcp_bind(&bound, SOCKADDR(&address), 0));
    FAILS(uv_tcp_bind, UV_EINVAL, uv_tcp_bind(&bound, SOCKADDR(&address), 0));

    struct sockaddr_storage name;
    int length = sizeof name;
    OK(uv_tcp_init(loop, &unbound));
    FAILS(uv_tcp_getsockname, UV_EBADF,
          uv_tcp_getsockname(&unbound, (struct sockaddr *)&name, &length));
    FAILS(uv_tcp_getpeername, UV_EBADF,
          uv_tcp_getpeername(&unbound, (struct sockaddr *)&name, &length));
    FAILS(uv_tcp_getpeername, UV_ENOTCONN,
          uv_tcp_getpeername(&bound, (struct sockaddr *)&name, &length));
    length = -1;
    FAILS(uv_tcp_getsockname, UV_EINVAL,
          uv_tcp_getsockname(&bound, (struct sockaddr *)&name, &length));

    struct sockaddr_in nowhere = unused_address();
    OK(uv_tcp_init(loop, &connecting));
    FAILS(uv_tcp_connect, UV_EINVAL,
          uv_tcp_connect(&connect_request, &connecting, SOCKADDR(&wrong), on_connect));
    FAILS(uv_tcp_connect, UV_EAFNOSUPPORT,
          uv_tcp_connect(&connect_request, &open_tcp, SOCKADDR(&address6), on_connect));
    OK(uv_tcp_connect(&connect_request, &connecting, SOCKADDR(&nowhere), on_connect));
    FAILS(uv_tcp_connect, UV_EALREADY,
          uv_tcp_connect(&second_connect, &connecting, SOCKADDR(&nowhere), on_connect));
    FAILS(uv_tcp_connect, UV_ECONNREFUSED, AFTER_RUN(0));
    address = listen_on_loopback(loop, &first, on_connection);
    uv_unref(HANDLE(&first));
    OK(uv_tcp_init(loop, &refused));
    OK(uv_tcp_bind(&refused, SOCKADDR(&address), 0));
    FAILS(uv_tcp_connect, UV_EADDRINUSE,
          AFTER_RUN(uv_tcp_connect(&connect_request, &refused, SOCKADDR(&address), on_connect)));
    static uv_tcp_t unreachable;
    struct sockaddr_in multicast = loopback(9);
    multicast.sin_addr.s_addr = htonl(0xe0000001);
    OK(uv_tcp_init(loop, &unreachable));
    FAILS(uv_tcp_connect, UV_ENETUNREACH,
          uv_tcp_connect(&connect_request, &unreachable, SOCKADDR(&multicast), on_connect));
    OK(uv_tcp_init(loop, &closed));
    OK(uv_tcp_connect(&connect_request, &closed, SOCKADDR(&address), on_connect));
    uv_close(HANDLE(&closed), NULL);
    FAILS(uv_tcp_connect, UV_ECANCELED, AFTER_RUN(0));

    peer = tcp_with_peer(loop, &resetting);
    length = -1;
    FAILS(uv_tcp_getpeername, UV_EINVAL,
          uv_tcp_getpeername(&resetting, (struct sockaddr *)&name, &length));
    OK(uv_shutdown(&shutdown_request, STREAM(&resetting), NULL));
    FAILS(uv_tcp_close_reset, UV_EINVAL, uv_tcp_close_reset(&resetting, NULL));
    run();
    close(peer);
}

static void pipes(void) {
    static uv_pipe_t open_pipe, watcher, bound, second, unopened, client, named, closing;
    int ends[2];
    int peer = pipe_with_peer(loop, &watcher);
    OK(pipe(ends));
    OK(uv_pipe_init(loop, &open_pipe, 0));
    OK(uv_pipe_open(&open_pipe, ends[0]));
    FAILS(uv_pipe_open, UV_EBUSY, uv_pipe_open(&open_pipe, ends[1]));
    close(ends[1]);
    OK(uv_read_start(STREAM(&watcher), on_alloc, on_read));
    OK(uv_pipe_init(loop, &second, 0));
    uv_os_fd_t fd;
    OK(uv_fileno(HANDLE(&watcher), &fd));
    FAILS(uv_pipe_open, UV_EEXIST, uv_pipe_open(&second, fd));
    FAILS(uv_pipe_open, UV_EBADF, uv_pipe_open(&second, closed_descriptor()));
    uv_close(HANDLE(&watcher), NULL);
    close(peer);

    char name[200];
    size_t size = sizeof name;
    OK(uv_pipe_init(loop, &bound, 0));
    OK(uv_pipe_init(loop, &unopened, 0));
    FAILS(uv_pipe_chmod, UV_EBADF, uv_pipe_chmod(&unopened, UV_READABLE));
    FAILS(uv_pipe_chmod, UV_EBADF, uv_pipe_chmod(NULL, UV_READABLE));
    FAILS(uv_pipe_getsockname, UV_EBADF, uv_pipe_getsockname(&unopened, name, &size));
    size = sizeof name;
    FAILS(uv_pipe_getpeername, UV_EBADF, uv_pipe_getpeername(&unopened, name, &size));
    FAILS(uv_pipe_bind, UV_EACCES, uv_pipe_bind(&bound, "missing/socket"));
    OK(uv_pipe_bind(&bound, "socket"));
    FAILS(uv_pipe_bind, UV_EINVAL, uv_pipe_bind(&bound, "another"));
    FAILS(uv_pipe_bind, UV_EADDRINUSE, uv_pipe_bind(&unopened, "socket"));
    FAILS(uv_pipe_chmod, UV_EINVAL, uv_pipe_chmod(&bound, 77));
    size = sizeof name;
    FAILS(uv_pipe_getpeername, UV_ENOTCONN, uv_pipe_getpeername(&bound, name, &size));
    size = 3;
    FAILS(uv_pipe_getsockname, UV_ENOBUFS, uv_pipe_getsockname(&bound, name, &size));

    OK(uv_pipe_init(loop, &client, 0));
    uv_pipe_connect(&connect_request, &client, "missing", on_connect);
    FAILS(uv_pipe_connect, UV_ENOENT, AFTER_RUN(0));
    uv_pipe_connect(&connect_request, &client, "socket", on_connect);
    FAILS(uv_pipe_connect, UV_ECONNREFUSED, AFTER_RUN(0));
    OK(uv_listen(STREAM(&bound), 1, on_connection));
    uv_unref(HANDLE(&bound));
    OK(uv_pipe_init(loop, &named, 0));
    uv_pipe_connect(&connect_request, &named, "socket", on_connect);
    run();
    size = 3;
    FAILS(uv_pipe_getpeername, UV_ENOBUFS, uv_pipe_getpeername(&named, name, &size));
    OK(uv_pipe_init(loop, &closing, 0));
    uv_pipe_connect(&connect_request, &closing, "socket", on_connect);
    uv_close(HANDLE(&closing), NULL);
    FAILS(uv_pipe_connect, UV_ECANCELED, AFTER_RUN(0));
}

static void terminals(void) {
    static uv_tty_t failed[3];
    uv_tty_vtermstate_t state;
    int file = open("regular", O_CREAT | O_RDWR, 0600), null = open("/dev/null", O_RDWR);
    FAILS(uv_tty_init, UV_EINVAL, uv_tty_init(loop, &failed[0], file, 1));
    FAILS(uv_tty_init, UV_EINVAL, uv_tty_init(loop, &failed[1], null, 1));
    FAILS(uv_tty_init, UV_EINVAL, uv_tty_init(loop, &failed[2], closed_descriptor(), 1));
    FAILS(uv_tty_get_vterm_state, UV_ENOTSUP, uv_tty_get_vterm_state(&state));
}

int main(void) {
    begin();
    byte = uv_buf_init("x", 1);
    listening();
    accepting();
    close_loop(loop);
    loop = uv_default_loop();
    reading();
    writing();
    passing_handles();
    tcp();
    pipes();
    terminals();
    return end();
}

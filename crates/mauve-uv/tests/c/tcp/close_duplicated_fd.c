/* env: MAUVE_SELECTOR=epoll */
/* An accepted connection is closed while a forked child or the program has a duplicate of its
 * descriptor. The loop gets no further event for it and does not spin. Other handles keep working,
 * and so does the backend descriptor. */
#include "net.h"

#include <poll.h>
#include <sys/wait.h>

static uv_loop_t *loop;
static uv_tcp_t server, accepted[4];
static uv_signal_t signals;
static uv_prepare_t prepare;
static uv_timer_t timer;
static int peers[4], connections, iterations, duplicate;
static pid_t child;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)buffer;
    print("  connection %d reads %d", (int)((uv_tcp_t *)stream - accepted), (int)count);
}

static void on_prepare(uv_prepare_t *handle) {
    (void)handle;
    iterations++;
}

static void on_signal(uv_signal_t *handle, int signal) {
    (void)handle;
    print("  signal %d", signal == SIGUSR1);
}

static void on_connection(uv_stream_t *stream, int status) {
    uv_tcp_t *tcp = &accepted[connections++];
    assert(status == 0 && uv_tcp_init(loop, tcp) == 0 && uv_accept(stream, STREAM(tcp)) == 0);
    assert(uv_read_start(STREAM(tcp), on_alloc, on_read) == 0);
}

static void on_timer(uv_timer_t *handle) {
    (void)handle;
    uv_stop(loop);
}

static void run_for(int ms) {
    iterations = 0;
    uv_timer_start(&timer, on_timer, ms, 0);
    uv_run(loop, UV_RUN_DEFAULT);
    print("  spins %d", iterations > 50);
}

static void send_to(int index) {
    assert(write(peers[index], "hello", 5) == 5);
}

int main(void) {
    int finished[2];
    loop = uv_default_loop();
    struct sockaddr_in address = listen_on_loopback(loop, &server, on_connection);
    uv_timer_init(loop, &timer);
    uv_prepare_init(loop, &prepare);
    uv_prepare_start(&prepare, on_prepare);
    uv_signal_init(loop, &signals);
    uv_signal_start(&signals, on_signal, SIGUSR1);
    for (int i = 0; i < 4; i++) {
        peers[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(peers[i], SOCKADDR(&address), sizeof address) == 0);
    }
    while (connections < 4) uv_run(loop, UV_RUN_ONCE);
    run_for(20);

    print("a child has duplicates");
    assert(pipe(finished) == 0);
    child = fork();
    if (child == 0) {
        char byte;
        close(finished[1]);
        _exit(read(finished[0], &byte, 1) < 0);
    }
    /* Read from the struct: after uv_backend_fd the descriptor would never be replaced. */
    int backend = loop->backend_fd;
    uv_close(HANDLE(&accepted[0]), NULL);
    send_to(0);
    run_for(50);
    send_to(1);
    kill(getpid(), SIGUSR1);
    run_for(50);
    print("another one that the child has");
    uv_close(HANDLE(&accepted[2]), NULL);
    send_to(2);
    shutdown(peers[2], SHUT_WR);
    run_for(50);

    print("the program has a duplicate");
    uv_os_fd_t fd;
    assert(uv_fileno(HANDLE(&accepted[3]), &fd) == 0);
    duplicate = dup(fd);
    uv_close(HANDLE(&accepted[3]), NULL);
    send_to(3);
    run_for(50);

    print("other handles");
    send_to(1);
    int late = socket(AF_INET, SOCK_STREAM, 0);
    connections = 0;
    assert(connect(late, SOCKADDR(&address), sizeof address) == 0);
    run_for(50);
    print("connections %d", connections);
    struct pollfd nested = {.fd = uv_backend_fd(loop), .events = POLLIN};
    print("the same descriptor %d, not readable %d", nested.fd == backend,
          poll(&nested, 1, 0) == 0);
    send_to(1);
    print("readable %d", poll(&nested, 1, 1000) == 1);
    run_for(20);

    close(finished[1]);
    waitpid(child, NULL, 0);
    close(duplicate);
    print("close %s", code(close_loop(loop)));
    return 0;
}

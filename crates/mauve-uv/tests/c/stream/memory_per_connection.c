/* needs: mauve */
/* A thousand connections use at most 400 bytes each, including uv_tcp_t. */
#include "net.h"

#include <sys/resource.h>

#include "alloc_count.h"

enum { CONNECTIONS = 1000, MOST_BYTES = 400 };

static uv_loop_t loop;
static int accepted;

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    (void)stream, (void)count, (void)buffer;
}

static void on_connection(uv_stream_t *server, int status) {
    uv_tcp_t *tcp = malloc(sizeof *tcp);
    EXPECT(status, 0);
    EXPECT(uv_tcp_init(&loop, tcp), 0);
    EXPECT(uv_accept(server, STREAM(tcp)), 0);
    EXPECT(uv_read_start(STREAM(tcp), on_alloc, on_read), 0);
    accepted++;
}

static void on_close(uv_handle_t *handle) { free(handle); }

static void close_one(uv_handle_t *handle, void *server) {
    uv_close(handle, handle == server ? NULL : on_close);
}

int main(void) {
    static int clients[CONNECTIONS];
    struct rlimit limit;
    uv_tcp_t server;
    int ends[2];

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    EXPECT(limit.rlim_cur >= CONNECTIONS + 64, 1);
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    /* The clients are in another process, so that descriptor numbers are as in a server. */
    EXPECT(pipe(ends), 0);
    fflush(NULL);
    if (fork() == 0) {
        char byte;
        close(ends[1]);
        for (int i = 0; i < CONNECTIONS; i++) {
            clients[i] = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(clients[i], SOCKADDR(&address), sizeof address) != 0) _exit(1);
        }
        _exit(read(ends[0], &byte, 1) != 0);
    }
    long before = allocated_bytes;
    while (accepted < CONNECTIONS) uv_run(&loop, UV_RUN_ONCE);
    uv_run(&loop, UV_RUN_NOWAIT);
    long each = (allocated_bytes - before) / CONNECTIONS;
    fprintf(stderr, "%ld bytes for each connection\n", each);
    EXPECT(each <= MOST_BYTES, 1);
    close(ends[1]);
    uv_walk(&loop, close_one, &server);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}

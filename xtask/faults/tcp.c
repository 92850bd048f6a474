/* An echo server and its clients: connect, accept, write, read, shutdown, close. */
#include "workload.h"

enum { CLIENTS = 4, REPETITIONS = 3, SIZE = 20000 };

typedef struct {
    uv_tcp_t tcp;
    uv_connect_t connect;
    uv_write_t write;
    uv_shutdown_t shutdown;
    int repetitions, has_ended;
    size_t got;
} client;

typedef struct {
    uv_tcp_t tcp;
    uv_shutdown_t shutdown;
} peer;

typedef struct {
    uv_write_t write;
    char bytes[];
} echo;

static uv_loop_t loop;
static uv_tcp_t server;
static client clients[CLIENTS];
static peer peers[CLIENTS];
static char text[SIZE];
static int accepted, ended;

static void on_echoed(uv_write_t *write, int status) {
    reported("echo", status);
    free(write);
}

static void on_peer_shutdown(uv_shutdown_t *shutdown, int status) {
    reported("peer's shutdown", status);
    end_handle(shutdown->handle);
}

static void on_peer_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    peer *one = (peer *)stream;
    if (count == UV_EOF) {
        int result = uv_shutdown(&one->shutdown, stream, on_peer_shutdown);
        if (!started("peer's shutdown", result)) end_handle(stream);
    } else if (count < 0) {
        record_error("peer's read", count);
        end_handle(stream);
    } else if (count > 0) {
        echo *copy = malloc(sizeof *copy + count);
        memcpy(copy->bytes, buffer->base, count);
        uv_buf_t bytes = uv_buf_init(copy->bytes, count);
        if (!started("echo", uv_write(&copy->write, stream, &bytes, 1, on_echoed))) free(copy);
    }
}

static void on_connection(uv_stream_t *stream, int status) {
    if (check("connection", status) != 0) return;
    if (accepted == CLIENTS) return lost("order: more connections than clients");
    peer *one = &peers[accepted++];
    if (check("init", uv_tcp_init(&loop, &one->tcp)) != 0) return;
    if (check("accept", uv_accept(stream, STREAM(&one->tcp))) != 0) return end_handle(&one->tcp);
    if (check("peer's read_start", uv_read_start(STREAM(&one->tcp), on_alloc, on_peer_read)) != 0) {
        end_handle(&one->tcp);
    }
}

static void end_client(client *one) {
    if (one->has_ended) return;
    one->has_ended = 1;
    end_handle(&one->tcp);
    if (++ended == CLIENTS) end_handle(&server);
}

static void on_shutdown(uv_shutdown_t *shutdown, int status) {
    (void)shutdown;
    reported("shutdown", status);
}

static void on_write(uv_write_t *write, int status) {
    reported("write", status);
    if (status != 0) end_client(write->data);
}

static void send_next(client *one) {
    uv_buf_t halves[] = {uv_buf_init(text, SIZE / 2), uv_buf_init(text + SIZE / 2, SIZE / 2)};
    one->write.data = one;
    one->got = 0;
    if (!started("write", uv_write(&one->write, STREAM(&one->tcp), halves, 2, on_write))) {
        end_client(one);
    }
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    client *one = (client *)stream;
    if (count < 0) {
        /* A client sees an unexpected EOF if the server had no descriptor for it. */
        if (count != UV_EOF || one->repetitions < REPETITIONS) record_error("read", count);
        return end_client(one);
    }
    if (count > 0 && memcmp(buffer->base, text + one->got, count) != 0) lost("order of bytes");
    one->got += count;
    if (one->got < SIZE) return;
    if (++one->repetitions < REPETITIONS) return send_next(one);
    if (!started("shutdown", uv_shutdown(&one->shutdown, stream, on_shutdown))) end_client(one);
}

static void on_connect(uv_connect_t *connect, int status) {
    client *one = connect->data;
    reported("connect", status);
    if (status != 0) return end_client(one);
    if (check("read_start", uv_read_start(STREAM(&one->tcp), on_alloc, on_read)) != 0) {
        return end_client(one);
    }
    send_next(one);
}

static int serve(struct sockaddr_in *address) {
    int length = sizeof *address;
    uv_ip4_addr("127.0.0.1", 0, address);
    if (check("server's init", uv_tcp_init(&loop, &server)) != 0) return 0;
    if (check("bind", uv_tcp_bind(&server, SOCKADDR(address), 0)) != 0) return 0;
    if (check("listen", uv_listen(STREAM(&server), 16, on_connection)) != 0) return 0;
    int result = uv_tcp_getsockname(&server, (struct sockaddr *)address, &length);
    return check("getsockname", result) == 0;
}

static void connect_all(const struct sockaddr_in *address) {
    for (int i = 0; i < CLIENTS; i++) {
        client *one = &clients[i];
        one->connect.data = one;
        if (check("init", uv_tcp_init(&loop, &one->tcp)) != 0) {
            one->has_ended = 1;
            if (++ended == CLIENTS) end_handle(&server);
            continue;
        }
        check("nodelay", uv_tcp_nodelay(&one->tcp, 1));
        int result = uv_tcp_connect(&one->connect, &one->tcp, SOCKADDR(address), on_connect);
        if (!started("connect", result)) end_client(one);
    }
}

int main(void) {
    struct sockaddr_in address;
    for (int i = 0; i < SIZE; i++) text[i] = 'a' + i % 23;
    set_injection(1);
    if (!init_loop(&loop)) return exit_code();
    if (serve(&address)) connect_all(&address);
    finish_loop(&loop);
    for (int i = 0; i < CLIENTS; i++) complete("a client's repetitions", clients[i].repetitions == REPETITIONS);
    return exit_code();
}

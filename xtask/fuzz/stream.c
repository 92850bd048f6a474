/* TCP and pipes: connect, accept, read, write, shutdown. */
#include "interp.h"
#include "net.h"

#include <poll.h>
#include <sys/socket.h>

static uv_stream_t *stream_of(struct node *node) { return (uv_stream_t *)&node->uv; }

static bool is_tcp(const struct node *node) { return ((uv_handle_t *)&node->uv)->type == UV_TCP; }

static bool is_tty(const struct node *node) { return ((uv_handle_t *)&node->uv)->type == UV_TTY; }

static bool has_descriptor(const struct node *node) {
    uv_os_fd_t fd;
    return uv_fileno((const uv_handle_t *)&node->uv, &fd) == 0;
}

/* The stream of a slot. Skips the operation and returns NULL if there is none. */
static struct node *stream(const struct op *op, int slot) {
    struct node *node = node_at(op, slot, UV_UNKNOWN_HANDLE);
    if (!node) return NULL;
    uv_handle_type type = ((uv_handle_t *)&node->uv)->type;
    if (type == UV_TCP || type == UV_NAMED_PIPE || type == UV_TTY) return node;
    skip(op);
    return NULL;
}

/* The same, for a stream that is not closing and has no descriptor. */
static struct node *unopened(const struct op *op, int slot) {
    struct node *node = stream(op, slot);
    if (!node) return NULL;
    if (world.slots[slot].state == OPEN && !has_descriptor(node)) return node;
    skip(op);
    return NULL;
}

static void do_tcp_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_tcp_init(&world.loops[op->arg[1]], &node->uv.tcp));
}

static void do_pipe_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (!node) return;
    add_node(op, node, uv_pipe_init(&world.loops[op->arg[1]], &node->uv.pipe, op->arg[2] == 1));
}

/* Connects two unopened pipes with each other. */
static void do_pair(const struct op *op) {
    struct node *one = unopened(op, op->arg[0]);
    struct node *other = one ? unopened(op, op->arg[1]) : NULL;
    if (!other) return;
    if (one == other || is_tcp(one) || is_tcp(other)) {
        skip(op);
        return;
    }
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) _exit(3);
    int results[2] = {uv_pipe_open(&one->uv.pipe, fds[0]), uv_pipe_open(&other->uv.pipe, fds[1])};
    trace_op(op, "%s %s", code(results[0]), code(results[1]));
}

static void name_of(int slot, char *name, size_t size) { snprintf(name, size, "p%d", slot); }

static void on_connection(uv_stream_t *server, int status) {
    struct node *node = node_of(server);
    node->unaccepted = status == 0;
    enter(node, status == 0 ? "connection" : code(status));
    stack.in_socket++;
    run_routine(node->routine);
    stack.in_socket--;
    leave();
}

static void do_listen(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    if (!node) return;
    if (!node->listens) {
        if (!unopened(op, op->arg[0])) return;
        char name[16];
        name_of(op->arg[0], name, sizeof name);
        struct sockaddr_in address;
        uv_ip4_addr("127.0.0.1", 0, &address);
        int result = is_tcp(node)
                         ? uv_tcp_bind(&node->uv.tcp, (const struct sockaddr *)&address, 0)
                         : uv_pipe_bind(&node->uv.pipe, name);
        if (result != 0) {
            trace_op(op, "bind %s", code(result));
            return;
        }
        node->listens = true;
    }
    /* libuv would lose the connection that waits for uv_accept. */
    if (node->unaccepted) {
        skip(op);
        return;
    }
    node->routine = op->arg[1];
    int result = uv_listen(stream_of(node), 8, on_connection);
    trace_result(op, node, result);
}

static void do_accept(const struct op *op) {
    struct node *server = stream(op, op->arg[0]);
    struct node *client = server ? unopened(op, op->arg[1]) : NULL;
    if (!client) return;
    if (!server->listens || server->loop != client->loop || is_tcp(server) != is_tcp(client)) {
        skip(op);
        return;
    }
    int result = uv_accept(stream_of(server), stream_of(client));
    if (result == 0) server->unaccepted = false;
    trace_result(op, client, result);
}

struct connecting {
    uv_connect_t uv;
    int id, routine;
};

static void on_connect(uv_connect_t *request, int status) {
    struct connecting *connecting = (struct connecting *)request;
    int routine = connecting->routine;
    struct node *node = node_of(request->handle);
    enter_request(node, "connect", connecting->id, status);
    free(connecting);
    node->connecting--;
    stack.canceling += status == UV_ECANCELED;
    stack.in_socket++;
    run_routine(routine);
    stack.in_socket--;
    stack.canceling -= status == UV_ECANCELED;
    leave();
}

/* Connects to the address of another slot. */
static void do_connect(const struct op *op) {
    struct node *node = unopened(op, op->arg[0]);
    struct node *to = node ? stream(op, op->arg[1]) : NULL;
    if (!to) return;
    struct sockaddr_in address;
    int length = sizeof address;
    bool tcp = is_tcp(node);
    if (tcp && (!is_tcp(to) || !to->listens ||
                uv_tcp_getsockname(&to->uv.tcp, (struct sockaddr *)&address, &length) != 0)) {
        skip(op);
        return;
    }
    struct connecting *connecting = malloc(sizeof *connecting);
    connecting->id = next_id();
    node->connecting++;
    connecting->routine = op->arg[2];
    int result = 0;
    if (tcp) {
        result = uv_tcp_connect(&connecting->uv, &node->uv.tcp, (struct sockaddr *)&address,
                                on_connect);
    } else {
        char name[16];
        name_of(op->arg[1], name, sizeof name);
        uv_pipe_connect(&connecting->uv, &node->uv.pipe, name, on_connect);
    }
    trace_op(op, "#%d %s [%s]", connecting->id, code(result), flags(node));
    if (result != 0) {
        node->connecting--;
        free(connecting);
        return;
    }
    /* A connect over loopback may take a moment. */
    uv_os_fd_t fd;
    if (tcp && uv_fileno((uv_handle_t *)&node->uv, &fd) == 0) {
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        poll(&ready, 1, TICK_MS / 2);
    }
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
    struct node *node = node_of(handle);
    static const size_t sizes[] = {65536, 16, 1024, 0};
    size_t size = sizes[node->buffer % 4];
    trace("alloc h%d %zu", node->slot, suggested);
    *buf = uv_buf_init(size ? malloc(size) : NULL, (unsigned)size);
}

static void on_read(uv_stream_t *handle, ssize_t nread, const uv_buf_t *buf) {
    struct node *node = node_of(handle);
    char text[80];
    enter_data(node, "read", nread, nread > 0 ? summary(buf->base, (size_t)nread, text) : "");
    free(buf->base);
    /* Without fuel, it would be reported in every iteration. */
    if (nread == UV_ENOBUFS && !has_fuel(node->routine)) uv_read_stop(handle);
    run_routine(node->routine);
    leave();
}

static void do_read_start(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    if (!node) return;
    int result = uv_read_start(stream_of(node), on_alloc, on_read);
    if (result == 0) {
        /* "Events and finished requests of one poll phase" in docs/switching.md: streams that leave
         * data unread after an event, because their buffers are small or empty. */
        bool reads_all = is_tcp(node) || is_tty(node) || has_verb("timeout");
        node->buffer = reads_all ? op->arg[1] % 2 * 2 : op->arg[1];
        node->routine = op->arg[2];
    }
    trace_result(op, node, result);
}

static void do_read_stop(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    if (node) trace_result(op, node, uv_read_stop(stream_of(node)));
}

/* At most what a TCP socket buffer on loopback accepts at once on every machine. */
static const size_t sizes[] = {1, 10, 0, 3000, 8000};

struct writing {
    uv_write_t uv;
    int id, routine;
    char bytes[];
};

static void on_write(uv_write_t *request, int status) {
    struct writing *writing = (struct writing *)request;
    int routine = writing->routine;
    enter_request(node_of(request->handle), "write", writing->id, status);
    free(writing);
    stack.in_socket++;
    run_routine(routine);
    stack.in_socket--;
    leave();
}

static struct writing *new_write(size_t size, int routine) {
    struct writing *writing = malloc(sizeof *writing + size + 1);
    writing->id = next_id();
    writing->routine = routine;
    memset(writing->bytes, 'a' + writing->id % 26, size);
    return writing;
}

static void written(const struct op *op, struct node *node, struct writing *writing, int result) {
    trace_op(op, "#%d %s [%s] queued %zu", writing->id, code(result), flags(node),
             uv_stream_get_write_queue_size(stream_of(node)));
    if (result != 0) free(writing);
    await_loopback((uv_handle_t *)&node->uv);
}

static void do_write(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    if (!node) return;
    /* The kernel passes on the output of a terminal later, so its buffer may be full or not. */
    size_t size = sizes[op->arg[1] % (is_tty(node) ? 3 : 5)];
    struct writing *writing = new_write(size, op->arg[2]);
    /* Two buffers, the first empty if there is one byte. */
    uv_buf_t bufs[] = {uv_buf_init(writing->bytes, (unsigned)(size / 2)),
                       uv_buf_init(writing->bytes + size / 2, (unsigned)(size - size / 2))};
    /* "Several empty buffers in one uv_write" in docs/switching.md. */
    bool empty = size == 0;
    int result = uv_write(&writing->uv, stream_of(node), bufs + empty, 2 - empty, on_write);
    written(op, node, writing, result);
}

/* Writes one byte with a handle. */
static void do_write_handle(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    struct node *sent = node ? stream(op, op->arg[1]) : NULL;
    if (!sent) return;
    /* Not the pipe itself: its peer would then refer to itself and never be closed. */
    if (node == sent || ((uv_handle_t *)&node->uv)->type == UV_TTY) {
        skip(op);
        return;
    }
    struct writing *writing = new_write(1, op->arg[2]);
    uv_buf_t buf = uv_buf_init(writing->bytes, 1);
    int result = uv_write2(&writing->uv, stream_of(node), &buf, 1, stream_of(sent), on_write);
    written(op, node, writing, result);
}

static void do_pending(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_NAMED_PIPE);
    if (!node) return;
    trace_op(op, "%d %s", uv_pipe_pending_count(&node->uv.pipe),
             uv_handle_type_name(uv_pipe_pending_type(&node->uv.pipe)) ?: "none");
}

/* Accepts a handle that was sent. */
static void do_receive(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_NAMED_PIPE);
    struct node *into = node ? unopened(op, op->arg[1]) : NULL;
    if (!into) return;
    uv_handle_type type = uv_pipe_pending_type(&node->uv.pipe);
    if (node->listens || node->loop != into->loop || type != ((uv_handle_t *)&into->uv)->type) {
        skip(op);
        return;
    }
    trace_result(op, into, uv_accept(stream_of(node), stream_of(into)));
}

static void do_try_write(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    if (!node) return;
    /* In the callback of a cancelled connect, libuv still treats the handle as connecting. */
    if (stack.canceling > 0) {
        skip(op);
        return;
    }
    size_t size = sizes[op->arg[1] % (is_tty(node) ? 3 : 5)];
    char bytes[8000];
    memset(bytes, 'A' + next_id() % 26, size);
    uv_buf_t buf = uv_buf_init(bytes, (unsigned)size);
    trace_result(op, node, uv_try_write(stream_of(node), &buf, 1));
    await_loopback((uv_handle_t *)&node->uv);
}

struct shutting {
    uv_shutdown_t uv;
    int id, routine;
};

static void on_shutdown(uv_shutdown_t *request, int status) {
    struct shutting *shutting = (struct shutting *)request;
    int routine = shutting->routine;
    enter_request(node_of(request->handle), "shutdown", shutting->id, status);
    free(shutting);
    run_routine(routine);
    leave();
}

static void do_shutdown(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    if (!node) return;
    /* "uv_shutdown while connecting" in docs/switching.md. */
    if (node->connecting > 0) {
        skip(op);
        return;
    }
    struct shutting *shutting = malloc(sizeof *shutting);
    shutting->id = next_id();
    shutting->routine = op->arg[1];
    int result = uv_shutdown(&shutting->uv, stream_of(node), on_shutdown);
    trace_op(op, "#%d %s [%s]", shutting->id, code(result), flags(node));
    if (result != 0) free(shutting);
}

static void do_reset(const struct op *op) {
    struct node *node = node_at(op, op->arg[0], UV_TCP);
    if (!node) return;
    if (world.slots[op->arg[0]].state == CLOSING || !has_descriptor(node)) {
        skip(op);
        return;
    }
    int result = reset_node(node, op->arg[1]);
    trace_op(op, "%s", code(result));
}

static void do_stream_state(const struct op *op) {
    struct node *node = stream(op, op->arg[0]);
    if (!node) return;
    uv_stream_t *stream = stream_of(node);
    trace_op(op, "[%s] %s%s%s queued %zu", flags(node), uv_is_readable(stream) ? "readable " : "",
             uv_is_writable(stream) ? "writable " : "", has_descriptor(node) ? "open" : "no fd",
             uv_stream_get_write_queue_size(stream));
}

const struct verb stream_verbs[] = {
    {"tcp_init", "hl", do_tcp_init},
    {"pipe_init", "hln", do_pipe_init},
    {"pair", "hh", do_pair},
    {"listen", "hr", do_listen},
    {"accept", "hh", do_accept},
    {"connect", "hhr", do_connect},
    {"read_start", "hnr", do_read_start},
    {"read_stop", "h", do_read_stop},
    {"write", "hnr", do_write},
    {"write_handle", "hhr", do_write_handle},
    {"pending", "h", do_pending},
    {"receive", "hh", do_receive},
    {"try_write", "hn", do_try_write},
    {"shutdown", "hr", do_shutdown},
    {"tcp_close_reset", "hr", do_reset},
    {"stream_state", "h", do_stream_state},
    {NULL, NULL, NULL},
};

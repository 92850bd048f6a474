/* UDP sockets on the loopback interface. */
#include "interp.h"
#include "net.h"

static struct node *udp(const struct op *op, int slot) { return node_at(op, slot, UV_UDP); }

static void do_init(const struct op *op) {
    struct node *node = new_node(op, op->arg[0], op->arg[1]);
    if (node) add_node(op, node, uv_udp_init(&world.loops[op->arg[1]], &node->uv.udp));
}

static bool address_of(const struct node *node, struct sockaddr_in *address) {
    int length = sizeof *address;
    return uv_udp_getsockname(&node->uv.udp, (struct sockaddr *)address, &length) == 0 &&
           address->sin_port != 0;
}

static void do_bind(const struct op *op) {
    struct node *node = udp(op, op->arg[0]);
    if (!node) return;
    struct sockaddr_in address;
    /* The result of a second bind depends on the port. */
    if (world.slots[op->arg[0]].state == CLOSING || address_of(node, &address)) {
        skip(op);
        return;
    }
    uv_ip4_addr("127.0.0.1", 0, &address);
    trace_result(op, node, uv_udp_bind(&node->uv.udp, (struct sockaddr *)&address, 0));
}

/* Connects to the address of another slot. */
static void do_connect(const struct op *op) {
    struct node *node = udp(op, op->arg[0]);
    struct node *to = node ? udp(op, op->arg[1]) : NULL;
    if (!to) return;
    struct sockaddr_in address;
    if (world.slots[op->arg[0]].state == CLOSING || !address_of(to, &address)) {
        skip(op);
        return;
    }
    trace_result(op, node, uv_udp_connect(&node->uv.udp, (struct sockaddr *)&address));
}

static void do_disconnect(const struct op *op) {
    struct node *node = udp(op, op->arg[0]);
    if (!node || world.slots[op->arg[0]].state == CLOSING) return;
    trace_result(op, node, uv_udp_connect(&node->uv.udp, NULL));
}

/* The slot of the socket that is bound to the port. */
static int slot_at(const struct sockaddr *from) {
    const struct sockaddr_in *address = (const struct sockaddr_in *)from;
    for (int i = 0; i < SLOTS; i++) {
        if (!owns_slot(i)) continue;
        struct node *node = world.slots[i].node;
        struct sockaddr_in own;
        if (world.slots[i].state != OPEN || ((uv_handle_t *)&node->uv)->type != UV_UDP) continue;
        if (address_of(node, &own) && own.sin_port == address->sin_port) return i;
    }
    return -1;
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
    struct node *node = node_of(handle);
    size_t size = node->buffer == 1 ? 16 : node->buffer == 2 ? 0 : suggested;
    trace("alloc h%d %zu", node->slot, suggested);
    *buf = uv_buf_init(size ? malloc(size) : NULL, (unsigned)size);
}

static void on_recv(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf,
                    const struct sockaddr *from, unsigned flag) {
    struct node *node = node_of(handle);
    char text[80], data[140] = "";
    if (from) {
        const char *what = nread > 0 ? summary(buf->base, (size_t)nread, text) : "";
        snprintf(data, sizeof data, "%s from h%d flags %u", what, slot_at(from), flag);
    }
    enter_data(node, "recv", nread, data);
    free(buf->base);
    if (nread == UV_ENOBUFS && !has_fuel(node->routine)) uv_udp_recv_stop(handle);
    run_routine(node->routine);
    leave();
}

static void do_recv_start(const struct op *op) {
    struct node *node = udp(op, op->arg[0]);
    if (!node) return;
    /* libuv does not check for a closing handle, and would create a socket. */
    if (world.slots[op->arg[0]].state == CLOSING) {
        skip(op);
        return;
    }
    int result = uv_udp_recv_start(&node->uv.udp, on_alloc, on_recv);
    if (result == 0) {
        node->buffer = op->arg[1];
        node->routine = op->arg[2];
    }
    trace_result(op, node, result);
}

static void do_recv_stop(const struct op *op) {
    struct node *node = udp(op, op->arg[0]);
    if (node) trace_result(op, node, uv_udp_recv_stop(&node->uv.udp));
}

struct sending {
    uv_udp_send_t uv;
    int id, routine;
    char bytes[40];
};

static void on_send(uv_udp_send_t *request, int status) {
    struct sending *sending = (struct sending *)request;
    int routine = sending->routine;
    enter_request(node_of(request->handle), "send", sending->id, status);
    free(sending);
    stack.in_socket++;
    run_routine(routine);
    stack.in_socket--;
    leave();
}

static const size_t sizes[] = {1, 20, 0};

/* Sends to the address of another slot. The slot itself means the connected peer. */
static void do_send(const struct op *op) {
    struct node *node = udp(op, op->arg[0]);
    struct node *to = node ? udp(op, op->arg[1]) : NULL;
    if (!to) return;
    struct sockaddr_in address;
    if (world.slots[op->arg[0]].state == CLOSING || (to != node && !address_of(to, &address))) {
        skip(op);
        return;
    }
    struct sending *sending = malloc(sizeof *sending);
    sending->id = next_id();
    sending->routine = op->arg[3];
    size_t size = sizes[op->arg[2] % 3];
    memset(sending->bytes, 'a' + sending->id % 26, size);
    uv_buf_t buf = uv_buf_init(sending->bytes, (unsigned)size);
    const struct sockaddr *where = to == node ? NULL : (const struct sockaddr *)&address;
    int result = uv_udp_send(&sending->uv, &node->uv.udp, &buf, 1, where, on_send);
    trace_op(op, "#%d %s [%s] queued %zu %zu", sending->id, code(result), flags(node),
             uv_udp_get_send_queue_size(&node->uv.udp), uv_udp_get_send_queue_count(&node->uv.udp));
    if (result != 0) free(sending);
}

static void do_try_send(const struct op *op) {
    struct node *node = udp(op, op->arg[0]);
    struct node *to = node ? udp(op, op->arg[1]) : NULL;
    if (!to) return;
    struct sockaddr_in address;
    if (world.slots[op->arg[0]].state == CLOSING || (to != node && !address_of(to, &address))) {
        skip(op);
        return;
    }
    char bytes[40];
    size_t size = sizes[op->arg[2] % 3];
    memset(bytes, 'A' + next_id() % 26, size);
    uv_buf_t buf = uv_buf_init(bytes, (unsigned)size);
    const struct sockaddr *where = to == node ? NULL : (const struct sockaddr *)&address;
    trace_result(op, node, uv_udp_try_send(&node->uv.udp, &buf, 1, where));
}

const struct verb udp_verbs[] = {
    {"udp_init", "hl", do_init},
    {"udp_bind", "h", do_bind},
    {"udp_connect", "hh", do_connect},
    {"udp_disconnect", "h", do_disconnect},
    {"recv_start", "hnr", do_recv_start},
    {"recv_stop", "h", do_recv_stop},
    {"send", "hhnr", do_send},
    {"try_send", "hhn", do_try_send},
    {NULL, NULL, NULL},
};

/* Requests on the thread pool, which has one thread. They are finished when the operation returns,
 * unless the script has blocked the pool. */
#include "interp.h"

#include <netdb.h>
#include <semaphore.h>

enum { PENDING = 32 };

struct request {
    int id, loop, routine;
    bool cancelled;
    union {
        uv_req_t any;
        uv_work_t work;
        uv_random_t random;
        uv_getaddrinfo_t getaddrinfo;
        uv_getnameinfo_t getnameinfo;
    } uv;
    char bytes[16];
};

/* Pending requests, by id, for cancellation. */
static struct request *pending[PENDING];

static sem_t gate;
static int blocked;

static struct request *begin(const struct op *op, int loop, int routine) {
    (void)op;
    struct request *request = malloc(sizeof *request);
    memset(request, 0xa5, sizeof *request);
    request->id = next_id();
    request->loop = loop;
    request->routine = routine;
    request->cancelled = false;
    request->uv.any.data = request;
    return request;
}

static void submitted(const struct op *op, struct request *request, int result) {
    trace_op(op, "#%d %s", request->id, code(result));
    if (result != 0) {
        free(request);
        return;
    }
    if (lane < 0) pending[request->id % PENDING] = request;
    if (blocked == 0) drain_kernel();
}

static void finish(void *of, const char *what, int status, const char *more) {
    struct request *request = ((uv_req_t *)of)->data;
    int routine = request->routine, loop = request->loop;
    if (pending[request->id % PENDING] == request) pending[request->id % PENDING] = NULL;
    enter_plain(request->loop, "%s #%d %s%s", what, request->id, code(status), more);
    free(request);
    world.in_async[loop]++;
    run_routine(routine);
    world.in_async[loop]--;
    leave();
}

static void work(uv_work_t *request) { (void)request; }

static void after_work(uv_work_t *request, int status) { finish(request, "work", status, ""); }

static void do_work(const struct op *op) {
    if (!may_use_pool(op, op->arg[0])) return;
    struct request *request = begin(op, op->arg[0], op->arg[1]);
    uv_loop_t *loop = &world.loops[op->arg[0]];
    submitted(op, request, uv_queue_work(loop, &request->uv.work, work, after_work));
}

static void wait_at_gate(uv_work_t *request) {
    (void)request;
    while (sem_wait(&gate) != 0) continue;
}

/* Blocks the pool's thread until `pool_unblock`. */
static void do_block(const struct op *op) {
    if (!may_use_pool(op, op->arg[0])) return;
    if (blocked > 0) {
        skip(op);
        return;
    }
    struct request *request = begin(op, op->arg[0], op->arg[1]);
    uv_loop_t *loop = &world.loops[op->arg[0]];
    sem_init(&gate, 0, 0);
    int result = uv_queue_work(loop, &request->uv.work, wait_at_gate, after_work);
    submitted(op, request, result);
    blocked = result == 0;
}

void unblock_pool(void) {
    if (blocked == 0) return;
    blocked = 0;
    sem_post(&gate);
    drain_kernel();
}

static void do_unblock(const struct op *op) {
    trace_op(op, "%d", blocked);
    unblock_pool();
}

static void on_random(uv_random_t *request, int status, void *bytes, size_t length) {
    char text[20];
    (void)bytes;
    snprintf(text, sizeof text, " %zu", length);
    finish(request, "random", status, text);
}

static void do_random(const struct op *op) {
    if (!may_use_pool(op, op->arg[0])) return;
    struct request *request = begin(op, op->arg[0], op->arg[1]);
    submitted(op, request,
          uv_random(&world.loops[op->arg[0]], &request->uv.random, request->bytes,
                    sizeof request->bytes, 0, on_random));
}

static void on_address(uv_getaddrinfo_t *request, int status, struct addrinfo *result) {
    char text[40] = "";
    if (result) {
        text[0] = ' ';
        uv_ip4_name((struct sockaddr_in *)result->ai_addr, text + 1, sizeof text - 1);
    }
    uv_freeaddrinfo(result);
    finish(request, "address", status, text);
}

static void do_getaddrinfo(const struct op *op) {
    if (!may_use_pool(op, op->arg[0])) return;
    struct request *request = begin(op, op->arg[0], op->arg[1]);
    struct addrinfo hints = {
        .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    const char *name = op->arg[2] == 0 ? "127.0.0.1" : "not-a-number";
    submitted(op, request,
          uv_getaddrinfo(&world.loops[op->arg[0]], &request->uv.getaddrinfo, on_address, name, "80",
                         &hints));
}

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
    char text[80] = "";
    if (status == 0) snprintf(text, sizeof text, " %s %s", host, service);
    finish(request, "name", status, text);
}

static void do_getnameinfo(const struct op *op) {
    if (!may_use_pool(op, op->arg[0])) return;
    struct request *request = begin(op, op->arg[0], op->arg[1]);
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 80, &address);
    submitted(op, request,
          uv_getnameinfo(&world.loops[op->arg[0]], &request->uv.getnameinfo, on_name,
                         (const struct sockaddr *)&address, NI_NUMERICHOST | NI_NUMERICSERV));
}

/* Cancels the newest request, after skipping `back` newer ones. */
static void do_cancel(const struct op *op) {
    for (int i = 0, back = op->arg[0]; i < PENDING; i++) {
        struct request *newest = NULL;
        for (int at = 0; at < PENDING; at++) {
            struct request *one = pending[at];
            if (one && (!newest || one->id > newest->id)) newest = one;
        }
        if (!newest) break;
        if (back-- > 0) {
            pending[newest->id % PENDING] = NULL;
            continue;
        }
        /* "A request that is cancelled twice" in docs/switching.md. */
        if (newest->cancelled) break;
        int result = uv_cancel(&newest->uv.any);
        newest->cancelled = result == 0;
        trace_op(op, "#%d %s", newest->id, code(result));
        return;
    }
    skip(op);
}

const struct verb work_verbs[] = {
    {"work", "lr", do_work},
    {"pool_block", "lr", do_block},
    {"pool_unblock", "", do_unblock},
    {"random", "lr", do_random},
    {"getaddrinfo", "lrn", do_getaddrinfo},
    {"getnameinfo", "lr", do_getnameinfo},
    {"cancel", "n", do_cancel},
    {NULL, NULL, NULL},
};

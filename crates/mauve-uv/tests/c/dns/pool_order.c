/* Name resolution and other work on a pool of one thread: the order in which they complete. */
#include "test.h"

#include <netdb.h>
#include <netinet/in.h>

enum { MANY = 24 };

static uv_loop_t loop;
static uv_sem_t started, unblocked[MANY];
static uv_work_t works[MANY];
static uv_getnameinfo_t names[MANY];
static int blocks[MANY];

/* Replaces getnameinfo of libc. Blocks until unblock() is called. The port is the request number. */
int getnameinfo(const struct sockaddr *address, socklen_t length, char *host, socklen_t host_length,
                char *service, socklen_t service_length, int flags) {
    int number = ntohs(((const struct sockaddr_in *)address)->sin_port);
    (void)length, (void)host_length, (void)service_length, (void)flags;
    uv_sem_post(&started);
    if (blocks[number]) uv_sem_wait(&unblocked[number]);
    host[0] = service[0] = 0;
    return 0;
}

static void on_worker(uv_work_t *work) {
    uv_sem_post(&started);
    if (blocks[work - works]) uv_sem_wait(&unblocked[work - works]);
}

static void after_work(uv_work_t *work, int status) {
    print("  work %d: %s", (int)(work - works), code(status));
}

static void on_name(uv_getnameinfo_t *name, int status, const char *host, const char *service) {
    (void)host, (void)service;
    print("  name %d: %s", (int)(name - names), code(status));
}

static void work(int number, int blocking) {
    blocks[number] = blocking;
    assert(uv_queue_work(&loop, &works[number], on_worker, after_work) == 0);
}

static void name(int number, int blocking) {
    struct sockaddr_in address;
    blocks[number] = blocking;
    assert(uv_ip4_addr("127.0.0.1", number, &address) == 0);
    assert(uv_getnameinfo(&loop, &names[number], on_name, (void *)&address, 0) == 0);
}

static void wait_for_start(int count) {
    while (count-- > 0) uv_sem_wait(&started);
}

static void unblock(int number) {
    uv_sem_post(&unblocked[number]);
}

/* Each letter is a request: `n` resolves a name, `w` is other work. Request 0 blocks the thread. */
static void sequence(const char *requests) {
    print("%s", requests);
    work(0, 1);
    wait_for_start(1);
    for (int i = 1; requests[i - 1]; i++)
        if (requests[i - 1] == 'n') name(i, 0);
        else work(i, 0);
    unblock(0);
    uv_run(&loop, UV_RUN_DEFAULT);
    wait_for_start((int)strlen(requests));
}

int main(void) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    assert(uv_loop_init(&loop) == 0 && uv_sem_init(&started, 0) == 0);
    for (int i = 0; i < MANY; i++) uv_sem_init(&unblocked[i], 0);
    static const char *all[] = {"n", "nw", "wn", "nnw", "nnww", "wnnwn", "nwnwnw", "nnnwww", "nwwnwwnnw"};
    for (size_t i = 0; i < COUNT(all); i++) sequence(all[i]);

    print("a name while another is resolved");
    work(0, 1), wait_for_start(1);
    name(1, 1), name(2, 0), unblock(0), wait_for_start(1);
    work(3, 0), unblock(1);
    uv_run(&loop, UV_RUN_DEFAULT);
    wait_for_start(2);

    print("a cancelled name");
    work(0, 1), wait_for_start(1);
    name(1, 0), work(2, 0), name(3, 0), work(4, 0);
    print("  cancel: %s", code(uv_cancel((uv_req_t *)&names[1])));
    unblock(0);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

/* The thread pool: work, cancellation, getaddrinfo, getnameinfo, random bytes, stat. */
#include "workload.h"

#include <netdb.h>

enum { WORK = 8 };

static uv_loop_t loop;
static uv_work_t work[WORK];
static uv_getaddrinfo_t addresses;
static uv_getnameinfo_t name;
static uv_random_t random_request;
static uv_fs_t stat_request;
static int done[WORK];
static char bytes[64];

static void do_work(uv_work_t *request) { done[request - work]++; }

static void on_work(uv_work_t *request, int status) {
    if (status == UV_ECANCELED) {
        operation_named("work")->reported++;
        if (done[request - work] != 0) lost("order: cancelled work was done");
        return;
    }
    reported("work", status);
    if (status == 0 && done[request - work] != 1) lost("work: it was not done once");
}

static void on_addresses(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
    (void)request;
    reported("getaddrinfo", status);
    if (status == 0 && found == NULL) lost("addresses");
    uv_freeaddrinfo(found);
}

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
    (void)request;
    (void)service;
    reported("getnameinfo", status);
    if (status == 0 && host == NULL) lost("a name");
}

static void on_random(uv_random_t *request, int status, void *buffer, size_t length) {
    (void)request;
    (void)buffer;
    (void)length;
    reported("random", status);
}

static void on_stat(uv_fs_t *request) {
    reported("stat", request->result);
    uv_fs_req_cleanup(request);
}

int main(void) {
    struct sockaddr_in address;
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    setenv("UV_THREADPOOL_SIZE", "2", 1);
    uv_ip4_addr("127.0.0.1", 80, &address);
    set_injection(1);
    if (!init_loop(&loop)) return exit_code();
    for (int i = 0; i < WORK; i++) {
        started("work", uv_queue_work(&loop, &work[i], do_work, on_work));
    }
    uv_cancel((uv_req_t *)&work[WORK - 1]);
    int flags = NI_NUMERICHOST | NI_NUMERICSERV;
    int result = uv_getaddrinfo(&loop, &addresses, on_addresses, "localhost", NULL, &hints);
    started("getaddrinfo", result);
    result = uv_getnameinfo(&loop, &name, on_name, SOCKADDR(&address), flags);
    started("getnameinfo", result);
    result = uv_random(&loop, &random_request, bytes, sizeof bytes, 0, on_random);
    started("random", result);
    started("stat", uv_fs_stat(&loop, &stat_request, "/", on_stat));
    finish_loop(&loop);
    return exit_code();
}

/* uv_cancel of uv_getaddrinfo and uv_getnameinfo while the only pool thread is busy. */
#include "test.h"

#include <arpa/inet.h>
#include <netdb.h>

static uv_sem_t block;

static void wait_on_pool(uv_work_t *work) {
    (void)work;
    uv_sem_wait(&block);
}

static void after_wait(uv_work_t *work, int status) {
    (void)work;
    print("work: %s", code(status));
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
    print("addresses: %s, list %d, stored %d", code(status), list != NULL,
          request->addrinfo != NULL);
}

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
    (void)request;
    print("name: %s, host %d, service %d", code(status), host != NULL, service != NULL);
}

int main(void) {
    struct sockaddr_in address;
    uv_getaddrinfo_t addresses;
    uv_getnameinfo_t name;
    uv_work_t work;
    uv_loop_t loop;

    putenv("UV_THREADPOOL_SIZE=1");
    uv_loop_init(&loop);
    uv_sem_init(&block, 0);
    uv_ip4_addr("127.0.0.1", 80, &address);
    uv_queue_work(&loop, &work, wait_on_pool, after_wait);
    print("start: %s",
          code(uv_getaddrinfo(&loop, &addresses, on_resolved, "127.0.0.1", NULL, NULL)));
    print("start: %s", code(uv_getnameinfo(&loop, &name, on_name, (void *)&address, 0)));
    print("cancel: %s", code(uv_cancel((uv_req_t *)&addresses)));
    print("again: %s", code(uv_cancel((uv_req_t *)&addresses)));
    print("run once: %d", uv_run(&loop, UV_RUN_ONCE));
    print("cancel: %s", code(uv_cancel((uv_req_t *)&name)));
    print("run once: %d", uv_run(&loop, UV_RUN_ONCE));
    uv_sem_post(&block);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

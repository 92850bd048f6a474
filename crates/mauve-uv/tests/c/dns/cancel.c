/* Questions to the resolver that are taken back while the only thread is busy. */
#include "say.h"

#include <arpa/inet.h>
#include <netdb.h>

static uv_sem_t block;

static void wait(uv_work_t *work) {
    (void)work;
    uv_sem_wait(&block);
}

static void done(uv_work_t *work, int status) {
    (void)work;
    say("work: %s", code(status));
}

static void on_found(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
    say("addresses: %s, list %d, stored %d", code(status), list != NULL,
        request->addrinfo != NULL);
}

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
    (void)request;
    say("name: %s, host %d, service %d", code(status), host != NULL, service != NULL);
}

int main(void) {
    struct sockaddr_in address;
    uv_getaddrinfo_t found;
    uv_getnameinfo_t name;
    uv_work_t work;
    uv_loop_t loop;

    putenv("UV_THREADPOOL_SIZE=1");
    uv_loop_init(&loop);
    uv_sem_init(&block, 0);
    uv_ip4_addr("127.0.0.1", 80, &address);
    uv_queue_work(&loop, &work, wait, done);
    say("start: %s", code(uv_getaddrinfo(&loop, &found, on_found, "127.0.0.1", NULL, NULL)));
    say("start: %s", code(uv_getnameinfo(&loop, &name, on_name, (void *)&address, 0)));
    say("cancel: %s", code(uv_cancel((uv_req_t *)&found)));
    say("again: %s", code(uv_cancel((uv_req_t *)&found)));
    say("run once: %d", uv_run(&loop, UV_RUN_ONCE));
    say("cancel: %s", code(uv_cancel((uv_req_t *)&name)));
    say("run once: %d", uv_run(&loop, UV_RUN_ONCE));
    uv_sem_post(&block);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

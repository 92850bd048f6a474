/* uv_getnameinfo, synchronous and on the pool. No query reaches the network. */
#include "test.h"

#include <arpa/inet.h>
#include <netdb.h>

static uv_loop_t loop;

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
    print("%s: %s, %s %s, own buffers %d %d", (char *)request->data, code(status),
          host ? host : "-",
          service ? service : "-", host == request->host, service == request->service);
}

static void resolve_sync(const char *what, const void *address, int flags) {
    uv_getnameinfo_t request;
    int result = uv_getnameinfo(&loop, &request, NULL, address, flags);
    print("%s: %s", what, code(result));
    if (result == 0) print("  %s %s", request.host, request.service);
}

int main(void) {
    const int numbers = NI_NUMERICHOST | NI_NUMERICSERV;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr other = {.sa_family = AF_UNIX};
    uv_getnameinfo_t request, second;

    uv_loop_init(&loop);
    uv_ip4_addr("127.0.0.1", 80, &four);
    uv_ip6_addr("::1", 443, &six);
    resolve_sync("numbers", &four, numbers);
    resolve_sync("numbers, six", &six, numbers);
    resolve_sync("service", &four, NI_NUMERICHOST);
    resolve_sync("service of datagrams", &four, NI_NUMERICHOST | NI_DGRAM);
    resolve_sync("host", &four, NI_NUMERICSERV);
    resolve_sync("flags", &four, 0x40000000);
    resolve_sync("other family", &other, numbers);
    resolve_sync("no address", NULL, numbers);
    print("no request: %s", code(uv_getnameinfo(&loop, NULL, NULL, (void *)&four, numbers)));

    request.data = "first";
    second.data = "second";
    print("start: %s", code(uv_getnameinfo(&loop, &request, on_name, (void *)&four, numbers)));
    memset(&four, 0, sizeof four);
    print("type: %s", uv_req_type_name(request.type));
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("start: %s", code(uv_getnameinfo(&loop, &second, on_name, (void *)&six, 0x40000000)));
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

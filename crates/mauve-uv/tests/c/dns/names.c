/* uv_getnameinfo, at once and by the pool. Nothing here asks the network. */
#include "say.h"

#include <arpa/inet.h>
#include <netdb.h>

static uv_loop_t loop;

static void on_name(uv_getnameinfo_t *request, int status, const char *host, const char *service) {
    say("%s: %s, %s %s, own %d %d", (char *)request->data, code(status), host ? host : "-",
        service ? service : "-", host == request->host, service == request->service);
}

static void at_once(const char *what, const void *address, int flags) {
    uv_getnameinfo_t request;
    int result = uv_getnameinfo(&loop, &request, NULL, address, flags);
    say("%s: %s", what, code(result));
    if (result == 0) say("  %s %s", request.host, request.service);
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
    at_once("numbers", &four, numbers);
    at_once("numbers, six", &six, numbers);
    at_once("service", &four, NI_NUMERICHOST);
    at_once("service of datagrams", &four, NI_NUMERICHOST | NI_DGRAM);
    at_once("host", &four, NI_NUMERICSERV);
    at_once("flags", &four, 0x40000000);
    at_once("other family", &other, numbers);
    at_once("no address", NULL, numbers);
    say("no request: %s", code(uv_getnameinfo(&loop, NULL, NULL, (void *)&four, numbers)));

    request.data = "first";
    second.data = "second";
    say("start: %s", code(uv_getnameinfo(&loop, &request, on_name, (void *)&four, numbers)));
    memset(&four, 0, sizeof four);
    say("type: %s", uv_req_type_name(request.type));
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("start: %s", code(uv_getnameinfo(&loop, &second, on_name, (void *)&six, 0x40000000)));
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

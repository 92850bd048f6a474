/* uv_getaddrinfo, synchronous and on the pool. No query reaches the network. */
#include "test.h"

#include <arpa/inet.h>
#include <netdb.h>

static uv_loop_t loop;
static int callbacks;

static void print_addresses(const struct addrinfo *list) {
    for (; list; list = list->ai_next) {
        char text[64] = "?";
        int port = ntohs(((struct sockaddr_in *)list->ai_addr)->sin_port);
        uv_ip_name(list->ai_addr, text, sizeof text);
        print("  family %d type %d protocol %d %s port %d canonical %s", list->ai_family,
              list->ai_socktype, list->ai_protocol, text, port,
              list->ai_canonname ? list->ai_canonname : "-");
    }
}

static void resolve_sync(const char *what, const char *node, const char *service,
                         const struct addrinfo *hints) {
    uv_getaddrinfo_t request;
    int result = uv_getaddrinfo(&loop, &request, NULL, node, service, hints);
    print("%s: %s", what, code(result));
    if (result == 0) {
        print_addresses(request.addrinfo);
        uv_freeaddrinfo(request.addrinfo);
    }
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
    print("%s: %s, same list %d, same loop %d", (char *)request->data, code(status),
          list == request->addrinfo, request->loop == &loop);
    print_addresses(list);
    uv_freeaddrinfo(list);
    callbacks++;
}

int main(void) {
    struct addrinfo any = {0}, stream = {.ai_socktype = SOCK_STREAM};
    struct addrinfo numeric = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo canonical = {.ai_flags = AI_CANONNAME, .ai_socktype = SOCK_DGRAM};
    struct addrinfo six = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET6};
    struct addrinfo family = {.ai_family = 77}, type = {.ai_socktype = 77};
    struct addrinfo flags = {.ai_flags = 0x7fff}, passive = stream;
    uv_getaddrinfo_t request, second;
    char name[2000];

    passive.ai_flags = AI_PASSIVE;
    uv_loop_init(&loop);
    resolve_sync("numeric", "127.0.0.1", "80", NULL);
    resolve_sync("any hints", "127.0.0.1", "80", &any);
    resolve_sync("stream", "127.0.0.1", "80", &stream);
    resolve_sync("canonical", "127.0.0.1", NULL, &canonical);
    resolve_sync("IPv6", "::1", "443", &six);
    resolve_sync("only a service", NULL, "80", &stream);
    resolve_sync("only a service, passive", NULL, "80", &passive);
    resolve_sync("ideographic dots", "127。0．0｡1", NULL, &numeric);
    resolve_sync("neither", NULL, NULL, NULL);
    resolve_sync("numeric only", "localhost", NULL, &numeric);
    resolve_sync("other family", "127.0.0.1", NULL, &six);
    resolve_sync("unknown family", "127.0.0.1", NULL, &family);
    resolve_sync("unknown type", "127.0.0.1", NULL, &type);
    resolve_sync("unknown flags", "127.0.0.1", NULL, &flags);
    resolve_sync("unknown service", NULL, "no-such-service", NULL);
    resolve_sync("empty", "", NULL, &numeric);
    resolve_sync("bad byte", "\xff", NULL, &numeric);
    resolve_sync("overlong", "\xc0\x80.com", NULL, &numeric);
    resolve_sync("surrogate", "\xed\xa0\x80", NULL, &numeric);
    resolve_sync("cut short", "a\xc3", NULL, &numeric);
    resolve_sync("umlaut", "b\xc3\xbc" "cher", NULL, &numeric);
    for (int length = 253; length <= 258; length++) {
        memset(name, 'a', length);
        name[length] = 0;
        print("length %d", length);
        resolve_sync("  long", name, NULL, &numeric);
    }
    memset(name, 'a', 1999);
    name[1999] = 0;
    resolve_sync("very long", name, NULL, &numeric);
    for (name[0] = 0; strlen(name) < 250;)
        strcat(name, "\xc3\xbc");
    resolve_sync("long with umlauts", name, NULL, &numeric);
    for (; strlen(name) < 1990;)
        strcat(name, "\xc3\xbc");
    resolve_sync("too long with umlauts", name, NULL, &numeric);
    print("no request: %s", code(uv_getaddrinfo(&loop, NULL, NULL, "::1", NULL, NULL)));

    request.data = "first";
    second.data = "second";
    strcpy(name, "127.0.0.1");
    print("start: %s", code(uv_getaddrinfo(&loop, &request, on_resolved, name, "80", &stream)));
    /* The arguments were copied by the call. */
    strcpy(name, "overwritten");
    stream.ai_socktype = 77;
    print("type: %s", uv_req_type_name(request.type));
    print("alive: %d, callbacks: %d", uv_loop_alive(&loop), callbacks);
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("start: %s", code(uv_getaddrinfo(&loop, &second, on_resolved, "x", NULL, &numeric)));
    print("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("cancel: %s", code(uv_cancel((uv_req_t *)&second)));
    print("start: %s", code(uv_getaddrinfo(&loop, &second, on_resolved, "", NULL, &numeric)));
    print("run: %d, callbacks: %d", uv_run(&loop, UV_RUN_DEFAULT), callbacks);
    uv_freeaddrinfo(NULL);
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

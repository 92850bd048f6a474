/* uv_getaddrinfo, at once and by the pool. Nothing here asks the network. */
#include "say.h"

#include <arpa/inet.h>
#include <netdb.h>

static uv_loop_t loop;
static int deliveries;

static void show(const struct addrinfo *list) {
    for (; list; list = list->ai_next) {
        char text[64] = "?";
        int port = ntohs(((struct sockaddr_in *)list->ai_addr)->sin_port);
        uv_ip_name(list->ai_addr, text, sizeof text);
        say("  family %d type %d protocol %d %s port %d canonical %s", list->ai_family,
            list->ai_socktype, list->ai_protocol, text, port,
            list->ai_canonname ? list->ai_canonname : "-");
    }
}

static void at_once(const char *what, const char *node, const char *service,
                    const struct addrinfo *hints) {
    uv_getaddrinfo_t request;
    int result = uv_getaddrinfo(&loop, &request, NULL, node, service, hints);
    say("%s: %s", what, code(result));
    if (result == 0) {
        show(request.addrinfo);
        uv_freeaddrinfo(request.addrinfo);
    }
}

static void on_found(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
    say("%s: %s, same list %d, same loop %d", (char *)request->data, code(status),
        list == request->addrinfo, request->loop == &loop);
    show(list);
    uv_freeaddrinfo(list);
    deliveries++;
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
    at_once("number", "127.0.0.1", "80", NULL);
    at_once("any hints", "127.0.0.1", "80", &any);
    at_once("stream", "127.0.0.1", "80", &stream);
    at_once("canonical", "127.0.0.1", NULL, &canonical);
    at_once("six", "::1", "443", &six);
    at_once("only a service", NULL, "80", &stream);
    at_once("only a service, passive", NULL, "80", &passive);
    at_once("ideographic dots", "127。0．0｡1", NULL, &numeric);
    at_once("neither", NULL, NULL, NULL);
    at_once("numeric only", "localhost", NULL, &numeric);
    at_once("other family", "127.0.0.1", NULL, &six);
    at_once("unknown family", "127.0.0.1", NULL, &family);
    at_once("unknown type", "127.0.0.1", NULL, &type);
    at_once("unknown flags", "127.0.0.1", NULL, &flags);
    at_once("unknown service", NULL, "no-such-service", NULL);
    at_once("empty", "", NULL, &numeric);
    at_once("bad byte", "\xff", NULL, &numeric);
    at_once("overlong", "\xc0\x80.com", NULL, &numeric);
    at_once("surrogate", "\xed\xa0\x80", NULL, &numeric);
    at_once("cut short", "a\xc3", NULL, &numeric);
    at_once("umlaut", "b\xc3\xbc" "cher", NULL, &numeric);
    for (int length = 253; length <= 258; length++) {
        memset(name, 'a', length);
        name[length] = 0;
        say("length %d", length);
        at_once("  long", name, NULL, &numeric);
    }
    memset(name, 'a', 1999);
    name[1999] = 0;
    at_once("very long", name, NULL, &numeric);
    for (name[0] = 0; strlen(name) < 250;)
        strcat(name, "\xc3\xbc");
    at_once("long with umlauts", name, NULL, &numeric);
    for (; strlen(name) < 1990;)
        strcat(name, "\xc3\xbc");
    at_once("too long with umlauts", name, NULL, &numeric);
    say("no request: %s", code(uv_getaddrinfo(&loop, NULL, NULL, "::1", NULL, NULL)));

    request.data = "first";
    second.data = "second";
    strcpy(name, "127.0.0.1");
    say("start: %s", code(uv_getaddrinfo(&loop, &request, on_found, name, "80", &stream)));
    /* Everything was copied. */
    strcpy(name, "overwritten");
    stream.ai_socktype = 77;
    say("type: %s", uv_req_type_name(request.type));
    say("alive: %d, delivered: %d", uv_loop_alive(&loop), deliveries);
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("start: %s", code(uv_getaddrinfo(&loop, &second, on_found, "x", NULL, &numeric)));
    say("run: %d", uv_run(&loop, UV_RUN_DEFAULT));
    say("cancel: %s", code(uv_cancel((uv_req_t *)&second)));
    say("start: %s", code(uv_getaddrinfo(&loop, &second, on_found, "", NULL, &numeric)));
    say("run: %d, delivered: %d", uv_run(&loop, UV_RUN_DEFAULT), deliveries);
    uv_freeaddrinfo(NULL);
    say("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

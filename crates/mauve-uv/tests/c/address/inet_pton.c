/* uv_ip4_addr, uv_ip6_addr and uv_inet_pton: which texts are valid, and the resulting address. */
#include "test.h"

#include <arpa/inet.h>
#include <net/if.h>

static void print_ip4_addr(const char *text, int port) {
    struct sockaddr_in address;
    memset(&address, 0xaa, sizeof address);
    int result = uv_ip4_addr(text, port, &address);
    print("4 '%s' %d: %s family %d port %d address %08x", text, port, code(result),
          address.sin_family, ntohs(address.sin_port), ntohl(address.sin_addr.s_addr));
}

static void print_ip6_addr(const char *text, int port) {
    struct sockaddr_in6 address;
    memset(&address, 0xaa, sizeof address);
    int result = uv_ip6_addr(text, port, &address);
    printf("6 '%s' %d: %s family %d port %d flow %x scope %x ", text, port, code(result),
           address.sin6_family, ntohs(address.sin6_port), address.sin6_flowinfo,
           address.sin6_scope_id);
    for (int i = 0; i < 16; i++)
        printf("%02x", address.sin6_addr.s6_addr[i]);
    print("");
}

static void parse(int family, const char *text) {
    unsigned char bytes[16];
    memset(bytes, 0xaa, sizeof bytes);
    int result = uv_inet_pton(family, text, bytes);
    printf("parse %d '%s': %s ", family, text, code(result));
    for (int i = 0; i < 16; i++)
        printf("%02x", bytes[i]);
    print("");
}

int main(void) {
    static const char *four[] = {
        "127.0.0.1", "0.0.0.0", "255.255.255.255", "256.0.0.1", "1.2.3",  "1.2.3.4.5",
        "01.2.3.4",  "1.2.3.04", "1.2.3.0",        "00.0.0.0",  "1.2.3.", ".1.2.3",
        "1..2.3",    "1.2.3.4 ", " 1.2.3.4",       "0x1.2.3.4", "",       "1.2.3.4%lo",
        "1000.1.1.1", "-1.2.3.4", "1.2.3.4\n", "1.2.3.+4",
    };
    static const char *six[] = {
        "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
        "1::3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", ":::", ":1", "1:", "::1:", "1::2::3", "::1.2.3.4",
        "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "::01.2.3.4",
        "::1.2.3.4:5", "1.2.3.4", "::12345", "::00001", "::g", "ABCD::EF", "[::1]", "", "%", "%lo",
        "::1%lo", "::1%", "::1%no-such-interface", "::1%1", "fe80::1%lo%lo", "::1%a:b.c",
        "0000:0000:0000:0000:0000:0000:255.255.255.255", "::1 ", " ::1",
        "0000:0000:0000:0000:0000:0000:0000:0000%lo", "::%lo",
        "0000:0000:0000:0000:0000:0000:255.255.255.2551",
        "fe80::1%an-interface-whose-name-is-longer-than-any-can-be",
    };
    for (size_t i = 0; i < COUNT(four); i++) {
        print_ip4_addr(four[i], 80);
        parse(AF_INET, four[i]);
    }
    for (size_t i = 0; i < COUNT(six); i++) {
        print_ip6_addr(six[i], 80);
        parse(AF_INET6, six[i]);
    }
    print_ip4_addr("1.2.3.4", -1);
    print_ip4_addr("1.2.3.4", 65536 + 7);
    print_ip6_addr("::1", -2);
    parse(AF_UNIX, "1.2.3.4");
    parse(-1, "");
    print("inet_pton with a null source: %s", code(uv_inet_pton(AF_INET, NULL, four)));
    print("inet_pton with a null destination: %s", code(uv_inet_pton(AF_INET, "1.2.3.4", NULL)));
    return 0;
}

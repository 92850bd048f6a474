/* uv_inet_ntop and uv_ip_name, with output buffers of every size. */
#include "test.h"

#include <arpa/inet.h>

static void print_address(int family, const void *bytes, size_t size) {
    char text[64] = "untouched";
    int result = uv_inet_ntop(family, bytes, text, size);
    print("%d into %zu: %s '%s'", family, size, code(result), text);
}

static void print_ipv6(int w0, int w1, int w2, int w3, int w4, int w5, int w6, int w7) {
    int words[8] = {w0, w1, w2, w3, w4, w5, w6, w7};
    unsigned char bytes[16];
    for (int i = 0; i < 8; i++) {
        bytes[2 * i] = words[i] >> 8;
        bytes[2 * i + 1] = words[i];
    }
    print_address(AF_INET6, bytes, 64);
}

int main(void) {
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001)};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_scope_id = 1};
    struct sockaddr other = {.sa_family = AF_UNIX};
    unsigned char long4[] = {255, 255, 255, 255};
    char text[64];

    for (size_t size = 0; size <= 17; size++) {
        print_address(AF_INET, &in.sin_addr, size);
        print_address(AF_INET, long4, size);
    }
    for (size_t size = 0; size <= 4; size++)
        print_address(AF_INET6, &in6.sin6_addr, size);
    print_ipv6(0, 0, 0, 0, 0, 0, 0, 0);
    print_ipv6(0, 0, 0, 0, 0, 0, 0, 1);
    print_ipv6(0, 0, 0, 0, 0, 0, 0, 2);
    print_ipv6(0, 0, 0, 0, 0, 0, 1, 2);
    print_ipv6(0, 0, 0, 0, 0, 0, 0x102, 0x304);
    print_ipv6(0, 0, 0, 0, 0, 0, 1, 0);
    print_ipv6(0, 0, 0, 0, 0, 0xffff, 0x102, 0x304);
    print_ipv6(0, 0, 0, 0, 0, 0xffff, 0, 0);
    print_ipv6(0, 0, 0, 0, 0xffff, 0, 0x102, 0x304);
    print_ipv6(0, 0, 0, 0, 0, 0xfffe, 0x102, 0x304);
    print_ipv6(0x64, 0xff9b, 0, 0, 0, 0, 0x102, 0x304);
    print_ipv6(1, 0, 0, 4, 5, 0, 0, 8);
    print_ipv6(1, 0, 0, 4, 0, 0, 0, 8);
    print_ipv6(1, 0, 3, 4, 5, 6, 7, 8);
    print_ipv6(0, 2, 3, 4, 5, 6, 7, 8);
    print_ipv6(1, 2, 3, 4, 5, 6, 7, 0);
    print_ipv6(1, 2, 3, 4, 5, 6, 0, 0);
    print_ipv6(0, 0, 3, 4, 5, 6, 0, 0);
    print_ipv6(0xabcd, 0xef01, 0x2345, 0x6789, 0xabcd, 0xef01, 0x2345, 0x6789);
    print_address(AF_UNIX, long4, 64);

    print("ip4: %s %s", code(uv_ip4_name(&in, text, sizeof text)), text);
    print("ip4, too small: %s", code(uv_ip4_name(&in, text, 3)));
    in6.sin6_addr = in6addr_loopback;
    print("ip6: %s %s", code(uv_ip6_name(&in6, text, sizeof text)), text);
    print("ip, 4: %s %s", code(uv_ip_name((struct sockaddr *)&in, text, sizeof text)), text);
    print("ip, 6: %s %s", code(uv_ip_name((struct sockaddr *)&in6, text, sizeof text)), text);
    print("ip, 6, too small: %s", code(uv_ip_name((struct sockaddr *)&in6, text, 3)));
    print("ip, other: %s", code(uv_ip_name(&other, text, sizeof text)));
    return 0;
}

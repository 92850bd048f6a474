/* CVE-2024-24806: a name that is too long is refused, and not shortened to one that resolves. */
#include "test.h"

#include <netdb.h>
#include <string.h>

int main(void) {
    static const int lengths[] = {10, 100, 200, 254, 255, 256, 257, 258, 300, 1000, 2000};
    struct addrinfo hints = {.ai_family = AF_INET, .ai_flags = AI_NUMERICHOST};
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char name[2048], address[64] = "-";
        uv_getaddrinfo_t request;

        /* A number with zeros in front, which needs no name server: 0.0.0.0 if its end is cut off. */
        memset(name, '0', sizeof name);
        name[1] = 'x';
        memcpy(name + lengths[i] - 8, "7f000001", 9);
        int result = uv_getaddrinfo(&loop, &request, NULL, name, NULL, &hints);
        if (result == 0) {
            uv_ip_name(request.addrinfo->ai_addr, address, sizeof address);
            uv_freeaddrinfo(request.addrinfo);
        }
        print("%d bytes: %s, %s", lengths[i], code(result), address);
    }
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}

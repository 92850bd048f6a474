/* needs: 1.53 */
/* A synchronous uv_getaddrinfo works with a null loop. With a callback it is UV_EINVAL. */
#include "test.h"

#include <netdb.h>

static void on_addresses(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
    (void)request, (void)status, (void)list;
    abort();
}

int main(void) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    uv_getaddrinfo_t request;

    EXPECT(uv_getaddrinfo(NULL, &request, NULL, "127.0.0.1", NULL, &hints), 0);
    EXPECT(request.addrinfo->ai_family, AF_INET);
    uv_freeaddrinfo(request.addrinfo);
    EXPECT(uv_getaddrinfo(NULL, &request, NULL, "x", NULL, &hints), UV_EAI_NONAME);
    EXPECT(request.addrinfo == NULL, 1);
    EXPECT(uv_getaddrinfo(NULL, &request, on_addresses, "127.0.0.1", NULL, &hints), UV_EINVAL);
    EXPECT(uv_getaddrinfo(NULL, &request, on_addresses, NULL, NULL, NULL), UV_EINVAL);
    return 0;
}
